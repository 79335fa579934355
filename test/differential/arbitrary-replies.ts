import type { StopReason } from "@earendil-works/pi-ai";
import fc from "fast-check";
import { sometimes, TOOL_NAMES, thrown, ticks, weighted, withOptional } from "./arbitrary-parts.ts";
import type { Features } from "./features.ts";
import type { Block, Call, Reply } from "./program.ts";
import { ARGUMENTS } from "./tool-catalogue.ts";

type CallDraft = Omit<Call, "id"> & { repeatsId: boolean };
type BlockDraft = Exclude<Block, { type: "call" }> | { type: "call"; call: CallDraft; chunks: number };
type ReplyDraft = Omit<Reply, "blocks"> & { blocks: BlockDraft[] };

const chunks = weighted([3, 1], [2, 2], [1, 0], [1, 3]);

/** The replies of a script: most of them call tools, so that most runs have several turns. */
export function replies(features: Features): fc.Arbitrary<Reply[]> {
  return fc
    .array(reply(features), { minLength: 1, maxLength: 9, size: "max" })
    .map((drafts) => numberCalls(drafts, features));
}

/** One tool call outside of any reply. */
export function loneCall(features: Features): fc.Arbitrary<Call> {
  return callDraft(features).map(({ repeatsId: _repeats, ...rest }) => ({ ...rest, id: "c1" }));
}

function reply(features: Features): fc.Arbitrary<ReplyDraft> {
  return fc
    .tuple(blocks(features), manner(features), fc.nat({ max: 99 }))
    .map(([content, how, roll]) => ({ ...how, blocks: content, ...stopping(content, roll) }));
}

/** Mostly the natural stop; sometimes one that does not fit the content. */
function stopping(content: BlockDraft[], roll: number): { stop?: StopReason; error?: string } {
  const calls = content.some((block) => block.type === "call");
  if (roll < 89) return {};
  if (roll < 91) return { stop: "error", error: "overloaded" };
  if (roll < 92) return { stop: calls ? "error" : "aborted" };
  if (roll < 95) return { stop: "length" };
  if (roll < 97) return { stop: "deferred" };
  if (roll < 98) return { error: "a warning" };
  return { stop: calls ? "stop" : "toolUse" };
}

function blocks(features: Features): fc.Arbitrary<BlockDraft[]> {
  const text = fc.record({ type: fc.constant("text" as const), text: fc.constantFrom("ok", "done", ""), chunks });
  const thinking = fc.record({ type: fc.constant("thinking" as const), text: fc.constant("hm"), chunks });
  const call = fc.record({ type: fc.constant("call" as const), call: callDraft(features), chunks });
  const said = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: thinking });
  const calls = fc.array(call, { minLength: 1, maxLength: 4, size: "max" });
  return fc.oneof(
    { weight: 4, arbitrary: calls },
    { weight: 3, arbitrary: fc.tuple(said, calls).map(([first, rest]) => [first, ...rest]) },
    { weight: 4, arbitrary: fc.array(said, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constant<BlockDraft[]>([]) },
  );
}

function manner(features: Features): fc.Arbitrary<Omit<ReplyDraft, "blocks">> {
  const fault = features.faults ? 1 : 0;
  const entry = fc.oneof(
    { weight: 50, arbitrary: fc.constant(undefined) },
    { weight: 5, arbitrary: fc.record({ async: fc.constant(true as const), after: ticks }) },
    {
      weight: fault,
      arbitrary: withOptional({ fails: thrown }, { async: fc.constant(true as const), after: ticks }, 50),
    },
  );
  return fc
    .record({
      takes: ticks,
      stream: weighted<Reply["stream"]>([4, "none"], [3, "fresh"], [3, "mutated"], [1, "headless"]),
      end: weighted<Reply["end"]>(
        ...([
          [60, "done"],
          [6, "end"],
          [2, "mismatch"],
          [2, "trailing"],
        ] as const),
        ...([
          [fault, "iteratorThrows"],
          [fault, "resultRejects"],
          [features.silence ? 1 : 0, "silent"],
        ] as const),
      ),
      onAbort: weighted<Reply["onAbort"]>([4, "checks"], [3, "listens"], [2, "ignores"]),
      stampNow: sometimes(30),
      entry,
    })
    .map(({ entry: how, ...rest }) => (how === undefined ? rest : { ...rest, entry: how }));
}

function callDraft(features: Features): fc.Arbitrary<CallDraft> {
  const names: [number, string][] = TOOL_NAMES.map((name) => [12, name]);
  const good = fc.constantFrom({}, { path: "a.txt" }, { count: 3 });
  const any = fc.constantFrom(...ARGUMENTS.filter((args) => features.shapes || isRecord(args)));
  return withOptional(
    {
      tool: weighted<string>(...names, [1, "ghost"]),
      args: fc.oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: any }),
      repeatsId: sometimes(6),
    },
    {
      takes: ticks,
      updates: weighted([3, 0], [2, 1], [1, 3]),
      updateEvery: ticks,
      lateUpdate: sometimes(20),
      result: fc.constantFrom("fine", ""),
      extras: fc.subarray(["details", "usage", "structured", "image"] as const) as fc.Arbitrary<
        NonNullable<Call["extras"]>
      >,
      isError: sometimes(50),
      terminate: sometimes(70),
      honorsAbort: sometimes(80),
      sync: sometimes(15),
    },
    40,
  ).chain((draft) => fc.tuple(fc.constant(draft), oddities(features)).map(([call, odd]) => ({ ...call, ...odd })));
}

function oddities(features: Features): fc.Arbitrary<Pick<Call, "throws" | "argumentsError" | "shape">> {
  return fc.oneof(
    { weight: 24, arbitrary: fc.constant({}) },
    { weight: 3, arbitrary: fc.record({ throws: thrown }) },
    { weight: 1, arbitrary: fc.record({ argumentsError: fc.constant("Unexpected end of JSON input") }) },
    {
      weight: features.shapes ? 1 : 0,
      arbitrary: fc.record({ shape: fc.constantFrom("noContent" as const, "string" as const) }),
    },
    { weight: features.rubbish ? 2 : 0, arbitrary: fc.record({ shape: fc.constant("nothing" as const) }) },
  );
}

function isRecord(args: unknown): boolean {
  return typeof args === "object" && args !== null && !Array.isArray(args);
}

/** Gives the calls their ids: c1, c2, …; a call that repeats takes the id of the call before it. */
function numberCalls(drafts: readonly ReplyDraft[], features: Features): Reply[] {
  let last = 0;
  return drafts.map((draft) => {
    const calls = draft.blocks.filter((block) => block.type === "call").length;
    let place = 0;
    const numbered = draft.blocks.map((block): Block => {
      if (block.type !== "call") return block;
      const { repeatsId, ...rest } = block.call;
      if (!repeatsId || last === 0) last++;
      const call = { ...rest, id: `c${last}` };
      return { ...block, call: features.ties || calls < 2 ? call : untied(call, place++) };
    });
    return { ...draft, blocks: numbered };
  });
}

/** The call with a duration of its own among its siblings. */
function untied({ updates: _u, updateEvery: _e, honorsAbort: _h, sync: _s, ...call }: Call, place: number): Call {
  return { ...call, takes: (call.takes ?? 0) * 8 + place + 1 };
}
