import { InvalidArgumentError } from "commander";
import { stateDigest } from "../engine/step-digest.ts";
import { decodeLog } from "../log/codec.ts";
import { LifecycleError } from "../protocol/errors.ts";
import { DivergenceError } from "../replay/divergence-error.ts";
import { replay } from "../replay/replay.ts";
import type { ReplayedStep } from "../replay/replayer.ts";
import { requireSameMachines } from "../replay/same-machines.ts";
import type { CliCommand } from "./cli-command.ts";
import { CliError } from "./cli-error.ts";
import { readInput } from "./read-input.ts";
import type { Shell } from "./shell.ts";
import { TimelinePrinter } from "./timeline-printer.ts";

interface ReplayFlags {
  readonly at?: number;
  readonly verify?: boolean;
  readonly json?: boolean;
}

/** `turnwright replay <log>`: folds a log and prints its timeline; no effect runs. */
export const replayCommand: CliCommand = (program, { shell, exitWith }) => {
  program
    .command("replay")
    .summary("fold a log and print its timeline")
    .description("Folds a log and prints its timeline. Nothing is executed.")
    .argument("<log>", "a log file, one record a line")
    .option("--at <seq>", "print the state after this record instead", toSeq)
    .option("--verify", "require and compare the digests of every record; exit 1 at the first that differs")
    .option("--json", "print one JSON object a line on stdout")
    .action(async (file: string, flags: ReplayFlags) => {
      const records = decodeLog(await readInput(file), file);
      const count = flags.at === undefined ? records.length : flags.at + 1;
      if (count > records.length) {
        throw new CliError("usage", `${file} has no record ${flags.at}.`, `Its last record is ${records.length - 1}.`);
      }
      const unverified = flags.verify ? records.find((record) => record.seq > 0 && !record.digest) : undefined;
      if (unverified) {
        const text = `${file}: record ${unverified.seq} carries no digest to verify.`;
        throw new CliError("usage", text, "Write the log with digests: new Agent({ digests: true }).");
      }
      try {
        requireSameMachines(records);
        print(replay(records.slice(0, count)), flags, shell);
      } catch (error) {
        if (!(error instanceof LifecycleError)) throw error;
        shell.err(`${file}: ${error.message}\n  ${error.fix}\n`);
        exitWith(error instanceof DivergenceError ? 1 : 2);
      }
    });
};

function print(steps: Iterable<ReplayedStep>, flags: ReplayFlags, shell: Shell): void {
  const printer = new TimelinePrinter(flags.json === true, shell);
  let last: ReplayedStep | undefined;
  for (const step of steps) {
    if (flags.at === undefined) printer.step(step);
    last = step;
  }
  if (!last) throw new LifecycleError("log-not-opened", { records: 0 });
  if (flags.at === undefined) printer.queues();
  else shell.out(`${JSON.stringify(last.state, null, flags.json ? undefined : 2)}\n`);
  const verified = flags.verify ? ", every record verified" : "";
  shell.err(`${last.record.seq + 1} records, digest ${stateDigest(last.state)}${verified}\n`);
}

function toSeq(text: string): number {
  const seq = Number(text);
  if (!Number.isInteger(seq) || seq < 0) throw new InvalidArgumentError("It must be the seq of a record: 0, 1, 2, …");
  return seq;
}
