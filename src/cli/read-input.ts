import { readFile } from "node:fs/promises";
import { CliError } from "./cli-error.ts";

/**
 * The text of an input file.
 *
 * @throws CliError `input-missing`, `input-is-directory` or `input-unreadable`.
 */
export async function readInput(file: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw inputError(file, error as NodeJS.ErrnoException);
  }
}

function inputError(file: string, { code, message }: NodeJS.ErrnoException): CliError {
  switch (code) {
    case "ENOENT":
      return new CliError(
        "input-missing",
        `${file}: there is no such file`,
        "Check the path and the directory you are in.",
      );
    case "EISDIR":
      return new CliError("input-is-directory", `${file}: is a directory`, "Name the files in it.");
    case "ERR_ENCODING_INVALID_ENCODED_DATA":
      return new CliError("input-unreadable", `${file}: is not UTF-8 text`, "Save it as UTF-8.");
    default:
      return new CliError("input-unreadable", `${file}: cannot be read: ${message}`, "Look at its permissions.");
  }
}
