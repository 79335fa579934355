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
import type {
  AfterToolCallSpec,
  BeforeToolCallSpec,
  HookAct,
  HookScripts,
  MessageSpec,
  TurnUpdate,
} from "./program.ts";

const flag = fc.boolean();

function before({ edits }: Features): fc.Arbitrary<BeforeToolCallSpec> {
  return withOptional<object, BeforeToolCallSpec>(
    {},
    {
      block: flag,
      reason: fc.constantFrom("not allowed", ""),
      terminate: flag,
      edit: weighted([2, "args"], [edits ? 1 : 0, "raw"]),
    },
    45,
  );
}

function after({ edits }: Features): fc.Arbitrary<AfterToolCallSpec> {
  return withOptional<object, AfterToolCallSpec>(
    {},
    {
      text: fc.constant("replaced"),
      isError: flag,
      terminate: flag,
      details: fc.constant("d"),
      structured: flag,
      usage: flag,
      edit: fc.constant(edits),
    },
    40,
  );
}

function requestUpdate({ edits }: Features): fc.Arbitrary<TurnUpdate> {
  const kept = ["same", "copy", "dropFirst", "dropLast", "note", "systemOnly"] as const;
  const context = withOptional(
    { messages: fc.constantFrom(...kept, ...(edits ? (["push"] as const) : [])) },
    { tools: fc.oneof({ weight: 4, arbitrary: toolIndices }, { weight: 1, arbitrary: fc.constant("none" as const) }) },
    50,
  ) as fc.Arbitrary<NonNullable<TurnUpdate["context"]>>;
  return withOptional<object, TurnUpdate>({}, { context, model: modelIndex, thinking: thinkingLevel }, 50);
}

const someMessages: fc.Arbitrary<MessageSpec[]> = fc.array(inputMessage, { maxLength: 2 });

function turnUpdate(features: Features): fc.Arbitrary<TurnUpdate> {
  return fc
    .tuple(requestUpdate(features), fc.option(someMessages, { nil: undefined }))
    .map(([update, messages]) => (messages === undefined ? update : { ...update, messages }));
}

/** The hooks of a script: each is set in about a third of all scripts. */
export function hooks(features: Features): fc.Arbitrary<HookScripts> {
  const act = acts(features);
  const mostly = <Value>(value: fc.Arbitrary<Value>) => act(value, 50);
  const next = withOptional<object, HookScripts>(
    {},
    { prepareNextTurn: mostly(turnUpdate(features)), prepareNextTurnWithContext: mostly(turnUpdate(features)) },
    35,
  );
  const others = withOptional<object, HookScripts>(
    {},
    {
      beforeToolCall: act(before(features), 60),
      afterToolCall: mostly(after(features)),
      finishTurn: act(weighted<"end" | "continue" | "unknown">([2, "end"], [6, "continue"], [1, "unknown"]), 35),
      prepareRequest: mostly(requestUpdate(features)),
      transformContext: mostly(weighted([1, "copy"], [1, "dropFirst"], [1, "note"], [features.edits ? 1 : 0, "push"])),
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
