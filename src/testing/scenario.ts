import { type Static, type TProperties, Type } from "typebox";
import type { StopReason } from "../protocol/message.ts";
import { LIFECYCLE_EVENTS } from "./lifecycle-events.ts";

const closed = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false });
const anyName = () => Type.String({ pattern: "^[^]*$" });
const count = () => Type.Integer({ minimum: 0 });
const ordinal = () => Type.Integer({ minimum: 1 });
const queueMode = () => Type.Enum(["one-at-a-time", "all"]);
const executionMode = () => Type.Enum(["parallel", "sequential"]);

const STOP_REASONS = ["stop", "length", "toolUse", "error", "aborted", "deferred"] as const satisfies StopReason[];

/** One tool call of a reply: what the tool does when it is called. */
export const CallSchema = closed({
  id: Type.String(),
  tool: Type.String(),
  args: Type.Optional(Type.Record(anyName(), Type.Unknown())),
  /** Ticks until it returns. */
  takes: Type.Optional(count()),
  /** How many progress updates it makes first. */
  updates: Type.Optional(count()),
  /** Text of the result; default `<id> ok`. */
  result: Type.Optional(Type.String()),
  isError: Type.Optional(Type.Boolean()),
  throws: Type.Optional(Type.String()),
  terminate: Type.Optional(Type.Boolean()),
  /** Rejects with `cancelled` as soon as the signal fires; without it the tool runs to its end. */
  honorsAbort: Type.Optional(Type.Boolean()),
});

/** What the model answers to one request. */
export const ReplySchema = closed({
  text: Type.Optional(Type.String()),
  /** How many deltas the text is streamed in; 0: no partial, only the final message. */
  chunks: Type.Optional(count()),
  /** Ticks before each chunk, or before the whole message. */
  takes: Type.Optional(count()),
  calls: Type.Optional(Type.Array(CallSchema)),
  /** Default `toolUse` with calls, else `stop`. */
  stop: Type.Optional(Type.Enum([...STOP_REASONS])),
  error: Type.Optional(Type.String()),
  /** The stream function itself throws this. */
  throws: Type.Optional(Type.String()),
});

const WhenSchema = Type.Union(
  [
    Type.Literal("start"),
    closed({ event: Type.Enum([...LIFECYCLE_EVENTS]), nth: Type.Optional(ordinal()) }),
    closed({ idle: ordinal() }),
  ],
  { description: '"start", { "event": <event type>, "nth": <from 1> } or { "idle": <from 1> }' },
);

const ACTIONS = [
  "prompt",
  "continue",
  "steer",
  "followUp",
  "abort",
  "clearSteering",
  "clearFollowUp",
  "clearAll",
  "steeringMode",
  "followUpMode",
  "reset",
  "throw",
] as const;

/** What the embedding program does, and when. */
export const StepSchema = closed({
  when: WhenSchema,
  do: Type.Enum([...ACTIONS]),
  text: Type.Optional(Type.String()),
  mode: Type.Optional(queueMode()),
});

const HooksSchema = closed({
  /** By call id. */
  beforeToolCall: Type.Optional(
    Type.Record(
      anyName(),
      closed({
        block: Type.Optional(Type.Boolean()),
        reason: Type.Optional(Type.String()),
        terminate: Type.Optional(Type.Boolean()),
        throws: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** By call id. */
  afterToolCall: Type.Optional(
    Type.Record(
      anyName(),
      closed({
        text: Type.Optional(Type.String()),
        isError: Type.Optional(Type.Boolean()),
        terminate: Type.Optional(Type.Boolean()),
        throws: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** By how often the hook has been called in the agent's life, from 1. */
  finishTurn: Type.Optional(
    Type.Record(Type.String({ pattern: "^[1-9][0-9]*$" }), Type.Enum(["end", "continue"]), {
      additionalProperties: false,
      description: "a turn number from 1",
    }),
  ),
});

/** A lifecycle scenario: a scripted model, scripted tools and a scripted host. */
export const ScenarioSchema = closed({
  name: Type.String(),
  about: Type.Optional(Type.String()),
  queue: Type.Optional(closed({ steering: Type.Optional(queueMode()), followUp: Type.Optional(queueMode()) })),
  toolExecution: Type.Optional(executionMode()),
  /** Default: one tool, `work`. */
  tools: Type.Optional(Type.Array(closed({ name: Type.String(), execution: Type.Optional(executionMode()) }))),
  /** The k-th model call gets the k-th reply; past the end it gets `(script exhausted)`. */
  model: Type.Array(ReplySchema),
  hooks: Type.Optional(HooksSchema),
  host: Type.Array(StepSchema),
});

export type Call = Static<typeof CallSchema>;
export type Reply = Static<typeof ReplySchema>;
export type Step = Static<typeof StepSchema>;
export type Hooks = Static<typeof HooksSchema>;
export type Scenario = Static<typeof ScenarioSchema>;
