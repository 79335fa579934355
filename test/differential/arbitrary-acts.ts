import fc from "fast-check";
import {
  executionMode,
  inputMessage,
  modelIndex,
  queueMode,
  sometimes,
  thinkingLevel,
  toolIndex,
  toolIndices,
  transcriptMessage,
  withOptional,
} from "./arbitrary-parts.ts";
import type { Features } from "./features.ts";
import type { Act, PromptInput, SettableHook } from "./program.ts";

export type Weighted = { weight: number; arbitrary: fc.Arbitrary<Act> };

const HOOKS: readonly SettableHook[] = [
  "beforeToolCall",
  "afterToolCall",
  "finishTurn",
  "prepareNextTurn",
  "prepareNextTurnWithContext",
  "prepareRequest",
  "transformContext",
  "getApiKey",
];

/** The act that has nothing but a name. */
export function only<Name extends Act["do"]>(name: Name): fc.Arbitrary<{ do: Name }> {
  return fc.constant({ do: name });
}

const promptInput: fc.Arbitrary<PromptInput> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ text: fc.constantFrom("hello", "") }) },
  { weight: 1, arbitrary: fc.record({ text: fc.constant("look"), images: fc.nat({ max: 2 }) }) },
  { weight: 4, arbitrary: fc.record({ message: inputMessage }) },
  { weight: 3, arbitrary: fc.record({ messages: fc.array(inputMessage, { maxLength: 3 }) }) },
);
const steer = withOptional({ do: fc.constant("steer" as const), message: inputMessage }, { twice: sometimes(60) }, 40);
const followUp = withOptional(
  { do: fc.constant("followUp" as const), message: inputMessage },
  { twice: sometimes(60) },
  40,
);

/** Acts of which a run may see many. */
export function smallActs(features: Features): Weighted[] {
  const inPlace = features.edits ? 1 : 0;
  return [
    { weight: 16, arbitrary: steer },
    { weight: 12, arbitrary: followUp },
    { weight: 2, arbitrary: only("clearSteering") },
    { weight: 2, arbitrary: only("clearFollowUp") },
    { weight: 2, arbitrary: only("clearAll") },
    { weight: 2, arbitrary: only("reset") },
    { weight: 2, arbitrary: only("peek") },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("steeringMode" as const), mode: queueMode }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("followUpMode" as const), mode: queueMode }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("toolExecution" as const), mode: executionMode }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("setTools" as const), tools: toolIndices }) },
    {
      weight: 3,
      arbitrary: withOptional(
        {
          do: fc.constant("setMessages" as const),
          edit: fc.constantFrom("empty", "copy", "dropFirst", "dropLast", "systemOnly"),
        },
        { add: fc.array(transcriptMessage, { maxLength: 2 }) },
        60,
      ) as fc.Arbitrary<Act>,
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("setModel" as const), model: modelIndex }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("setThinking" as const), level: thinkingLevel }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("setHook" as const), hook: fc.constantFrom(...HOOKS), on: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("setSessionId" as const), id: fc.constant("s-2") }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("subscribe" as const), listener: fc.nat({ max: 2 }) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("unsubscribe" as const), listener: fc.nat({ max: 2 }) }) },
    { weight: 3 * inPlace, arbitrary: only("editMessage") },
    {
      weight: 2 * inPlace,
      arbitrary: fc.record({ do: fc.constant("pushMessage" as const), message: transcriptMessage }),
    },
    { weight: inPlace, arbitrary: fc.record({ do: fc.constant("pushTool" as const), tool: toolIndex }) },
  ];
}

/** Acts with a promise. What follows it is one of the small ones, or another run. */
export function runActs(features: Features): { prompts: Weighted; continues: Weighted; waits: Weighted } {
  const next = fc.oneof(
    ...smallActs(features),
    { weight: 10, arbitrary: only("continue") as fc.Arbitrary<Act> },
    {
      weight: 10,
      arbitrary: fc.record({ do: fc.constant("prompt" as const), input: promptInput }) as fc.Arbitrary<Act>,
    },
  );
  const after = { after: fc.array(next, { minLength: 1, maxLength: 2 }) };
  return {
    prompts: {
      weight: 5,
      arbitrary: withOptional({ do: fc.constant("prompt" as const), input: promptInput }, after, 15),
    },
    continues: { weight: 3, arbitrary: withOptional({ do: fc.constant("continue" as const) }, after, 15) },
    waits: { weight: 2, arbitrary: withOptional({ do: fc.constant("waitForIdle" as const) }, after, 40) },
  };
}
