import type { HookName } from "../../src/protocol/command.ts";
import type { PollPoint } from "../../src/protocol/fact.ts";
import { messageId } from "../../src/protocol/ids.ts";
import type { LogRecord, RecordOf } from "../../src/protocol/log-record.ts";
import type { OutcomeType } from "../../src/protocol/outcome.ts";
import type { QueueName } from "../../src/protocol/queue-mode.ts";
import { toolBatch } from "./batch.ts";
import { askFor, nextAnswer, PortFailed, type Script, settle } from "./script.ts";
import type { World } from "./world.ts";

/** What a Trace starts with: a record, and the queue that continue() has drained for it (P4). */
export interface Start {
  readonly record: RecordOf<"prompt"> | RecordOf<"continue">;
  readonly continued: QueueName | undefined;
}

/** How far a turn has come, for whoever has to end it after an exception. */
interface Progress {
  turn: "open" | "ended";
  reply: { readonly id: string; whole: boolean; failed: boolean } | undefined;
}

/** Sections 2 to 4: one Trace from its start to the settlement of its agent_end listeners. */
export function* traceScript(world: World, start: Start): Script {
  const progress: Progress = { turn: "open", reply: undefined };
  let failure: string | undefined;
  try {
    yield* turns(world, start, progress);
  } catch (error) {
    if (!(error instanceof PortFailed)) throw error;
    if (world.policy.onFailure === "reject") return reject(world);
    if (world.policy.onFailure === "turn") failWithinGrammar(world, progress);
    else failure = failureSuffix(world);
  }
  world.tell({ type: "trace.ended", ...(failure === undefined ? {} : { failure }) });
  yield* settle(world, "trace.closed");
}

/** 3.2, step by step. */
function* turns(world: World, start: Start, progress: Progress): Script {
  yield* firstInjection(world, start);
  for (;;) {
    const reply = yield* request(world, progress);
    const failed = reply.stopReason === "error" || reply.stopReason === "aborted";
    let more = false;
    if (!failed && reply.calls.length > 0) more = !(yield* toolBatch(world, reply, start.record.run.toolExecution));
    const finished = yield* hook(world, "finishTurn", "turn.finished");
    world.tell({ type: "turn.ended", message: progress.reply?.id ?? "" });
    progress.turn = "ended";
    if (failed) return;
    yield* settle(world, "turn.closed");
    const decision = finished?.decision;
    if (decision === "end") return;
    const owed = more || decision === "continue";
    const follows = world.abortEndsHere ? owed : yield* nextTurnIsCalledFor(world, more, decision === "continue");
    if (!follows) return;
    openTurn(world, progress);
    yield* inject(world, "declare");
  }
}

/** Turn 1: the prompt, then the initial steering (E7, P0). */
function* firstInjection(world: World, { record, continued }: Start): Script {
  const continuation = record.type === "continue" && !continued;
  if (continued) world.tellDrained("P4", continued);
  world.tell({ type: "trace.started", continuation });
  world.tell({ type: "turn.started" });
  if (!continuation) yield* inject(world, "declare-prompt");
  yield* settle(world, "trace.opened");
  const addsSteering = continued === "followUp" && world.policy.continuedFollowUps === "with-steering";
  if (!continued || addsSteering) yield* poll(world, "steering", "P0");
  yield* inject(world, "declare");
}

/** P1, else P3; then prepareNextTurn and P2. Whether anything calls for another turn (E6). */
function* nextTurnIsCalledFor(world: World, more: boolean, continues: boolean): Script<boolean> {
  const called = (yield* poll(world, "steering", "P1")) || more || (yield* poll(world, "followUp", "P3")) || continues;
  if (!called) return false;
  const update = yield* hook(world, "prepareNextTurn", "turn.prepared");
  if (world.abortEndsHere) world.giveBack();
  world.prepared = world.idsOf(update?.messages);
  if (world.pending().length === 0) yield* poll(world, "steering", "P2");
  if (more || continues || world.prepared.length > 0 || world.pending().length > 0) return true;
  // What was reserved for the turn has been taken back meanwhile; the hook has answered and is not asked again.
  return yield* poll(world, "followUp", "P3");
}

function openTurn(world: World, progress: Progress): void {
  world.turn += 1;
  progress.turn = "open";
  progress.reply = undefined;
  world.tell({ type: "turn.started" });
}

function* inject(world: World, work: "declare" | "declare-prompt"): Script {
  const { messages } = yield* askFor(world, work, { type: "tools.declare" }, "tools.declared");
  if (world.abortEndsHere) world.giveBack();
  world.deliver(messages);
}

/** Looks at a queue at a polling point; true: messages are in hand. */
function* poll(world: World, queue: QueueName, point: PollPoint): Script<boolean> {
  if (world.abortEndsHere) return false;
  if (world.policy.queues === "host") {
    const { messages } = yield* askFor(world, point, { type: "queue.poll", queue }, "queue.polled");
    world.takePolled(queue, world.idsOf(messages));
  } else {
    world.drain(queue);
  }
  if (world.hand.ids.length === 0) return false;
  world.tellDrained(point, queue);
  return true;
}

function* hook<T extends OutcomeType>(world: World, name: HookName, type: T): Script<RecordOf<T> | undefined> {
  if (!world.hooks.includes(name)) return undefined;
  return yield* askFor(world, name, { type: "hook.run", hook: name }, type);
}

/** Steps 4 to 6: prepareRequest, then the model; the reply may be told in parts. */
function* request(world: World, progress: Progress): Script<RecordOf<"model.replied">> {
  if (!world.abortEndsHere) yield* hook(world, "prepareRequest", "request.prepared");
  world.ask("model", { type: "model.request", attempt: 1 });
  for (;;) {
    const record: LogRecord = yield* nextAnswer();
    if (!progress.reply) {
      progress.reply = { id: messageId(world.seq, 0), whole: false, failed: false };
      world.tell({ type: "message.started", message: progress.reply.id });
    }
    if (record.type !== "model.replied") continue;
    progress.reply.whole = true;
    progress.reply.failed = record.stopReason === "error" || record.stopReason === "aborted";
    world.tell({ type: "message.ended", message: progress.reply.id });
    return record;
  }
}

function failureMessage(world: World): string {
  const message = messageId(world.seq, 0);
  world.tell({ type: "message.started", message });
  world.tell({ type: "message.ended", message });
  return message;
}

/** E11: Pi's suffix after whatever was there. */
function failureSuffix(world: World): string {
  world.lose();
  const message = failureMessage(world);
  world.tell({ type: "turn.ended", message });
  return message;
}

/** Strict: a Trace keeps the grammar of 2.3 also when something throws. */
function failWithinGrammar(world: World, progress: Progress): void {
  const { turn, reply } = progress;
  if (turn === "open" && reply) {
    if (!reply.whole) world.tell({ type: "message.ended", message: reply.id });
    world.tell({ type: "turn.ended", message: reply.id });
    if (!reply.whole || reply.failed) return;
  }
  if (turn === "open" && !reply) {
    if (world.abortEndsHere) world.giveBack();
    world.deliver();
  } else {
    world.giveBack();
    openTurn(world, progress);
  }
  world.tell({ type: "turn.ended", message: failureMessage(world) });
}

/** L15: the caller gets the exception; there is no agent_end. */
function reject(world: World): void {
  world.lose();
  world.tell({ type: "run.rejected" });
}
