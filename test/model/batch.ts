import type { RunConfig } from "../../src/protocol/command.ts";
import type { CallOutcome } from "../../src/protocol/fact.ts";
import { messageId } from "../../src/protocol/ids.ts";
import type { RecordOf } from "../../src/protocol/log-record.ts";
import type { Verdict } from "../../src/protocol/outcome.ts";
import { askFor, nextAnswer, type Script } from "./script.ts";
import type { World } from "./world.ts";

type Reply = RecordOf<"model.replied">;

/** Section 4: one tool batch. Gives whether every result asks to terminate (T10). */
export function* toolBatch(world: World, reply: Reply, execution: RunConfig["toolExecution"]): Script<boolean> {
  const batch = new Batch(world, reply);
  if (reply.stopReason === "length") batch.truncate();
  else if (execution === "sequential" || reply.calls.some((call) => call.mode === "sequential"))
    yield* oneAfterAnother(world, batch);
  else yield* together(world, batch);
  return batch.terminating.size === reply.calls.length;
}

/** T4: start, prepare, execute, end and result of one call, then the next. */
function* oneAfterAnother(world: World, batch: Batch): Script {
  for (const call of batch.calls) {
    batch.start(call);
    const verdict = yield* prepare(world, call);
    if (verdict.kind !== "ready") batch.refuse(call, verdict);
    else if (world.aborted) batch.end(call, "aborted", true);
    else {
      world.ask(`call${call}/run`, { type: "tool.run", call, attempt: 1 });
      batch.finish((yield* nextAnswer()) as RecordOf<"tool.finished">);
    }
    batch.result(call);
  }
}

/** T5: prepare in source order, run together, end as they finish, results in source order. */
function* together(world: World, batch: Batch): Script {
  const ready: number[] = [];
  for (const call of batch.calls) {
    batch.start(call);
    const verdict = yield* prepare(world, call);
    if (verdict.kind === "ready") ready.push(call);
    else batch.refuse(call, verdict);
  }
  const skips = world.aborted;
  for (const call of ready) {
    if (skips) world.ask(`call${call}/skip`, { type: "tool.skip", call });
    else world.ask(`call${call}/run`, { type: "tool.run", call, attempt: 1 });
  }
  for (const _ of ready) batch.finish((yield* nextAnswer()) as RecordOf<"tool.finished">);
  for (const call of batch.calls) batch.result(call);
}

function* prepare(world: World, call: number): Script<Verdict> {
  const effect = { type: "tool.prepare", call, attempt: 1 } as const;
  return (yield* askFor(world, `call${call}/prepare`, effect, "tool.prepared")).verdict;
}

/** What can happen to a call. */
class Batch {
  readonly terminating = new Set<number>();
  readonly calls: readonly number[];
  readonly #world: World;
  readonly #reply: Reply;

  constructor(world: World, reply: Reply) {
    this.#world = world;
    this.#reply = reply;
    this.calls = reply.calls.map((_, call) => call);
  }

  /** T9: nothing is prepared, nothing runs. */
  truncate(): void {
    for (const call of this.calls) {
      this.start(call);
      this.end(call, "truncated", true);
      this.result(call);
    }
  }

  start(call: number): void {
    this.#world.tell({ type: "tool.started", call, callId: this.#id(call), name: this.#reply.calls[call]?.name ?? "" });
  }

  /** T2: an immediate error result; a blocked call may ask to terminate. */
  refuse(call: number, verdict: Exclude<Verdict, { kind: "ready" }>): void {
    if (verdict.kind === "refused" && verdict.terminate) this.terminating.add(call);
    this.end(call, verdict.kind, true);
  }

  /** T7: the tool's own throw or return decides; one that never started or whose end nobody saw is an error. */
  finish({ call, outcome }: RecordOf<"tool.finished">): void {
    if (outcome.kind === "finished" && outcome.terminate) this.terminating.add(call);
    this.end(call, outcome.kind, outcome.kind === "finished" ? outcome.isError : true);
  }

  end(call: number, outcome: CallOutcome, isError: boolean): void {
    this.#world.tell({ type: "tool.ended", call, callId: this.#id(call), outcome, isError });
  }

  result(call: number): void {
    const message = messageId(this.#world.seq, call);
    this.#world.tell({ type: "tool.resulted", call, callId: this.#id(call), message });
  }

  #id(call: number): string {
    return this.#reply.calls[call]?.id ?? "";
  }
}
