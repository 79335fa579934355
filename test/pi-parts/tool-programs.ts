import type { AgentMessage, AgentTool } from "@earendil-works/pi-agent-core";
import type { SystemMessage, Tool } from "@earendil-works/pi-ai";
import { obj, opt, str } from "@earendil-works/pi-schema";
import fc from "fast-check";
import { Type } from "typebox";
import { customMessage } from "./messages.ts";

/** Parameter schemas, each made anew, so that a test may change one in place. */
const SCHEMAS: readonly (() => object)[] = [
  () => ({ type: "object" }),
  () => ({ type: "object", properties: { x: { type: "string" } } }),
  () => ({ properties: { x: { type: "string" } }, type: "object" }),
  () => ({ type: "object", properties: { x: { type: "string", description: undefined } } }),
  () => Type.Object({ x: Type.String() }),
  () => obj({ x: opt(str()) }),
];

const toolSpec = fc.record({
  name: fc.constantFrom("a", "b", "c"),
  description: fc.constantFrom("one", "two"),
  schema: fc.nat(SCHEMAS.length - 1),
  sampling: fc.constantFrom<Tool["constrainedSampling"]>(undefined, undefined, false, {
    type: "json_schema",
    strict: "prefer",
  }),
});
const indices = fc.array(fc.nat(5), { maxLength: 4 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const messageSpec = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("user", "custom") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("system"),
      content: fc.constantFrom<string | string[]>("", "Be kind.", "Be brief.", ["Be", "kind."], []),
      sections: optional(
        fc.dictionary(fc.constantFrom("s", "t", "u"), fc.constantFrom(null, "", "one", "two"), { maxKeys: 3 }),
      ),
      added: optional(indices),
      removed: optional(fc.subarray(["a", "b", "c"])),
      timestamp: fc.constantFrom(1, 2),
    }),
  },
);

/** A transcript, tools that can run, and in each round what changes and what is pending. */
export const programArb = fc.record({
  catalogue: fc.array(toolSpec, { minLength: 6, maxLength: 6 }),
  transcript: fc.array(messageSpec, { maxLength: 5 }),
  tools: indices,
  rounds: fc.array(
    fc.record({
      tools: optional(indices),
      editInPlace: optional(fc.nat(5)),
      pending: fc.array(messageSpec, { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

type Program = typeof programArb extends fc.Arbitrary<infer T> ? T : never;
type MessageSpec = Program["transcript"][number];

/** A program's objects. Messages and running tools share the objects of the catalogue, as they do in a careless host. */
export class World {
  readonly transcript: AgentMessage[];
  readonly tools: AgentTool[];
  readonly pending: readonly AgentMessage[][];
  readonly #catalogue: readonly AgentTool[];
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
    this.#catalogue = program.catalogue.map(({ name, description, schema, sampling }) => ({
      name,
      description,
      label: name,
      parameters: SCHEMAS[schema]?.() ?? {},
      execute: async () => ({ content: [], details: undefined }),
      ...(sampling === undefined ? {} : { constrainedSampling: sampling }),
    }));
    this.transcript = program.transcript.map((spec) => this.#message(spec));
    this.pending = program.rounds.map((round) => round.pending.map((spec) => this.#message(spec)));
    this.tools = this.#pick(program.tools);
  }

  /** What the host does to its tools before the messages of this round are injected. */
  startRound(round: number): void {
    const { tools, editInPlace } = this.#program.rounds[round] ?? {};
    if (tools) this.tools.splice(0, this.tools.length, ...this.#pick(tools));
    const edited = editInPlace === undefined ? undefined : this.#catalogue[editInPlace];
    if (edited) Object.assign(edited.parameters, { title: `edited in round ${round}` });
  }

  /** A message and where it is from: comparable between two worlds of one program. */
  trace(message: AgentMessage): unknown {
    const place = this.pending.flat().indexOf(message);
    return [place, JSON.stringify(message)];
  }

  #pick(places: readonly number[]): AgentTool[] {
    return places.flatMap((place) => this.#catalogue[place] ?? []);
  }

  #message(spec: MessageSpec): AgentMessage {
    if (spec.kind === "custom") return { ...customMessage };
    if (!("content" in spec)) return { role: "user", content: "hi", timestamp: 3 };
    const { content, sections, added, removed, timestamp } = spec;
    const system: SystemMessage = {
      role: "system",
      content: typeof content === "string" ? content : content.map((text) => ({ type: "text" as const, text })),
      timestamp,
    };
    if (sections) system.sections = sections;
    if (added) system.toolsAdded = this.#pick(added) as Tool[];
    if (removed) system.toolsRemoved = removed.map((name) => ({ name }));
    return system;
  }
}
