import fc from "fast-check";
import {
  inputMessage,
  modelIndex,
  thinkingLevel,
  thrown,
  ticks,
  toolIndices,
  weighted,
  withOptional,
} from "./arbitrary-parts.ts";
import type { Features } from "./features.ts";
import type { AfterToolCallSpec, HookAct, HookScripts, MessageSpec, TurnUpdate } from "./program.ts";

const flag = fc.boolean();

const before = withOptional(
  {},
  { block: flag, reason: fc.constantFrom("not allowed", ""), terminate: flag, editArgs: flag },
  45,
) as fc.Arbitrary<{ block?: boolean; reason?: string; terminate?: boolean; editArgs?: boolean }>;

const after = withOptional(
  {},
  {
    text: fc.constant("replaced"),
    isError: flag,
    terminate: flag,
    details: fc.constant("d"),
    structured: flag,
    usage: flag,
  },
  40,
) as fc.Arbitrary<AfterToolCallSpec>;

const requestUpdate: fc.Arbitrary<TurnUpdate> = withOptional<object, TurnUpdate>(
  {},
  {
    context: withOptional(
      { messages: fc.constantFrom("same", "copy", "dropFirst", "dropLast", "note", "systemOnly") },
      {
        tools: fc.oneof({ weight: 4, arbitrary: toolIndices }, { weight: 1, arbitrary: fc.constant("none" as const) }),
      },
      50,
    ) as fc.Arbitrary<NonNullable<TurnUpdate["context"]>>,
    model: modelIndex,
    thinking: thinkingLevel,
  },
  50,
);
const someMessages: fc.Arbitrary<MessageSpec[]> = fc.array(inputMessage, { maxLength: 2 });
const turnUpdate: fc.Arbitrary<TurnUpdate> = fc
  .tuple(requestUpdate, fc.option(someMessages, { nil: undefined }))
  .map(([update, messages]) => (messages === undefined ? update : { ...update, messages }));

/** The hooks of a script: each is set in about a third of all scripts. */
export function hooks(features: Features): fc.Arbitrary<HookScripts> {
  const act = acts(features);
  const mostly = <Value>(value: fc.Arbitrary<Value>) => act(value, 50);
  const next = withOptional<object, HookScripts>(
    {},
    { prepareNextTurn: mostly(turnUpdate), prepareNextTurnWithContext: mostly(turnUpdate) },
    35,
  );
  const others = withOptional<object, HookScripts>(
    {},
    {
      beforeToolCall: act(before, 60),
      afterToolCall: mostly(after),
      finishTurn: act(weighted<"end" | "continue" | "unknown">([2, "end"], [6, "continue"], [1, "unknown"]), 35),
      prepareRequest: mostly(requestUpdate),
      transformContext: mostly(fc.constantFrom("copy" as const, "dropFirst" as const, "note" as const)),
      convertToLlm: mostly(fc.constantFrom("customAsUser" as const, "dropSystem" as const, "lastOnly" as const)),
      getApiKey: mostly(fc.constantFrom("key-1", "")),
    },
    25,
  );
  return fc.tuple(next, others).map(([first, rest]) => ({ ...first, ...rest }));
}

/** The polls of a raw loop: what they return is the script's, so they are set more often. */
export function polls(
  features: Features,
): fc.Arbitrary<Pick<HookScripts, "getSteeringMessages" | "getFollowUpMessages">> {
  const poll = acts(features)(someMessages, 60);
  return withOptional<object, HookScripts>({}, { getSteeringMessages: poll, getFollowUpMessages: poll }, 65);
}

function acts(
  features: Features,
): <Value>(value: fc.Arbitrary<Value>, percent: number) => fc.Arbitrary<HookAct<Value>[]> {
  return (value, percent) => {
    const shared = { sync: flag, sleep: ticks };
    const act = fc.oneof(
      { weight: 100 - percent, arbitrary: withOptional({}, shared, 30) },
      { weight: percent, arbitrary: withOptional({ value }, shared, 30) },
      { weight: features.faults ? 3 : 0, arbitrary: withOptional({ throws: thrown }, shared, 40) },
    );
    return fc.array(act, { minLength: 1, maxLength: 5, size: "max" }) as fc.Arbitrary<never>;
  };
}
