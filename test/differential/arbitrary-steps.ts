import type { AgentEvent } from "@earendil-works/pi-agent-core";
import fc from "fast-check";
import { only, runActs, smallActs } from "./arbitrary-acts.ts";
import { transcriptMessage, weighted } from "./arbitrary-parts.ts";
import type { Features } from "./features.ts";
import type { LoopStep, Point, Step, Trigger } from "./program.ts";

const EVENTS: [number, AgentEvent["type"]][] = [
  [1, "agent_start"],
  [4, "turn_start"],
  [4, "message_start"],
  [3, "message_update"],
  [5, "message_end"],
  [3, "tool_execution_start"],
  [2, "tool_execution_update"],
  [4, "tool_execution_end"],
  [6, "turn_end"],
  [4, "agent_end"],
];
const POINTS: [number, Point][] = [
  [3, "request"],
  [2, "chunk"],
  [4, "tool"],
  [2, "toolEnd"],
  [2, "beforeToolCall"],
  [2, "afterToolCall"],
  [2, "finishTurn"],
  [6, "prepareNextTurn"],
  [6, "prepareNextTurnWithContext"],
  [2, "prepareRequest"],
  [1, "transformContext"],
  [1, "convertToLlm"],
  [1, "getApiKey"],
];
/** Hooks are called less often than listeners. */
const early = weighted([6, 1], [3, 2], [2, 3], [1, 4]);
const nth = weighted([5, 1], [4, 2], [3, 3], [2, 4], [1, 6]);

function trigger(): fc.Arbitrary<Trigger> {
  const listener = weighted([6, 0], [1, 1], [1, 2]);
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ on: weighted(...EVENTS), nth, listener }) },
    { weight: 4, arbitrary: fc.record({ on: weighted(...POINTS), nth: early }) },
    {
      weight: 2,
      arbitrary: fc.record({ tick: fc.integer({ min: 1, max: 9 }), phase: weighted([3, 0], [1, 1], [1, 2]) }),
    },
  );
}

/** What the host does: a few phases that each start something, and steps that come in between. */
export function steps(features: Features): fc.Arbitrary<Step[]> {
  const { prompts, continues, waits } = runActs(features);
  const small = smallActs(features);
  const abort = (weight: number) => ({ weight, arbitrary: only("abort") });
  const between: fc.Arbitrary<Step> = fc.record({
    when: trigger(),
    act: fc.oneof(...small, abort(11), prompts, continues, waits),
  });
  const phase = fc.tuple(
    fc.array(fc.oneof(...small, abort(1)), { maxLength: 2 }),
    fc.oneof({ ...prompts, weight: 6 }, { ...continues, weight: 4 }, { ...waits, weight: 1 }),
    fc.array(fc.oneof(...small, abort(2), prompts), { maxLength: 2 }),
  );
  const first = fc.tuple(
    fc.array(fc.oneof(...small), { maxLength: 1 }),
    fc.oneof({ ...prompts, weight: 9 }, { ...continues, weight: 1 }),
    fc.array(fc.oneof(...small, abort(1), prompts), { maxLength: 2 }),
  );
  return fc
    .tuple(first, fc.array(phase, { maxLength: 3 }), fc.array(between, { maxLength: 14, size: "max" }))
    .map(([start, rest, middle]) => [
      ...[start, ...rest].flatMap(([pre, main, post], idle) =>
        [...pre, main, ...post].map((act) => ({ when: { idle }, act })),
      ),
      ...middle,
    ]);
}

/** What the host of a stateless function does while it runs. Listening to a stream decides nothing: it may lag. */
export function loopSteps(features: Features, listens: boolean): fc.Arbitrary<LoopStep[]> {
  const when: fc.Arbitrary<Trigger> = fc.oneof(
    { weight: listens ? 5 : 0, arbitrary: fc.record({ on: weighted(...EVENTS), nth }) },
    { weight: 4, arbitrary: fc.record({ on: weighted(...POINTS), nth }) },
    { weight: 2, arbitrary: fc.record({ tick: fc.integer({ min: 1, max: 9 }), phase: fc.constant(0) }) },
    { weight: 1, arbitrary: fc.record({ idle: fc.constant(0) }) },
  );
  const act = fc.oneof(
    { weight: 3, arbitrary: only("abort") },
    {
      weight: features.edits ? 1 : 0,
      arbitrary: fc.record({ do: fc.constant("pushMessage" as const), message: transcriptMessage }),
    },
  );
  return fc.array(fc.record({ when, act }), { maxLength: 3 });
}
