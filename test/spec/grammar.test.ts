import type { AgentEvent, AgentMessage } from "@earendil-works/pi-agent-core";
import { describe, expect, test } from "vitest";
import { createAssistantMessageEventStream } from "../../src/pi/event-stream.ts";
import { briefs } from "../../src/testing/brief.ts";
import { scriptedMessage } from "../../src/testing/model-info.ts";
import type { Reply } from "../../src/testing/scenario.ts";
import { ALL, host, text, tool, user } from "./host.ts";

const call = (id: string, more: object = {}) => ({ id, tool: "work", ...more });

describe.each(ALL)("the grammar of a Trace (section 2.3) with %s", (kind) => {
  test("2.3: one Trace, event by event, with a streamed reply, a parallel batch and a follow-up", async () => {
    const model = [
      { calls: [call("c1", { takes: 2, updates: 1 }), call("c2", { takes: 1 })] },
      { text: "a", chunks: 1 },
    ];
    const h = host(kind, { model });
    h.agent.followUp(user("f"));
    await h.prompt();
    expect(h.lines).toEqual([
      "agent_start",
      "turn_start",
      "message_start user:p",
      "message_end user:p",
      "message_start assistant[toolUse]:>c1,c2",
      "message_end assistant[toolUse]:>c1,c2",
      "tool_execution_start c1",
      "tool_execution_start c2",
      "tool_execution_update c1",
      "tool_execution_end c2",
      "tool_execution_end c1",
      "message_start toolResult(c1):c1 ok",
      "message_end toolResult(c1):c1 ok",
      "message_start toolResult(c2):c2 ok",
      "message_end toolResult(c2):c2 ok",
      "turn_end toolUse 2",
      "turn_start",
      "message_start assistant[stop]:",
      "message_update text_start",
      "message_update text_delta",
      "message_update text_end",
      "message_end assistant[stop]:a",
      "turn_end stop 0",
      "turn_start",
      "message_start user:f",
      "message_end user:f",
      "message_start assistant[stop]:(script exhausted)",
      "message_end assistant[stop]:(script exhausted)",
      "turn_end stop 0",
      "agent_end 7",
    ]);
  });

  test("E1: deferred is treated like an ordinary stop, and a partial may be pending", async () => {
    const partial = scriptedMessage([{ type: "text", text: "" }], "pending");
    const final = scriptedMessage([{ type: "text", text: "later" }], "deferred");
    const h = host(kind, {
      model: [
        () => {
          const stream = createAssistantMessageEventStream();
          stream.push({ type: "start", partial });
          stream.push({ type: "done", reason: "deferred", message: final });
          return stream;
        },
      ],
    });
    h.agent.followUp(user("f"));
    await h.prompt();
    expect(h.lines.filter((line) => /assistant|turn_end|user:f/.test(line))).toEqual([
      "message_start assistant[pending]:",
      "message_end assistant[deferred]:later",
      "turn_end deferred 0",
      "message_start user:f",
      "message_end user:f",
      "message_start assistant[stop]:(script exhausted)",
      "message_end assistant[stop]:(script exhausted)",
      "turn_end stop 0",
    ]);
  });

  test("E2: every listener call gets the event and the signal of the active run", async () => {
    const h = host(kind, { model: [{ calls: [call("c1")] }] });
    const signals: [AgentEvent["type"], AbortSignal, AbortSignal | undefined][] = [];
    h.agent.subscribe((event, signal) => {
      signals.push([event.type, signal, h.agent.signal]);
    });
    await h.prompt();
    expect(signals.map(([type]) => type)).toEqual(h.events.map(({ type }) => type));
    const [first] = signals;
    expect(first?.[1]).toBeInstanceOf(AbortSignal);
    for (const [, told, active] of signals) {
      expect(told).toBe(first?.[1]);
      expect(active).toBe(told);
    }
    await h.prompt();
    expect(signals.at(-1)?.[1]).not.toBe(first?.[1]);
  });

  test("E3: the fields of a toolResult message", async () => {
    const usage = { input: 1 } as never;
    const work = tool("work", async () => ({ ...text("done"), details: { n: 1 }, usage, structuredContent: { n: 1 } }));
    const h = host(kind, { tools: [work], model: [{ calls: [call("c1")] }] });
    await h.prompt();
    const message = h.agent.state.messages.find(({ role }) => role === "toolResult");
    expect(message).toEqual({
      role: "toolResult",
      toolCallId: "c1",
      toolName: "work",
      content: [{ type: "text", text: "done" }],
      details: { n: 1 },
      usage,
      isError: false,
      durationMs: expect.any(Number),
      timestamp: expect.any(Number),
    });
  });

  test.each<[NonNullable<Reply["stop"]>, boolean]>([
    ["stop", true],
    ["toolUse", true],
    ["deferred", true],
    ["length", true],
    ["error", false],
    ["aborted", false],
  ])("E4: calls with stopReason %s: a batch: %s", async (stop, runs) => {
    const h = host(kind, { model: [{ calls: [call("c1")], stop, error: stop === "error" ? "broke" : "" }] });
    await h.prompt();
    expect(h.only("tool_execution_start")).toEqual(runs ? ["tool_execution_start c1"] : []);
    expect(h.only("turn_end")[0]).toBe(`turn_end ${stop} ${runs ? 1 : 0}`);
  });

  test.each(["error", "aborted"] as const)(
    "E5: %s ends the Trace with turn_end([]) and agent_end at once",
    async (stop) => {
      const h = host(kind, { model: [{ calls: [call("c1")], stop, error: "broke" }] });
      h.agent.followUp(user("f"));
      h.on("message_start", () => h.agent.steer(user("s")), 2);
      await h.prompt();
      expect(h.lines.slice(-3)).toEqual([`message_end assistant[${stop}]:>c1`, `turn_end ${stop} 0`, "agent_end 2"]);
      expect(h.leftovers).toEqual(["s", "f"]);
    },
  );

  test("E6: a further turn exists iff tool results, steering, a follow-up or continue call for it", async () => {
    const turns = async (first: Reply, more: Parameters<typeof host>[1] = {}, queue?: "steer" | "followUp") => {
      const h = host(kind, { model: [first], ...more });
      if (queue) h.on("message_end", () => h.agent[queue](user("q")), 2);
      await h.prompt();
      return h.only("turn_start").length;
    };
    let decisions = 0;
    const finishTurn = (action: "end" | "continue") => ({
      finishTurn: () => (decisions++ === 0 ? { action } : undefined),
    });
    expect(await turns({ text: "a" })).toBe(1);
    expect(await turns({ calls: [call("c1")] })).toBe(2);
    expect(await turns({ calls: [call("c1", { terminate: true })] })).toBe(1);
    expect(await turns({ calls: [call("c1", { terminate: true }), call("c2")] })).toBe(2);
    expect(await turns({ text: "a" }, {}, "steer")).toBe(2);
    expect(await turns({ text: "a" }, {}, "followUp")).toBe(2);
    expect(await turns({ text: "a" }, finishTurn("continue"))).toBe(2);
    decisions = 0;
    expect(await turns({ calls: [call("c1")] }, finishTurn("end"), "steer")).toBe(1);
    expect(await turns({ text: "a", stop: "error", error: "broke" }, {}, "followUp")).toBe(1);
  });
});

