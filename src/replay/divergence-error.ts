import { LifecycleError } from "../protocol/errors.ts";
import type { LogRecord, StepDigest } from "../protocol/log-record.ts";

/** A log replays to another result than it recorded: at which record, and in which part of the result. */
export class DivergenceError extends LifecycleError {
  override readonly name = "DivergenceError";
  readonly seq: number;
  readonly part: keyof StepDigest;

  constructor(record: LogRecord, part: keyof StepDigest, recorded: string, derived: string) {
    super(
      "replay-diverged",
      { seq: record.seq, type: record.type, part, recorded, derived },
      `Record ${record.seq} (${record.type}) replays to other ${part}: recorded ${recorded}, derived ${derived}.`,
    );
    this.seq = record.seq;
    this.part = part;
  }
}
