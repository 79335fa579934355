import fc from "fast-check";
import { LIFECYCLE_EVENTS } from "../../../src/testing/lifecycle-events.ts";
import type { Call, Hooks, Reply, Scenario, Step } from "../../../src/testing/scenario.ts";

/** What a hook does the n-th time that it is asked. */
export type HookAct = "nothing" | "throw" | "abort" | "messages";

/** A scenario, and hooks that scenarios do not have. */
export interface AgentProgram {
  readonly scenario: Scenario;
  readonly prepareNextTurn: readonly HookAct[];
  readonly prepareRequest: readonly HookAct[];
}

const CALL_IDS = ["c1", "c2", "c3", "c4"] as const;
const few = fc.nat(2);
const mode = fc.constantFrom("one-at-a-time", "all");
const callId = fc.constantFrom(...CALL_IDS);

const call: fc.Arbitrary<Call> = optional(
  { id: callId, tool: fc.constantFrom("work", "work", "work", "alone", "missing") },
  {
    takes: fc.nat(3),
    updates: few,
    isError: fc.constant(true),
    throws: fc.constant("tool broke"),
    terminate: fc.constant(true),
    honorsAbort: fc.constant(true),
  },
);

const reply: fc.Arbitrary<Reply> = fc.oneof(
  {
    weight: 12,
    arbitrary: optional({ calls: fc.array(call, { minLength: 1, maxLength: 3 }) }, { chunks: few, takes: few }),
  },
  { weight: 6, arbitrary: optional({ text: fc.constant("said") }, { chunks: few, takes: few }) },
  {
    weight: 2,
    arbitrary: fc.record({
      text: fc.constant("cut"),
      chunks: few,
      calls: fc.array(call, { maxLength: 2 }),
      stop: fc.constantFrom("length", "error", "aborted", "deferred"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ throws: "stream broke" }) },
);

const hooks: fc.Arbitrary<Hooks> = fc.record({
  beforeToolCall: fc.dictionary(
    callId,
    fc.constantFrom({ block: true }, { block: true, terminate: true }, { throws: "before broke" }, {}),
    { maxKeys: 2 },
  ),
  afterToolCall: fc.dictionary(
    callId,
    fc.constantFrom({ terminate: true }, { isError: true }, { throws: "after broke" }),
    { maxKeys: 2 },
  ),
  finishTurn: fc.dictionary(fc.constantFrom("1", "2", "3", "4"), fc.constantFrom("end", "continue"), { maxKeys: 2 }),
});

const later: fc.Arbitrary<Step> = fc.record({
  when: fc.record({ idle: fc.integer({ min: 1, max: 2 }) }),
  do: fc.constantFrom("prompt", "continue", "steer", "followUp", "reset"),
  text: fc.constantFrom("u", "v"),
});

const duringEvents: fc.Arbitrary<Step> = fc.record({
  when: fc.record({ event: fc.constantFrom(...LIFECYCLE_EVENTS), nth: fc.integer({ min: 1, max: 6 }) }),
  do: fc.constantFrom(
    ...(["steer", "steer", "steer", "followUp", "followUp", "abort", "abort", "prompt", "continue", "throw"] as const),
    ...(["clearSteering", "clearFollowUp", "clearAll", "steeringMode", "followUpMode", "reset"] as const),
  ),
  text: fc.constantFrom("x", "y", "z"),
  mode,
});

const step = fc.oneof({ weight: 4, arbitrary: duringEvents }, { weight: 1, arbitrary: later });

const acts = (...known: readonly HookAct[]) => {
  const rare = { weight: 1, arbitrary: fc.constantFrom(...known) };
  return fc.array(fc.oneof({ weight: 5, arbitrary: fc.constant<HookAct>("nothing") }, rare), { maxLength: 6 });
};

/** Random scripts of model, tools, hooks and host: also with listeners, hooks, tools and streams that throw. */
export const agentProgramArb: fc.Arbitrary<AgentProgram> = fc.record({
  scenario: fc.record({
    name: fc.constant("random"),
    queue: fc.record({ steering: mode, followUp: mode }),
    toolExecution: fc.constantFrom("parallel", "parallel", "sequential"),
    tools: fc.constant([{ name: "work" }, { name: "alone", execution: "sequential" as const }]),
    model: fc.array(reply, { minLength: 2, maxLength: 8 }),
    hooks,
    host: fc
      .array(step, { maxLength: 12, size: "max" })
      .map((steps): Step[] => [{ when: "start", do: "prompt", text: "go" }, ...steps]),
  }),
  prepareNextTurn: acts("throw", "abort", "messages"),
  prepareRequest: acts("throw", "abort"),
});

/** A record whose optional keys are mostly absent. */
function optional<R extends object, O extends object>(
  required: { [K in keyof R]: fc.Arbitrary<R[K]> },
  rare: { [K in keyof O]: fc.Arbitrary<O[K]> },
): fc.Arbitrary<R & Partial<O>> {
  const maybe = Object.entries<fc.Arbitrary<unknown>>(rare).map(([key, arbitrary]) =>
    fc.option(arbitrary, { freq: 3 }).map((value) => (value === null ? {} : { [key]: value })),
  );
  const rest = fc.tuple(
    ...maybe.map((one) => fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: one })),
  );
  return fc.tuple(fc.record(required), rest).map(([base, some]) => Object.assign({}, base, ...some));
}