describe.each(ALL)("injected messages (E7) with %s", (kind) => {
  const other = tool("other", async () => text("done"));
  const custom = { role: "system", content: "from the hook", timestamp: 0 } satisfies AgentMessage;

  test("E7: Turn 1: the declared tools before the prompt, steering after it", async () => {
    const h = host(kind);
    h.agent.steer(user("s"));
    h.agent.state.tools = [other];
    await h.prompt();
    expect(h.told).toEqual(["system:", "user:p", "user:s", "assistant[stop]:(script exhausted)"]);
    const [declaration] = h.events.flatMap((event) => (event.type === "message_end" ? [event.message] : []));
    expect(declaration).toMatchObject({ toolsAdded: [{ name: "other" }], toolsRemoved: [{ name: "work" }] });
  });

  test("E7: a later turn: prepareNextTurn's messages before what was drained, a tool patch before both", async () => {
    const h = host(kind, {
      model: [{ calls: [call("c1")] }],
      prepareNextTurnWithContext: ({ context }) => ({
        context: { ...context, tools: [other] },
        messages: [user("prepared")],
      }),
    });
    h.on("tool_execution_start", () => h.agent.steer(user("s")));
    await h.prompt();
    expect(h.told.slice(-4)).toEqual(["system:", "user:prepared", "user:s", "assistant[stop]:(script exhausted)"]);
  });

  test("E7: the patch is merged into the last pending system message", async () => {
    const h = host(kind, {
      model: [{ calls: [call("c1")] }],
      prepareNextTurnWithContext: ({ context }) => ({ context: { ...context, tools: [other] }, messages: [custom] }),
    });
    h.on("tool_execution_start", () => h.agent.steer(user("s")));
    await h.prompt();
    expect(h.told.slice(-3)).toEqual(["system:from the hook", "user:s", "assistant[stop]:(script exhausted)"]);
    const merged = h.agent.state.messages.findLast(({ role }) => role === "system");
    expect(merged).toEqual({
      ...custom,
      toolsAdded: [expect.objectContaining({ name: "other" })],
      toolsRemoved: [{ name: "work" }],
    });
  });
});

