import type { EffectBody } from "../../src/protocol/effect.ts";
import type { LogRecord, RecordOf } from "../../src/protocol/log-record.ts";
import type { OutcomeType } from "../../src/protocol/outcome.ts";
import type { World } from "./world.ts";

/** A program that stops wherever it needs to know something of the outside; the answer is a record. */
export type Script<T = void> = Generator<void, T, LogRecord>;

/** A port threw (E11). */
export class PortFailed extends Error {
  readonly record: RecordOf<"run.failed">;

  constructor(record: RecordOf<"run.failed">) {
    super(record.error);
    this.record = record;
  }
}

/** Waits for the next answer, whatever it answers. */
export function* nextAnswer(): Script<LogRecord> {
  const record = yield;
  if (record.type === "run.failed") throw new PortFailed(record);
  return record;
}

/** Asks for one thing and waits for its answer. */
export function* askFor<T extends OutcomeType>(
  world: World,
  work: string,
  body: EffectBody,
  _type: T,
): Script<RecordOf<T>> {
  world.ask(work, body);
  return (yield* nextAnswer()) as RecordOf<T>;
}

/** Waits until all listeners have heard everything so far (A7). */
export function* settle(world: World, then: "trace.opened" | "turn.closed" | "trace.closed"): Script {
  yield* askFor(world, then, { type: "listeners.settle", then }, then);
}
