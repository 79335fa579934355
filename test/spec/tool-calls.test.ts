import type { AgentEvent, AgentTool, AgentToolResult } from "@earendil-works/pi-agent-core";
import { describe, expect, test } from "vitest";
import { ALL, type Host, type HostOptions, host, type Kind, notingTool, text, tool, user } from "./host.ts";

const call = (id: string, more: object = {}) => ({ id, tool: "work", ...more });
const NUMBER_ARGS = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };

const ran = async (kind: Kind, options: HostOptions): Promise<Host> => {
  const h = host(kind, options);
  await h.prompt();
  return h;
};
const results = (h: Host) => h.told.filter((line) => line.startsWith("toolResult"));
const resultOf = (h: Host) =>
  h.events.find((event) => event.type === "tool_execution_end") as AgentEvent & { result: AgentToolResult };

describe.each(ALL)("the preparation of a call (T2, T3) with %s", (kind) => {
  const counting = () => {
    const seen: unknown[] = [];
    const work = { ...notingTool(seen, (_id, args) => args), parameters: NUMBER_ARGS };
    return { seen, work };
  };

  test("T2: an unknown tool", async () => {
    const h = await ran(kind, { model: [{ calls: [{ id: "c1", tool: "nowhere" }] }] });
    expect(results(h)).toEqual(["toolResult(c1)!:Tool nowhere not found"]);
    expect(h.lines).toContain("tool_execution_end c1!");
  });

  test("T2: prepareArguments first, then validation with coercion", async () => {
    const { seen, work } = counting();
    work.prepareArguments = (args) => ({ n: (args as { amount: string }).amount });
    await ran(kind, { tools: [work], model: [{ calls: [call("c1", { args: { amount: "42" } })] }] });
    expect(seen).toEqual([{ n: 42 }]);
  });

  test("T2: invalid arguments never execute, and the hook is not asked", async () => {
    const { seen, work } = counting();
    const asked: string[] = [];
    const h = await ran(kind, {
      tools: [work],
      model: [{ calls: [call("c1", { args: { n: "many" } })] }],
      beforeToolCall: async ({ toolCall }) => void asked.push(toolCall.id),
    });
    expect(results(h)[0]).toMatch(/^toolResult\(c1\)!:Validation failed for tool "work":\n/);
    expect([seen, asked]).toEqual([[], []]);
  });

  test("T2: beforeToolCall blocks with its reason or with Pi's text, or throws; afterToolCall is not asked", async () => {
    const { seen, work } = counting();
    const answers = [{ block: true, reason: "not now" }, { block: true }, new Error("the hook broke"), "a string"];
    const after: string[] = [];
    const h = await ran(kind, {
      tools: [work],
      model: [{ calls: ["c1", "c2", "c3", "c4"].map((id) => call(id, { args: { n: 1 } })) }],
      beforeToolCall: async () => {
        const answer = answers.shift();
        if (typeof answer === "object" && "block" in answer) return answer;
        throw answer;
      },
      afterToolCall: async ({ toolCall }) => void after.push(toolCall.id),
    });
    expect(results(h)).toEqual([
      "toolResult(c1)!:not now",
      "toolResult(c2)!:Tool execution was blocked",
      "toolResult(c3)!:the hook broke",
      "toolResult(c4)!:a string",
    ]);
    expect(h.only("tool_execution_start")).toHaveLength(4);
    expect(h.only("tool_execution_end")).toHaveLength(4);
    expect([seen, after]).toEqual([[], []]);
  });

  test("T2: a call that never ran has no durationMs, one that ran has", async () => {
    const { work } = counting();
    const h = await ran(kind, { tools: [work], model: [{ calls: [call("c1"), call("c2", { args: { n: 1 } })] }] });
    const ends = h.events.filter((event) => event.type === "tool_execution_end");
    expect(ends.map((end) => "durationMs" in end)).toEqual([false, true]);
  });

  test("T3: the hook may change the arguments in place: they are executed so; events keep the raw ones", async () => {
    const { seen, work } = counting();
    const h = await ran(kind, {
      tools: [work],
      model: [{ calls: [call("c1", { args: { n: "1" } })] }],
      beforeToolCall: async ({ args }) => void Object.assign(args as object, { n: "not a number" }),
    });
    expect(seen).toEqual([{ n: "not a number" }]);
    expect(h.events.find((event) => event.type === "tool_execution_start")).toMatchObject({ args: { n: "1" } });
  });
});