describe.each(ALL)("tool events (E8 to E10) with %s", (kind) => {
  test.each(["parallel", "sequential"] as const)(
    "E8: starts in source order, one end each, one result each (%s)",
    async (toolExecution) => {
      const calls = [call("c1", { takes: 3 }), call("c2", { takes: 1 }), call("c3", { takes: 2 })];
      const h = host(kind, { toolExecution, model: [{ calls }] });
      await h.prompt();
      const ids = ["c1", "c2", "c3"];
      expect(h.only("tool_execution_start")).toEqual(ids.map((id) => `tool_execution_start ${id}`));
      expect(h.only("tool_execution_end").toSorted()).toEqual(ids.map((id) => `tool_execution_end ${id}`));
      expect(h.told.filter((line) => line.startsWith("toolResult"))).toEqual(
        ids.map((id) => `toolResult(${id}):${id} ok`),
      );
    },
  );

  test.each(["parallel", "sequential"] as const)(
    "E8: a repeated id gives two starts, two ends and two results (%s)",
    async (toolExecution) => {
      let runs = 0;
      const work = tool("work", async () => text(`run ${++runs}`));
      const h = host(kind, { toolExecution, tools: [work], model: [{ calls: [call("c1"), call("c1")] }] });
      await h.prompt();
      expect(h.only("tool_execution_start")).toHaveLength(2);
      expect(h.only("tool_execution_end")).toHaveLength(2);
      expect(h.told.filter((line) => line.startsWith("toolResult"))).toEqual([
        "toolResult(c1):run 1",
        "toolResult(c1):run 2",
      ]);
      expect(h.only("turn_end")[0]).toBe("turn_end toolUse 2");
      expect([...h.agent.state.pendingToolCalls]).toEqual([]);
    },
  );

  test("E9: every update lies between its start and its end, and none during the preparation of a parallel batch", async () => {
    const calls = [call("c1", { updates: 2 }), call("c2", { updates: 1, takes: 1 })];
    const h = host(kind, { model: [{ calls }] });
    await h.prompt();
    expect(h.only("tool_execution_start", "tool_execution_update", "tool_execution_end")).toEqual([
      "tool_execution_start c1",
      "tool_execution_start c2",
      "tool_execution_update c1",
      "tool_execution_update c1",
      "tool_execution_update c2",
      "tool_execution_end c1",
      "tool_execution_end c2",
    ]);
  });

  test("E10: results enter the loop's context after the whole batch, and state.messages at each message_end", async () => {
    const seen: { context: string[]; state: string[] }[] = [];
    const h = host(kind, {
      toolExecution: "sequential",
      model: [{ calls: [call("c1"), call("c2")] }],
      beforeToolCall: async ({ context }) => {
        seen.push({ context: briefs(context.messages), state: [...h.transcript] });
        return undefined;
      },
      finishTurn: ({ context }) => {
        seen.push({ context: briefs(context.messages), state: [...h.transcript] });
      },
    });
    await h.prompt();
    const asked = ["user:p", "assistant[toolUse]:>c1,c2"];
    expect(seen.slice(0, 3)).toEqual([
      { context: asked, state: asked },
      { context: asked, state: [...asked, "toolResult(c1):c1 ok"] },
      {
        context: [...asked, "toolResult(c1):c1 ok", "toolResult(c2):c2 ok"],
        state: [...asked, "toolResult(c1):c1 ok", "toolResult(c2):c2 ok"],
      },
    ]);
  });
});
