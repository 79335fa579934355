import type { CliCommand } from "./cli-command.ts";
import { demoCommand } from "./demo.ts";
import { replayCommand } from "./replay.ts";
import { runCommand } from "./run.ts";

/** Every command of `turnwright`, in the order of the help. A new one is one file and one entry here. */
export const COMMANDS: readonly CliCommand[] = [runCommand, replayCommand, demoCommand];
