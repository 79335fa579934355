import fc from "fast-check";
import { LIFECYCLE_EVENTS } from "../../src/testing/lifecycle-events.ts";
import { hooks, polls } from "./arbitrary-hooks.ts";
import {
  catalogue,
  executionMode,
  extras,
  inputMessage,
  modelIndex,
  queueMode,
  sometimes,
  thinkingLevel,
  ticks,
  toolIndices,
  transcriptMessage,
  weighted,
  withOptional,
} from "./arbitrary-parts.ts";
import { loneCall, replies } from "./arbitrary-replies.ts";
import { loopSteps, steps } from "./arbitrary-steps.ts";
import type { Features } from "./features.ts";
import type {
  AgentScript,
  ListenerSpec,
  LoopProgram,
  MessageSpec,
  Program,
  Reply,
  ToolCallProgram,
} from "./program.ts";

/** Programs for both sides of the comparison. */
export function programs(features: Features): fc.Arbitrary<Program> {
  return fc.oneof(
    { weight: features.agents ? 16 : 0, arbitrary: agents(features) },
    { weight: features.loops ? 5 : 0, arbitrary: loop(features) },
    { weight: features.toolCalls ? 1 : 0, arbitrary: toolCall(features) },
  );
}

function agents(features: Features): fc.Arbitrary<Program> {
  const one = agentScript(features);
  // An array shrinks to either of its two, a tuple could only lose the second.
  const upToTwo = fc.array(one, { minLength: 1, maxLength: 2, size: "max" });
  return fc
    .oneof({ weight: 6, arbitrary: fc.tuple(one) }, { weight: features.pairs ? 2 : 0, arbitrary: upToTwo })
    .map((scripts): Program => ({ kind: "agents", agents: scripts }));
}

function agentScript(features: Features): fc.Arbitrary<AgentScript> {
  const initial = withOptional(
    { tools: weighted([8, [0, 1, 2]], [1, [0]], [1, []], [1, [0, 1, 3]], [1, [0, 0, 4]]) },
    {
      systemPrompt: fc.constantFrom("Be brief.", ""),
      messages: fc.oneof(
        { weight: 3, arbitrary: fc.constant<MessageSpec[]>([]) },
        { weight: 2, arbitrary: transcript },
      ),
      model: modelIndex,
      thinking: thinkingLevel,
    },
    45,
  );
  const listeners = fc.array(listener(features), { minLength: 1, maxLength: 3, size: "max" });
  const subscribed = weighted([6, [0]], [3, [0, 1]], [1, [0, 1, 2]], [1, [1, 0]], [1, [0, 0, 1]], [1, []]);
  return withOptional(
    {
      catalogue: catalogue(features),
      replies: replies(features),
      hooks: hooks(features),
      initial,
      listeners,
      subscribed,
      steps: steps(features),
    },
    { steeringMode: queueMode, followUpMode: queueMode, toolExecution: executionMode, extras },
    40,
  );
}

const transcript = fc.array(transcriptMessage, { minLength: 1, maxLength: 3 });

function listener(features: Features): fc.Arbitrary<ListenerSpec> {
  const quick = fc.constant({ sleeps: {} });
  if (!features.slowListeners) return quick;
  const slow = fc.dictionary(fc.constantFrom(...LIFECYCLE_EVENTS), ticks, { minKeys: 1, maxKeys: 4 });
  return fc.oneof({ weight: 3, arbitrary: quick }, { weight: 2, arbitrary: slow.map((sleeps) => ({ sleeps })) });
}

function loop(features: Features): fc.Arbitrary<Program> {
  return fc
    .constantFrom<LoopProgram["run"][]>("runAgentLoop", "runAgentLoopContinue", "agentLoop", "agentLoopContinue")
    .chain((run) => {
      const streams = run === "agentLoop" || run === "agentLoopContinue";
      const fit = streams ? readFromAfar(features) : features;
      const script = streams ? replies(fit).map((list) => list.map(withoutSharedObject)) : replies(fit);
      return withOptional(
        {
          kind: fc.constant("loop" as const),
          run: fc.constant(run),
          catalogue: catalogue(fit),
          replies: script,
          hooks: fc.tuple(hooks(fit), polls(fit)).map(([most, polling]) => ({ ...most, ...polling })),
          prompts: fc.array(inputMessage, { maxLength: 2 }),
          context: withOptional({ messages: contextMessages(run) }, { tools: toolIndices }, 80),
          model: modelIndex,
          signal: sometimes(85),
          emit: listener(features),
          steps: loopSteps(fit, !streams),
        },
        { toolExecution: executionMode, thinking: thinkingLevel, apiKey: fc.constant("key-0"), extras },
        40,
      );
    });
}

/** A continuation is refused without messages and after an assistant's; mostly it should not be. */
function contextMessages(run: LoopProgram["run"]): fc.Arbitrary<LoopProgram["context"]["messages"]> {
  if (run === "runAgentLoop" || run === "agentLoop") return fc.array(transcriptMessage, { maxLength: 3 });
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.array(transcriptMessage, { maxLength: 2 }), inputMessage).map(([a, b]) => [...a, b]),
    },
    { weight: 1, arbitrary: fc.array(transcriptMessage, { maxLength: 3 }) },
  );
}

/** The reader of a stream may lag behind the loop, so nothing that it reads may change in the meantime. */
function readFromAfar(features: Features): Features {
  return { ...features, edits: false, faults: features.faults && features.streamFaults };
}

function withoutSharedObject(reply: Reply): Reply {
  return reply.stream === "mutated" ? { ...reply, stream: "fresh" } : reply;
}

function toolCall(features: Features): fc.Arbitrary<Program> {
  return hooks(features).chain(({ beforeToolCall, afterToolCall }) =>
    fc.record<ToolCallProgram>({
      kind: fc.constant("toolCall"),
      catalogue: catalogue(features),
      replies: fc.constant([]),
      hooks: fc.constant({
        ...(beforeToolCall ? { beforeToolCall } : {}),
        ...(afterToolCall ? { afterToolCall } : {}),
      }),
      call: loneCall(features),
      tools: weighted([6, [0, 1, 2]], [1, [3]]),
      signal: sometimes(85),
      onUpdate: sometimes(70),
      steps: loopSteps(features, false),
    }),
  );
}