describe.each(ALL)("the execution of a call (T5 to T8) with %s", (kind) => {
  test("T5: parallel: nothing executes before the last call is prepared", async () => {
    const order: string[] = [];
    const work = notingTool(order, (id) => `run ${id}`);
    await ran(kind, {
      tools: [work],
      model: [{ calls: [call("c1"), call("c2")] }],
      beforeToolCall: async ({ toolCall }) => void order.push(`prepare ${toolCall.id}`),
    });
    expect(order).toEqual(["prepare c1", "prepare c2", "run c1", "run c2"]);
  });

  test("T6: events of parallel tools may overlap in an async listener; all others are told one by one", async () => {
    const h = host(kind, { model: [{ calls: [call("c1"), call("c2")] }, { text: "a", chunks: 2 }] });
    let open = 0;
    const overlapping = new Set<string>();
    h.agent.subscribe(async (event) => {
      open += 1;
      if (open > 1) overlapping.add(event.type);
      await h.time.sleep(1);
      open -= 1;
    });
    await h.prompt();
    expect([...overlapping]).toEqual(["tool_execution_end"]);
  });

  test("T7: what a tool throws is an error with its text", async () => {
    const thrown: unknown[] = [new Error("broke"), "a string", 7];
    const work = tool("work", async () => {
      throw thrown.shift();
    });
    const h = await ran(kind, { tools: [work], model: [{ calls: [call("c1"), call("c2"), call("c3")] }] });
    expect(results(h)).toEqual(["toolResult(c1)!:broke", "toolResult(c2)!:a string", "toolResult(c3)!:7"]);
  });

  test("T7: a returned isError is an error that keeps its details", async () => {
    const work = tool("work", async () => ({ ...text("no luck"), details: { code: 3 }, isError: true }));
    const h = await ran(kind, { tools: [work], model: [{ calls: [call("c1")] }] });
    expect(results(h)).toEqual(["toolResult(c1)!:no luck"]);
    expect(resultOf(h).result.details).toEqual({ code: 3 });
  });

  test("T7: listeners of updates are awaited before the end is told", async () => {
    const work = tool("work", async (_id, _args, _signal, onUpdate) => {
      onUpdate?.(text("half"));
      return text("done");
    });
    const h = host(kind, { tools: [work], model: [{ calls: [call("c1")] }] });
    const order: string[] = [];
    h.agent.subscribe(async ({ type }) => {
      if (type === "tool_execution_update") await h.time.sleep(5);
      if (type.startsWith("tool_execution_")) order.push(type);
    });
    await h.prompt();
    expect(order).toEqual(["tool_execution_start", "tool_execution_update", "tool_execution_end"]);
  });

  test("T7: an update after the tool has settled is ignored", async () => {
    let late: (() => void) | undefined;
    const work = tool("work", async (_id, _args, _signal, onUpdate) => {
      late = () => onUpdate?.(text("late"));
      return text("done");
    });
    const h = host(kind, { tools: [work], model: [{ calls: [call("c1")] }] });
    h.on("tool_execution_end", () => late?.());
    h.on("turn_start", () => late?.(), 2);
    await h.prompt();
    expect(late).toBeDefined();
    expect(h.only("tool_execution_update")).toEqual([]);
  });

  const changed = async (change: object, more: Partial<AgentToolResult> = {}) => {
    const work = tool("work", async () => ({
      ...text("raw"),
      details: { d: 1 },
      structuredContent: { s: 1 },
      ...more,
    }));
    return ran(kind, {
      tools: [work],
      model: [{ calls: [call("c1")] }],
      afterToolCall: async () => change,
    });
  };

  test("T8: afterToolCall replaces field by field", async () => {
    const h = await changed({ details: { d: 2 }, isError: true });
    expect(results(h)).toEqual(["toolResult(c1)!:raw"]);
    expect(resultOf(h).result).toMatchObject({ details: { d: 2 }, structuredContent: { s: 1 } });
    expect(results(await changed({ isError: false }, { isError: true }))).toEqual(["toolResult(c1):raw"]);
  });

  test("T8: new content drops structuredContent unless that is supplied, too", async () => {
    const { content } = text("new");
    const dropped = await changed({ content });
    expect(results(dropped)).toEqual(["toolResult(c1):new"]);
    expect(resultOf(dropped).result).not.toHaveProperty("structuredContent");
    const supplied = await changed({ content, structuredContent: { s: 2 } });
    expect(resultOf(supplied).result.structuredContent).toEqual({ s: 2 });
  });

  test("T8: if afterToolCall throws, the result is an error with its message", async () => {
    const h = await ran(kind, {
      model: [{ calls: [call("c1")] }],
      afterToolCall: async () => {
        throw new Error("the hook broke");
      },
    });
    expect(results(h)).toEqual(["toolResult(c1)!:the hook broke"]);
  });

  test("T8: afterToolCall may set terminate (T10)", async () => {
    const h = await changed({ terminate: true });
    expect(h.requests).toHaveLength(1);
  });
});

