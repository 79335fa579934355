import type { AgentTool, StreamFn } from "@earendil-works/pi-agent-core";
import { describe, expect, test } from "vitest";
import { Agent } from "../../src/pi/agent.ts";
import { createAssistantMessageEventStream } from "../../src/pi/event-stream.ts";
import { FAULTS } from "../../src/protocol/errors.ts";
import { LIMITS } from "../../src/protocol/limits.ts";
import { briefs } from "../../src/testing/brief.ts";
import { scriptedMessage } from "../../src/testing/model-info.ts";
import { type HostOptions, OURS, ourHost, tool, user } from "./host.ts";

const call = (id: string, more: object = {}) => ({ id, tool: "work", ...more });
const INVALID = /^The model's reply is not valid/;

/** A stream that ends with this as its result, or never gives one. */
const ending =
  (...result: readonly unknown[]): StreamFn =>
  () => {
    const stream = createAssistantMessageEventStream();
    stream.end();
    return Object.assign(stream, {
      result: () => (result.length > 0 ? Promise.resolve(result[0]) : new Promise(() => {})),
    }) as never;
  };
const returning = (value: unknown) => (() => value) as unknown as StreamFn;
const valid = scriptedMessage([{ type: "text", text: "a" }], "stop");

/** What comes of a first request with this stream function; the log must be one that can be taken over. */
const afterModel = async (kind: (typeof OURS)[number], streamFn: StreamFn, options: HostOptions = {}) => {
  const h = ourHost(kind, { ...options, model: [streamFn] });
  await h.prompt();
  const failed = h.agent.state.messages.at(-1);
  expect(h.agent.state.isStreaming).toBe(false);
  expect(h.only("agent_start", "agent_end")).toHaveLength(2);
  expect(briefs(Agent.resume([...h.agent.log], { streamFn }).state.messages)).toEqual(h.transcript);
  await h.prompt("again");
  expect(h.transcript.at(-1)).toBe("assistant[stop]:(script exhausted)");
  return failed as typeof valid;
};

describe.each(OURS)("a model that returns rubbish, in %s", (kind) => {
  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["a number", 7],
    ["an object", {}],
    ["a promise of nothing", Promise.resolve()],
    ["events without a result", { async *[Symbol.asyncIterator]() {} }],
    ["a result without events", { result: () => Promise.resolve(valid) }],
    ["an iterator that is none", { [Symbol.asyncIterator]: () => 7, result: () => Promise.resolve(valid) }],
  ])("a stream function that returns %s: the turn ends in an error", async (_, value) => {
    const message = await afterModel(kind, returning(value));
    expect(message).toMatchObject({ role: "assistant", stopReason: "error", errorMessage: expect.any(String) });
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["a string", "a"],
    ["another role", { ...valid, role: "user" }],
    ["no content", { ...valid, content: undefined }],
    ["a text as content", { ...valid, content: "a" }],
    ["an empty block", { ...valid, content: [null] }],
    ["a block without a type", { ...valid, content: [{ text: "a" }] }],
    ["no stopReason", { ...valid, stopReason: undefined }],
    ["a call without an id", { ...valid, content: [{ type: "toolCall", name: "work", arguments: {} }] }],
    ["a call without a name", { ...valid, content: [{ type: "toolCall", id: "c1", arguments: {} }] }],
  ])("a reply that is not a valid message (%s): model-reply-invalid, and no tool runs", async (_, reply) => {
    const message = await afterModel(kind, ending(reply));
    expect(message).toMatchObject({
      role: "assistant",
      stopReason: "error",
      errorMessage: expect.stringMatching(INVALID),
    });
  });

  test("a stream that ends without a final message: model-reply-missing after the limit", async () => {
    const h = ourHost(kind, { model: [ending()] });
    await h.prompt();
    expect(h.agent.state.errorMessage).toBe(FAULTS["model-reply-missing"].text);
    expect(h.time.now).toBe(LIMITS.finalMessageMs);
  });

  test("a stream whose result rejects: the turn ends in its error", async () => {
    const rejecting: StreamFn = () => {
      const stream = createAssistantMessageEventStream();
      stream.end();
      return Object.assign(stream, { result: () => Promise.reject(new Error("no result")) });
    };
    expect(await afterModel(kind, rejecting)).toMatchObject({ stopReason: "error", errorMessage: "no result" });
  });

  test("a stream of rubbish events: they are passed over, and the final message counts", async () => {
    const events = [{ type: "nonsense" }, { type: "text_delta" }, { type: "done" }];
    const noise = () => {
      const stream = createAssistantMessageEventStream();
      stream.end(valid);
      return Object.assign(stream, {
        async *[Symbol.asyncIterator]() {
          yield* events;
        },
      });
    };
    expect(await afterModel(kind, noise as unknown as StreamFn)).toMatchObject({ stopReason: "stop" });
  });

  test("a start without a message: the turn ends in an error", async () => {
    const empty = () =>
      Object.assign(createAssistantMessageEventStream(), {
        async *[Symbol.asyncIterator]() {
          yield { type: "start" };
        },
      });
    expect(await afterModel(kind, empty as unknown as StreamFn)).toMatchObject({ stopReason: "error" });
  });
});

const thrower = {
  get content(): never {
    throw new Error("do not look");
  },
};

