import type {
  AfterToolCallResult,
  AgentTool,
  AgentToolResult,
  BeforeToolCallResult,
} from "@earendil-works/pi-agent-core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runToolCall } from "../../src/pi/run-tool-call.ts";
import { errorResult } from "../../src/pi/texts.ts";
import { type CallHooks, executeToolCall, prepareToolCall } from "../../src/pi/tool-call.ts";
import { hop } from "./hops.ts";
import { assistantMessage, toolCall } from "./messages.ts";

const call = toolCall();
const base = { assistantMessage: assistantMessage(), context: { messages: [] } };
const good: AgentToolResult<unknown> = { content: [{ type: "text", text: "done" }], details: 1 };

function tool(execute: AgentTool["execute"], parts: Partial<AgentTool> = {}): AgentTool {
  return { name: "work", label: "work", description: "", parameters: {}, execute, ...parts };
}

function returning(value: unknown): AgentTool {
  return tool(async () => value as AgentToolResult);
}

const throwing = (value: unknown) => () => {
  throw value;
};

describe("T2: prepareToolCall", () => {
  const prepare = (hooks: Partial<CallHooks>, tools = [returning(good)], signal?: AbortSignal) =>
    prepareToolCall(call, tools, { ...base, ...hooks }, signal);
  const answering = (answer: unknown) => ({ beforeToolCall: async () => answer as BeforeToolCallResult });

  it("says why a call may not run", async () => {
    expect(await prepare({}, [])).toEqual({ kind: "unknown" });
    expect(await prepare({}, [], AbortSignal.abort())).toEqual({ kind: "aborted" });
    const unpreparable = tool(async () => good, { prepareArguments: throwing(new Error("cannot")) });
    expect(await prepare({}, [unpreparable])).toEqual({ kind: "refused", reason: "invalid", text: "cannot" });
    expect(await prepare({ beforeToolCall: throwing("no hook") })).toEqual({
      kind: "refused",
      reason: "failed",
      text: "no hook",
    });
    expect(await prepare(answering({ block: true }))).toEqual({
      kind: "refused",
      reason: "blocked",
      text: "Tool execution was blocked",
    });
    expect(await prepare(answering({ block: true, reason: "no", terminate: true }))).toEqual({
      kind: "refused",
      reason: "blocked",
      text: "no",
      terminate: true,
    });
  });

  it("gives a text also for a reason that is none", async () => {
    expect(await prepare(answering({ block: true, reason: 42 }))).toMatchObject({ reason: "blocked", text: "42" });
  });
});

describe("T7: executeToolCall", () => {
  beforeEach(() => {
    vi.spyOn(console, "error").mockReturnValue();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const execute = (runnable: AgentTool, sink: (update: AgentToolResult<unknown>) => Promise<void> | void) =>
    executeToolCall({ kind: "ready", toolCall: call, tool: runnable, args: {} }, undefined, sink, () => 0);

  it("measures whole milliseconds from the start of the tool to its end, by the clock that it is given", async () => {
    let time = 10;
    const slow = tool(async (_id, _args, _signal, onUpdate) => {
      onUpdate?.(good);
      time += 5.6;
      return good;
    });
    const sink = async () => {
      await hop(3);
      time += 100;
    };
    const ready = { kind: "ready" as const, toolCall: call, tool: slow, args: {} };
    expect(await executeToolCall(ready, undefined, sink, () => time)).toEqual({
      result: good,
      isError: false,
      durationMs: 6,
    });
  });

  it("ignores updates after the tool has settled", async () => {
    const heard: unknown[] = [];
    let late = () => {};
    const chatty = tool(async (_id, _args, _signal, onUpdate) => {
      onUpdate?.(good);
      late = () => onUpdate?.(good);
      return good;
    });
    await execute(chatty, (update) => void heard.push(update));
    late();
    expect(heard).toEqual([good]);
  });

  it.each([
    ["throws", throwing(new Error("guest"))],
    ["rejects", () => Promise.reject(new Error("guest"))],
  ])("law 6: is not touched by a listener that %s", async (_how, sink) => {
    const chatty = tool(async (_id, _args, _signal, onUpdate) => {
      onUpdate?.(good);
      // The unhandled rejection of a listener would be reported while the tool still runs.
      await new Promise((resolve) => setTimeout(resolve, 1));
      return good;
    });
    expect(await execute(chatty, sink)).toMatchObject({ result: good, isError: false });
    expect(console.error).toHaveBeenCalledExactlyOnceWith(expect.any(String), new Error("guest"));
  });
});

describe("a tool or hook that returns rubbish", () => {
  const run = (runnable: AgentTool, hooks: Partial<CallHooks> = {}) =>
    runToolCall(call, { ...base, ...hooks, tools: [runnable] });
  const invalid = (fault: string) => ({
    toolCall: call,
    result: errorResult(`The tool returned something that is not a tool result. (${fault})`),
    isError: true,
    durationMs: expect.any(Number),
  });
  const unreadable = {
    content: [],
    get details() {
      throw new Error("trap");
    },
  };
  const cases: [string, unknown][] = [
    ["content is not an array", { content: "text" }],
    ["content is not an array", { content: { type: "text", text: "" } }],
    ["content[0] is not an object", { content: [null] }],
    ["content[1] is not an object", { content: [{ type: "image", data: "", mimeType: "" }, "text"] }],
    ["content[0] has no type", { content: [{}] }],
    ["content[0].text is not a string", { content: [{ type: "text" }] }],
    ["its fields cannot be read", unreadable],
  ];

  it.each(cases)("makes an error result that says so: %s", async (fault, value) => {
    expect(await run(returning(value))).toEqual(invalid(fault));
  });

  it("may be repaired by afterToolCall, which sees what the tool returned", async () => {
    const rubbish = { content: "text", details: 1 };
    const seen: unknown[] = [];
    const afterToolCall: CallHooks["afterToolCall"] = async ({ result, isError }) => {
      seen.push(result, isError);
      return { content: [{ type: "text", text: "repaired" }] };
    };
    const outcome = await run(returning(rubbish), { afterToolCall });
    expect(seen).toEqual([rubbish, false]);
    expect(outcome).toMatchObject({ result: { content: [{ type: "text", text: "repaired" }] }, isError: false });
  });

  it("makes an error result when afterToolCall makes the content invalid", async () => {
    const afterToolCall = async () => ({ content: "text" }) as unknown as AfterToolCallResult;
    expect(await run(returning(good), { afterToolCall })).toEqual(invalid("content is not an array"));
  });

  it("keeps isError a boolean", async () => {
    const afterToolCall = async () => ({ isError: "yes" }) as unknown as AfterToolCallResult;
    expect(await run(returning(good), { afterToolCall })).toMatchObject({ result: good, isError: true });
  });

  it("never rejects for a thrown value that has no text", async () => {
    const textless = Object.create(null);
    const expected = { result: errorResult("A value that has no text was thrown"), isError: true };
    expect(await run(tool(throwing(textless)))).toMatchObject(expected);
    expect(await run(returning(good), { beforeToolCall: throwing(textless) })).toMatchObject(expected);
    expect(await run(returning(good), { afterToolCall: throwing(textless) })).toMatchObject(expected);
  });
});
