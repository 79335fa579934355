/** What can be wrong with what the user gave, beside the content of its files. */
export type CliErrorCode =
  | "usage"
  | "input-missing"
  | "input-is-directory"
  | "input-unreadable"
  | "output-unwritable"
  | "key-missing"
  | "peer-missing";

/** Bad usage or bad input: the command ends with exit code 2, the text and the first thing to try. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode;
  readonly fix: string;

  constructor(code: CliErrorCode, text: string, fix: string) {
    super(text);
    this.code = code;
    this.fix = fix;
  }
}
