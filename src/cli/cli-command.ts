import type { Command } from "commander";
import type { ExitCode } from "./exit-code.ts";
import type { Shell } from "./shell.ts";

/** What a command gets beside its arguments. */
export interface CliContext {
  readonly shell: Shell;
  /** Sets the exit code of the process; the worst of all calls counts. */
  exitWith(code: ExitCode): void;
}

/** Adds one command to the program. Bad usage and input are thrown as CliError by its action. */
export type CliCommand = (program: Command, context: CliContext) => void;
