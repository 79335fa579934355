import { type TObject, type TProperties, Type } from "typebox";
import type { InputType } from "../protocol/log-record.ts";

const message = Type.Object({ role: Type.String() });
const messages = Type.Array(message);
const mode = Type.Union([Type.Literal("one-at-a-time"), Type.Literal("all")]);
const execution = Type.Union([Type.Literal("parallel"), Type.Literal("sequential")]);
const hook = Type.Union([Type.Literal("prepareRequest"), Type.Literal("finishTurn"), Type.Literal("prepareNextTurn")]);
const run = Type.Object({ hooks: Type.Array(hook), toolExecution: execution });
const call = Type.Integer({ minimum: 0 });

const policy = Type.Object({
  profile: Type.Union([Type.Literal("pi-1.6"), Type.Literal("strict")]),
  onAbort: Type.Union([Type.Literal("next-request"), Type.Literal("boundary")]),
  drained: Type.Union([Type.Literal("limbo"), Type.Literal("reserved")]),
  onFailure: Type.Union([Type.Literal("suffix"), Type.Literal("turn"), Type.Literal("reject")]),
  continuedFollowUps: Type.Union([Type.Literal("with-steering"), Type.Literal("alone")]),
  queues: Type.Union([Type.Literal("own"), Type.Literal("host")]),
});

const verdict = Type.Union([
  Type.Object({ kind: Type.Literal("ready"), args: Type.Optional(Type.Unknown()) }),
  Type.Object({ kind: Type.Union([Type.Literal("aborted"), Type.Literal("unknown")]) }),
  Type.Object({
    kind: Type.Literal("refused"),
    reason: Type.Union([Type.Literal("invalid"), Type.Literal("blocked"), Type.Literal("failed")]),
    text: Type.String(),
    terminate: Type.Optional(Type.Literal(true)),
  }),
]);

const toolOutcome = Type.Union([
  Type.Object({
    kind: Type.Literal("finished"),
    // Pi passes on what an untyped tool returns, so the body is checked by nobody here.
    result: Type.Unknown(),
    isError: Type.Boolean(),
    terminate: Type.Optional(Type.Literal(true)),
    durationMs: Type.Optional(Type.Number()),
  }),
  Type.Object({ kind: Type.Union([Type.Literal("aborted"), Type.Literal("lost")]) }),
]);

const command = (properties: TProperties = {}): TProperties => ({
  ...properties,
  key: Type.Optional(Type.String()),
  expect: Type.Optional(Type.Object({ traceId: Type.String() })),
});

const digest = Type.Object({ state: Type.String(), facts: Type.String(), effects: Type.String() });

const envelope = {
  seq: Type.Integer({ minimum: 0 }),
  id: Type.String({ minLength: 1 }),
  at: Type.Number(),
  digest: Type.Optional(digest),
};

const payloads: Record<InputType, TProperties> = {
  "log.opened": {
    format: Type.Literal(1),
    machines: Type.String(),
    policy,
    steeringMode: mode,
    followUpMode: mode,
    messages,
  },
  "log.resumed": {},
  prompt: command({ messages, run }),
  continue: command({ run, lastRole: Type.Union([Type.String(), Type.Null()]), hasConversation: Type.Boolean() }),
  steer: command({ message }),
  followUp: command({ message }),
  clearSteering: command(),
  clearFollowUp: command(),
  clearAll: command(),
  setSteeringMode: command({ mode }),
  setFollowUpMode: command({ mode }),
  abort: command(),
  reset: command({ baseline: Type.Optional(message) }),
  editTranscript: command({
    keep: Type.Integer({ minimum: 0 }),
    messages,
    untold: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  "trace.opened": {},
  "queue.polled": { messages },
  "tools.declared": {
    messages: Type.Optional(
      Type.Array(Type.Object({ id: Type.Optional(Type.String()), message: Type.Optional(message) })),
    ),
  },
  "request.prepared": { update: Type.Optional(Type.Unknown()) },
  "model.started": { message },
  "model.replied": {
    message: Type.Object({ role: Type.String(), content: Type.Array(Type.Unknown()) }),
    stopReason: Type.String(),
    calls: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), mode: Type.Optional(execution) })),
  },
  "tool.prepared": { call, verdict },
  "tool.finished": { call, outcome: toolOutcome },
  "turn.finished": { decision: Type.Optional(Type.Union([Type.Literal("end"), Type.Literal("continue")])) },
  "turn.closed": {},
  "turn.prepared": { messages: Type.Optional(messages), update: Type.Optional(Type.Unknown()) },
  "trace.closed": {},
  "run.failed": { message, error: Type.String() },
};

/** The schema of the records of one type; undefined for a type that this version does not know. */
export function recordShape(type: string): TObject | undefined {
  const payload = Object.hasOwn(payloads, type) ? payloads[type as InputType] : undefined;
  return payload && Type.Object({ ...envelope, type: Type.Literal(type), ...payload });
}