describe.each(ALL)("whole batches (T1, T9 to T13) with %s", (kind) => {
  const timed = (mode?: AgentTool["executionMode"]) => (name: string, h: () => Host) =>
    tool(
      name,
      (id) =>
        h()
          .time.sleep(1)
          .then(() => text(id)),
      mode ? { executionMode: mode } : {},
    );

  test("T1: one sequential tool makes the whole batch sequential; an unknown tool does not", async () => {
    const run = async (second: string) => {
      const h: Host = host(kind, {
        tools: [timed()("work", () => h), timed("sequential")("slow", () => h)],
        model: [{ calls: [call("c1"), { id: "c2", tool: second }, call("c3")] }],
      });
      await h.prompt();
      return h.lines.indexOf("tool_execution_end c1") < h.lines.indexOf("tool_execution_start c3");
    };
    expect(await run("slow")).toBe(true);
    expect(await run("unknown")).toBe(false);
  });

  test("T9: the text of a truncated call; hooks and tools are not asked", async () => {
    const asked: string[] = [];
    const h = await ran(kind, {
      tools: [notingTool(asked)],
      model: [{ calls: [call("c1")], stop: "length" }],
      beforeToolCall: async ({ toolCall }) => void asked.push(toolCall.id),
    });
    expect(results(h)).toEqual([
      'toolResult(c1)!:Tool call "work" was not executed: the response hit the output token limit, so its arguments may be truncated. Re-issue the tool call with complete arguments.',
    ]);
    expect(asked).toEqual([]);
    expect(h.requests).toHaveLength(2);
  });

  test("T11: an abort in beforeToolCall of c2: c1 never executes, the ends come c2, c3, c1", async () => {
    const ran: string[] = [];
    const h = host(kind, {
      tools: [notingTool(ran)],
      model: [{ calls: [call("c1"), call("c2"), call("c3")] }],
      beforeToolCall: async ({ toolCall }) => void (toolCall.id === "c2" && h.agent.abort()),
    });
    await h.prompt();
    expect(ran).toEqual([]);
    expect(h.only("tool_execution_end")).toEqual(["c2", "c3", "c1"].map((id) => `tool_execution_end ${id}!`));
    expect(results(h)).toEqual(["c1", "c2", "c3"].map((id) => `toolResult(${id})!:Operation aborted`));
  });

  test("T12: a tool that ignores the abort blocks the Trace until it returns, with its real result", async () => {
    const h = host(kind, { model: [{ calls: [call("c1", { takes: 1_000 })] }] });
    const aborted = h.time.sleep(10).then(() => h.agent.abort());
    await h.prompt();
    await aborted;
    expect(h.time.now).toBe(1_000);
    expect(results(h)).toEqual(["toolResult(c1):c1 ok"]);
    expect(h.transcript.at(-1)).toBe("assistant[aborted]:");
  });

  test("T13: an aborted reply keeps its calls in the transcript, without results", async () => {
    const h = await ran(kind, { model: [{ text: "a", calls: [call("c1")], stop: "error", error: "broke" }] });
    expect(h.transcript).toEqual(["user:p", "assistant[error]:a>c1"]);
    expect(h.agent.state.messages.at(-1)?.role).toBe("assistant");
    h.agent.followUp(user("again"));
    await h.until(h.agent.continue());
    expect(h.requests.at(-1)).toEqual(["user:p", "assistant[error]:a>c1", "user:again"]);
  });
});
