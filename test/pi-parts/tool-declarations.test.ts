import { type AgentMessage, runAgentLoop } from "@earendil-works/pi-agent-core";
import {
  createAssistantMessageEventStream,
  getCurrentTools,
  type Message,
  type SystemMessage,
  toToolDeclaration,
} from "@earendil-works/pi-ai";
import { test } from "@fast-check/vitest";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DeclaredTools, declareToolChanges, toolDeclaration } from "../../src/pi/tool-declarations.ts";
import { assistantMessage, MODEL } from "./messages.ts";
import { programArb, World } from "./tool-programs.ts";

const NOW = 1000;

beforeEach(() => {
  vi.spyOn(Date, "now").mockReturnValue(NOW);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** What Pi's loop injects, turn by turn. The first turn has two rounds: the prompts and what the first poll brings. */
async function injectedByPi(world: World): Promise<unknown[]> {
  let round = 0;
  const next = () => world.startRound(++round) ?? world.pending[round] ?? [];
  const polls = [() => next()];
  const hasMore = () => round + 1 < world.pending.length;
  const injected: unknown[] = [];
  world.startRound(0);
  await runAgentLoop(
    world.pending[0] ?? [],
    { messages: world.transcript, tools: world.tools },
    {
      model: MODEL,
      convertToLlm: (messages) => messages as Message[],
      getSteeringMessages: async () => polls.shift()?.() ?? [],
      finishTurn: () => ({ action: hasMore() ? "continue" : "end" }),
      prepareNextTurn: () => ({ messages: next() }),
    },
    (event) => {
      if (event.type !== "message_end") return;
      injected.push(event.message.role === "assistant" ? "turn" : world.trace(event.message));
    },
    undefined,
    () => {
      const stream = createAssistantMessageEventStream();
      stream.push({ type: "done", reason: "stop", message: assistantMessage() });
      return stream;
    },
  );
  return injected;
}

/** The same with our function, which sees no transcript after the start. */
function injectedByUs(world: World): unknown[] {
  const declared = DeclaredTools.of(world.transcript);
  const created: unknown[] = [];
  for (let round = 0; round < Math.max(2, world.pending.length); round++) {
    world.startRound(round);
    const injected = declareToolChanges(declared, world.tools, world.pending[round] ?? [], NOW);
    for (const message of injected) declared.apply(message);
    created.push(...injected.map((message) => world.trace(message)));
    if (round > 0) created.push("turn");
  }
  return created;
}

describe("E7: declareToolChanges", () => {
  test.prop([programArb], { numRuns: 1000 })(
    "injects what Pi's loop injects, the same objects included",
    async (program) => {
      const ours = injectedByUs(new World(program));
      const theirs = await injectedByPi(new World(program));
      expect(ours).toEqual(theirs);
    },
  );

  const tool = (parameters: object) => ({ name: "a", description: "d", parameters });
  const user: AgentMessage = { role: "user", content: "hi", timestamp: 1 };

  it("gives back the pending list itself when the model knows the tools already", () => {
    const system: SystemMessage = { role: "system", content: "", toolsAdded: [tool({})], timestamp: 1 };
    const declared = DeclaredTools.of([system]);
    const pending = [user];
    expect(declareToolChanges(declared, [tool({})], pending, NOW)).toBe(pending);
  });

  it("notices a schema that was changed in place", () => {
    const live = tool({ type: "object" });
    const declared = DeclaredTools.of(declareToolChanges(DeclaredTools.of([]), [live], [user], NOW));
    Object.assign(live.parameters, { title: "changed" });
    expect(declareToolChanges(declared, [live], [], NOW)).toEqual([
      {
        role: "system",
        content: "",
        timestamp: NOW,
        toolsAdded: [{ name: "a", description: "d", parameters: { type: "object", title: "changed" } }],
        toolsRemoved: [{ name: "a" }],
      },
    ]);
  });

  it("refuses a tool without a schema with Pi's error", () => {
    const schemaless = tool(undefined as unknown as object);
    const message = expect.objectContaining({ name: "SyntaxError", message: '"undefined" is not valid JSON' });
    expect(() => toToolDeclaration(schemaless)).toThrow(message);
    expect(() => toolDeclaration(schemaless)).toThrow(message);
    expect(() => declareToolChanges(DeclaredTools.of([]), [schemaless], [], NOW)).toThrow(message);
  });
});

describe("DeclaredTools", () => {
  test.prop([programArb])("lists the tools that Pi finds in the transcript, in its order", (program) => {
    const { transcript, pending } = new World(program);
    const messages = [...transcript, ...pending.flat()];
    const declared = DeclaredTools.of(transcript);
    for (const message of pending.flat()) declared.apply(message);
    expect(declared.list()).toEqual(getCurrentTools(messages));
  });
});

describe("toolDeclaration", () => {
  test.prop([programArb])("is Pi's, field order included", (program) => {
    for (const tool of new World(program).tools) {
      expect(toolDeclaration(tool)).toStrictEqual(toToolDeclaration(tool));
      expect(JSON.stringify(toolDeclaration(tool))).toBe(JSON.stringify(toToolDeclaration(tool)));
    }
  });
});
