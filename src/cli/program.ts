import { createRequire } from "node:module";
import { Command, CommanderError } from "commander";
import { LifecycleError } from "../protocol/errors.ts";
import { ScenarioError } from "../testing/index.ts";
import { CliError } from "./cli-error.ts";
import { COMMANDS } from "./commands.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Shell } from "./shell.ts";

const { version } = createRequire(import.meta.url)("turnwright/package.json") as { version: string };

/**
 * Runs one command line, without the names of the interpreter and the program.
 *
 * Bad usage and bad input are told on standard error and give 2; what is thrown beyond them is a fault of this program
 * and is thrown on.
 */
export async function runCommandLine(args: readonly string[], shell: Shell): Promise<ExitCode> {
  let worst: ExitCode = 0;
  const exitWith = (code: ExitCode) => {
    if (code > worst) worst = code;
  };
  const program = new Command("turnwright")
    .description("The lifecycle of a coding agent as an event-sourced state machine.")
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => shell.out(text), writeErr: (text) => shell.err(text) })
    .showHelpAfterError("Try turnwright --help.");
  for (const register of COMMANDS) register(program, { shell, exitWith });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    exitWith(tell(error, shell));
  }
  return worst;
}

function tell(error: unknown, shell: Shell): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CliError || error instanceof ScenarioError || error instanceof LifecycleError) {
    shell.err(`${error.message}\n  ${error.fix}\n`);
    return 2;
  }
  throw error;
}