describe.each(OURS)("a tool that returns rubbish, in %s", (kind) => {
  const afterTool = async (options: HostOptions) => {
    const h = ourHost(kind, { model: [{ calls: [call("c1"), call("c2")] }], ...options });
    await h.prompt();
    const results = h.told.filter((line) => line.startsWith("toolResult"));
    expect(results).toHaveLength(2);
    expect(h.only("tool_execution_start", "tool_execution_end")).toHaveLength(4);
    expect(h.transcript.at(-1)).toBe("assistant[stop]:(script exhausted)");
    const resumed = Agent.resume([...h.agent.log], { streamFn: returning(undefined) });
    expect(briefs(resumed.state.messages)).toEqual(h.transcript);
    return results[0];
  };
  const giving = (value: unknown) => [tool("work", (async () => value) as unknown as AgentTool["execute"])];

  test.each<[string, unknown]>([
    ["a text as content", { content: "done", details: {} }],
    ["an empty block", { content: [null], details: {} }],
    ["a block without a type", { content: [{}], details: {} }],
    ["a text block without text", { content: [{ type: "text" }], details: {} }],
    ["fields that throw", thrower],
  ])("a result with %s: an error result that says so (tool-result-invalid)", async (_, value) => {
    expect(await afterTool({ tools: giving(value) })).toContain(
      `toolResult(c1)!:${FAULTS["tool-result-invalid"].text}`,
    );
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a number", 7],
    ["a string", "done"],
    ["an empty object", {}],
    ["no content", { content: undefined, details: {} }],
    ["flags that are no booleans", { content: [], details: {}, isError: "yes", terminate: "yes" }],
  ])("a tool that returns %s: the call has its one result and the run goes on", async (_, value) => {
    expect(await afterTool({ tools: giving(value) })).toMatch(/^toolResult\(c1\)/);
  });

  test("a tool without execute, and one whose preparation throws: error results", async () => {
    const [work] = giving(undefined);
    expect(await afterTool({ tools: [{ ...work, execute: undefined } as never] })).toMatch(/^toolResult\(c1\)!:/);
    const prepareArguments = () => {
      throw new Error("cannot prepare");
    };
    expect(await afterTool({ tools: [{ ...work, prepareArguments } as never] })).toBe("toolResult(c1)!:cannot prepare");
  });

  test.each<[string, Record<string, unknown>]>([
    ["beforeToolCall", { beforeToolCall: async () => "block" }],
    ["beforeToolCall with a strange reason", { beforeToolCall: async () => ({ block: true, reason: { no: 1 } }) }],
    ["afterToolCall", { afterToolCall: async () => 7 }],
    ["afterToolCall with strange content", { afterToolCall: async () => ({ content: "new", isError: "no" }) }],
    ["finishTurn", { finishTurn: () => "end" }],
    ["finishTurn with a strange action", { finishTurn: () => ({ action: "stop" }) }],
    ["prepareRequest", { prepareRequest: () => 7 }],
    ["prepareNextTurn", { prepareNextTurnWithContext: () => 7 }],
  ])("a hook that answers rubbish (%s) changes no rule", async (_, hooks) => {
    await afterTool(hooks as HostOptions);
  });
});

describe.each(OURS)("prepareNextTurn that supplies what is no message, in %s", (kind) => {
  test.each<[string, unknown]>([
    ["null", [null]],
    ["a message without a role", [{ content: "a" }]],
    ["a text", "ab"],
  ])("%s: the turn ends in an error, and the log can be taken over", async (_, messages) => {
    const h = ourHost(kind, {
      model: [{ calls: [call("c1")] }],
      prepareNextTurnWithContext: () => ({ messages }) as never,
    });
    await h.prompt();
    expect(h.transcript.at(-1)).toBe("assistant[error]:");
    expect(h.agent.state.isStreaming).toBe(false);
    const resumed = Agent.resume([...h.agent.log], { streamFn: returning(undefined) });
    expect(briefs(resumed.state.messages)).toEqual(h.transcript);
  });
});

describe.each(OURS)("hosts that give rubbish, in %s", (kind) => {
  test("a command whose content is not of its type is refused before anything is logged", async () => {
    const h = ourHost(kind);
    const before = h.agent.log.length;
    expect(() => h.agent.steer(undefined as never)).toThrow(expect.objectContaining({ code: "command-invalid" }));
    expect(() => h.agent.followUp({ content: "no role" } as never)).toThrow("followUp: message must be a message");
    expect(() => {
      h.agent.steeringMode = "some" as never;
    }).toThrow(
      expect.objectContaining({ code: "command-invalid", details: { command: "setSteeringMode", field: "mode" } }),
    );
    await expect(h.agent.prompt([user("fine"), 7 as never])).rejects.toMatchObject({
      code: "command-invalid",
      details: { command: "prompt", field: "messages[1]" },
    });
    expect(h.agent.log.length).toBe(before);
    expect(h.agent.steeringMode).toBe("one-at-a-time");
  });

  test("a transcript with something that is no message is refused, as often as it is tried", async () => {
    const h = ourHost(kind);
    h.agent.state.messages.push({ content: "no role" } as never);
    for (const _ of ["once", "twice"]) {
      await expect(h.until(h.agent.prompt("p"))).rejects.toMatchObject({ code: "command-invalid" });
    }
    h.agent.state.messages.pop();
    await h.prompt();
    const resumed = Agent.resume([...h.agent.log], { streamFn: returning(undefined) });
    expect(briefs(resumed.state.messages)).toEqual(h.transcript);
  });
});
