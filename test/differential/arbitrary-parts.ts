import type { QueueMode, ThinkingLevel, ToolExecutionMode } from "@earendil-works/pi-agent-core";
import fc from "fast-check";
import type { Features } from "./features.ts";
import { THINKING_LEVELS } from "./messages.ts";
import type { Extras, MessageSpec, Thrown, ToolSpec } from "./program.ts";
import type { PrepareName, SchemaName } from "./tool-catalogue.ts";

/** Names of tools that a catalogue may define; `ghost` is never defined. */
export const TOOL_NAMES = ["work", "read", "edit"] as const;

/** One of the values, with how often each comes. Shrinks to the first. */
export function weighted<Value>(...choices: readonly (readonly [weight: number, value: Value])[]): fc.Arbitrary<Value> {
  const arbitraries = choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) }));
  return fc.oneof({ withCrossShrink: true }, ...arbitraries);
}

/** True in `percent` of 100. */
export function sometimes(percent: number): fc.Arbitrary<boolean> {
  return weighted([100 - percent, false], [percent, true]);
}

/** The fields of `required`, and each field of `optional` in `percent` of 100. Shrinks to fewer fields. */
export function withOptional<Required extends object, Optional extends object>(
  required: { [Key in keyof Required]: fc.Arbitrary<Required[Key]> },
  optional: { [Key in keyof Optional]: fc.Arbitrary<NonNullable<Optional[Key]>> },
  percent: number,
): fc.Arbitrary<Required & Partial<Optional>> {
  const maybe = Object.entries<fc.Arbitrary<unknown>>(optional).map(([key, value]) =>
    fc.oneof(
      { withCrossShrink: true },
      { weight: 100 - percent, arbitrary: fc.constant([]) },
      { weight: percent, arbitrary: value.map((present) => [[key, present]]) },
    ),
  );
  return fc
    .tuple(fc.record(required), ...maybe)
    .map(
      ([always, ...fields]) => ({ ...always, ...Object.fromEntries(fields.flat()) }) as Required & Partial<Optional>,
    );
}

export const toolIndex = fc.nat({ max: 4 });
export const toolIndices = fc.array(toolIndex, { maxLength: 3 });
export const modelIndex = fc.nat({ max: 2 });
export const thinkingLevel: fc.Arbitrary<ThinkingLevel> = fc.constantFrom(...THINKING_LEVELS);
export const executionMode: fc.Arbitrary<ToolExecutionMode> = fc.constantFrom("parallel", "sequential");
export const queueMode = weighted<QueueMode>([1, "one-at-a-time"], [2, "all"]);
export const ticks = weighted([3, 0], [3, 1], [2, 2], [1, 3]);
const words = fc.constantFrom("hi", "go on", "stop that", "and then", "");

export const thrown: fc.Arbitrary<Thrown> = fc.record({
  as: weighted<Thrown["as"]>([6, "error"], [2, "string"], [1, "object"]),
  text: fc.constantFrom("broken", "down", ""),
});

const sections = fc.dictionary(fc.constantFrom("rules", "style"), fc.option(fc.constantFrom("<a>", "<b>")), {
  maxKeys: 2,
});
const toolNames = fc.array(fc.constantFrom(...TOOL_NAMES, "ghost"), { minLength: 1, maxLength: 2 });

const userMessage: fc.Arbitrary<MessageSpec> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ role: fc.constant("user" as const), text: words }) },
  {
    weight: 1,
    arbitrary: fc.record({ role: fc.constant("user" as const), text: words, images: fc.integer({ min: 1, max: 2 }) }),
  },
  { weight: 1, arbitrary: fc.record({ role: fc.constant("user" as const), text: words, plain: fc.constant(true) }) },
);
const customMessage: fc.Arbitrary<MessageSpec> = fc.record({ role: fc.constant("custom" as const), text: words });
const systemMessage: fc.Arbitrary<MessageSpec> = withOptional(
  { role: fc.constant("system" as const), text: words },
  { sections, toolsAdded: fc.array(toolIndex, { maxLength: 2 }), toolsRemoved: toolNames },
  50,
);

/** A message that a host may prompt with or queue. */
export const inputMessage: fc.Arbitrary<MessageSpec> = fc.oneof(
  { weight: 8, arbitrary: userMessage },
  { weight: 2, arbitrary: customMessage },
  { weight: 2, arbitrary: systemMessage },
);

/** A message that a host may put into a transcript. */
export const transcriptMessage: fc.Arbitrary<MessageSpec> = fc.oneof(
  { weight: 3, arbitrary: inputMessage },
  {
    weight: 2,
    arbitrary: withOptional(
      {
        role: fc.constant("assistant" as const),
        text: words,
        stop: fc.constantFrom("stop", "toolUse", "error", "aborted"),
      },
      { call: fc.constantFrom("old1", "old2") },
      40,
    ) as fc.Arbitrary<MessageSpec>,
  },
  {
    weight: 1,
    arbitrary: fc.record({ role: fc.constant("toolResult" as const), id: fc.constant("old1"), text: words }),
  },
);

/** Every name at least once; then other definitions of them, or of names of their own. */
export function catalogue(features: Features): fc.Arbitrary<ToolSpec[]> {
  const named = (name: string) => toolSpec(features).map((spec) => ({ ...spec, name }));
  const others = ["list", "find"].map((name) => (features.doubles ? toolSpec(features) : named(name)));
  return fc.tuple(...TOOL_NAMES.map(named), ...others);
}

function toolSpec(features: Features): fc.Arbitrary<ToolSpec> {
  return fc
    .tuple(
      fc.record({
        name: fc.constantFrom<string[]>(...TOOL_NAMES),
        description: fc.constantFrom("does it", "does it well"),
      }),
      weighted<SchemaName>([8, "open"], [1, "closed"], [1, "typed"], [1, "nested"], [1, "formatted"]),
      weighted<PrepareName | undefined>(
        ...([
          [14, undefined],
          [1, "same"],
          [1, "wrap"],
          [1, "throws"],
          [features.edits ? 1 : 0, "edit"],
        ] as const),
      ),
      weighted<ToolExecutionMode | undefined>([9, undefined], [1, "sequential"], [1, "parallel"]),
    )
    .map(([named, schema, prepare, execution]) => ({
      ...named,
      schema,
      ...(prepare ? { prepare } : {}),
      ...(execution ? { execution } : {}),
    }));
}

export const extras: fc.Arbitrary<Extras> = withOptional<object, Extras>(
  {},
  {
    sessionId: fc.constant("s-1"),
    maxRetryDelayMs: fc.constant(250),
    transport: fc.constantFrom("sse", "auto"),
    thinkingBudgets: fc.constant({ low: 100 }),
    identity: fc.constantFrom({ attribution: null }, { version: "9.9.9" }),
    callbacks: fc.constant(true),
  },
  50,
);
