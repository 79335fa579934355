import {
  type AgentLoopConfig,
  type AgentMessage,
  Agent as PiAgent,
  type StreamFn,
} from "@earendil-works/pi-agent-core";
import { describe, expect, test } from "vitest";
import { decodeLog, encodeRecord } from "../../src/log/codec.ts";
import { Agent } from "../../src/pi/agent.ts";
import { agentLoop, runAgentLoop } from "../../src/pi/agent-loop.ts";
import type { AgentOptions } from "../../src/pi/agent-options.ts";
import { createAssistantMessageEventStream } from "../../src/pi/event-stream.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { briefs, textOf } from "../../src/testing/brief.ts";
import { SCRIPTED_MODEL, scriptedMessage } from "../../src/testing/model-info.ts";
import type { Reply } from "../../src/testing/scenario.ts";
import { type Host, type HostOptions, OURS, ourHost, resumedHost, text, tool, user } from "./host.ts";
import { errorSaying, explosive, revoked, throwing } from "./hostile-values.ts";

const call = (id: string) => ({ id, tool: "work" });
const TWO_CALLS: readonly Reply[] = [{ calls: [call("c1"), call("c2")] }, { text: "b" }];
const silent: StreamFn = () => new Promise<never>(() => {});
const options: AgentOptions = { streamFn: silent };

const written = (agent: Agent) => decodeLog([...agent.log].map(encodeRecord).join("\n"), "x");
const settled = () => new Promise((resolve) => setImmediate(resolve));
const thrown = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};
const returning = (content: () => unknown) => [
  tool("work", async () => ({ content: content(), details: {} }) as never),
];

/** The log, as text and as records, makes an agent that is like the live one. */
const expectReadable = ({ agent, transcript }: Host<Agent>) => {
  for (const records of [written(agent), [...agent.log]]) {
    const resumed = Agent.resume(records, options);
    expect(resumed.digest()).toBe(agent.digest());
    expect(briefs(resumed.state.messages)).toEqual(transcript);
  }
};

test("A1: the fields of the state are its own, and in Pi's order: it can be spread and serialized", () => {
  const messages = [user("m")];
  const { agent } = ourHost("strict", { messages, tools: [] });
  const pi = new PiAgent({ initialState: { messages, model: SCRIPTED_MODEL }, streamFn: silent });
  expect(Object.keys(agent.state)).toEqual(Object.keys(pi.state));
  expect(Object.getPrototypeOf(agent.state)).toBe(Object.prototype);
  expect({ ...agent.state }.messages).toEqual(messages);
  expect(JSON.parse(JSON.stringify(agent.state)).messages).toEqual(messages);
});

const FAULTS: Record<string, { options?: HostOptions; before?: (h: Host<Agent>) => unknown }> = {
  "a hook throws an object without prototype": { options: { prepareRequest: throwing(Object.create(null)) } },
  "a hook throws an error whose message is a number": { options: { prepareRequest: throwing(errorSaying(42)) } },
  "a hook throws an error without message": { options: { prepareRequest: throwing(errorSaying(undefined)) } },
  "a tool's content throws when it is read": { options: { tools: returning(explosive) } },
  "a tool's content is a revoked proxy": { options: { tools: returning(revoked) } },
  "a listener freezes the transcript": {
    before: (h) => h.on("turn_start", () => Object.freeze(h.agent.state.messages)),
  },
  "the next turn's context has frozen messages": {
    options: { prepareNextTurn: () => ({ context: { messages: Object.freeze([user("q")]) as AgentMessage[] } }) },
    before: (h) => h.agent.steer(user("s1")) && h.agent.steer(user("s2")),
  },
  "finishTurn freezes the new messages": {
    options: { finishTurn: ({ newMessages }) => void Object.freeze(newMessages) },
  },
  "a hook throws while the agent has no model": {
    options: { prepareRequest: throwing(new Error("broke")) },
    before: (h) => Object.assign(h.agent.state, { model: undefined }),
  },
};

describe.each(OURS)("whatever the host throws, freezes or returns, in %s", (kind) => {
  test.each(Object.keys(FAULTS))("the run ends, the next one works and the log is readable: %s", async (name) => {
    const { options = {}, before } = FAULTS[name] ?? {};
    const h = ourHost(kind, { model: TWO_CALLS, ...options });
    before?.(h);
    await h.prompt();
    expect(h.agent.state.isStreaming).toBe(false);
    expect(h.only("agent_start", "agent_end")).toHaveLength(2);
    expectReadable(h);
    h.agent.prepareRequest = () => undefined;
    h.agent.state.model = SCRIPTED_MODEL;
    await h.prompt("again");
    expect(h.transcript.at(-1)).toMatch(/^assistant\[stop\]:/);
    expectReadable(h);
  });
});

describe.each(OURS)("the log owns its lists, in %s", (kind) => {
  test.each([
    ["grows", (list: AgentMessage[]) => list.push(user("late"))],
    ["is emptied", (list: AgentMessage[]) => list.splice(0)],
  ])("a prompt's array that %s after the call changes nothing", async (_, mutate) => {
    const h = ourHost(kind, { model: [{ text: "a" }], digests: true });
    const list = [user("p1"), user("p2")];
    const run = h.agent.prompt(list);
    mutate(list);
    await h.until(run);
    expect(h.transcript).toEqual(["user:p1", "user:p2", "assistant[stop]:a"]);
    expectReadable(h);
  });

  test("the array that prepareNextTurn returned may be emptied as soon as its first message is told", async () => {
    const notes = [user("n1"), user("n2")];
    const h = ourHost(kind, { model: TWO_CALLS, digests: true, prepareNextTurn: () => ({ messages: notes }) });
    h.agent.subscribe((event) => {
      if (event.type === "message_end" && textOf(event.message) === "n1") notes.length = 0;
    });
    await h.prompt();
    expect(h.told.slice(-3)).toEqual(["user:n1", "user:n2", "assistant[stop]:b"]);
    expectReadable(h);
  });
});

describe.each(OURS)("the transcript assigned inside a listener is the resumed one, in %s", (kind) => {
  const assigning = async (nth: number, messages: AgentMessage[]) => {
    const h = ourHost(kind, { model: TWO_CALLS });
    const edited = () => h.agent.state.messages.map((message, n) => (n === 0 ? message : user(`edited ${n}`)));
    h.on("message_end", () => Object.assign(h.agent.state, { messages: edited() }), nth);
    await h.until(h.agent.prompt(messages));
    expect(h.told).toEqual([
      ...briefs(messages),
      "assistant[toolUse]:>c1,c2",
      "toolResult(c1):c1 ok",
      "toolResult(c2):c2 ok",
      "assistant[stop]:b",
    ]);
    return h;
  };

  test("at the end of the first result of two", async () => {
    const h = await assigning(3, [user("p")]);
    const edited = ["user:edited 1", "user:edited 2", "user:edited 3"];
    expect(h.transcript).toEqual([...edited, "toolResult(c2):c2 ok", "assistant[stop]:b"]);
    expectReadable(h);
  });

  test("at the end of the first prompt message of two", async () => {
    const h = await assigning(1, [user("p1"), user("p2")]);
    expect(h.transcript.slice(0, 2)).toEqual(["user:edited 1", "user:p2"]);
    expectReadable(h);
  });

  test("at the first start of a message", async () => {
    const h = ourHost(kind, { model: TWO_CALLS });
    h.on("message_start", () => Object.assign(h.agent.state, { messages: [user("other")] }));
    await h.prompt();
    expect(h.transcript.slice(0, 2)).toEqual(["user:other", "user:p"]);
    expectReadable(h);
  });
});

describe.each(OURS)("methods handed to emitters, in %s", (kind) => {
  test("A10: abort called with an event aborts, and the log stays readable", async () => {
    const h = ourHost(kind, { model: [{ text: "a", chunks: 3, takes: 5 }] });
    h.on("message_update", () => h.agent.abort({ type: "cancel", id: 7 } as never));
    await h.prompt();
    expect(h.transcript.at(-1)).toMatch(/^assistant\[aborted\]/);
    expectReadable(h);
  });

  test("G5: steer queues its message, whatever message its options have", () => {
    const h = ourHost(kind);
    h.agent.steer(user("mine"), { message: user("other") } as never);
    expect(h.leftovers).toEqual(["mine"]);
    expect(Agent.resume(written(h.agent), options).peekQueuedMessages().map(textOf)).toEqual(["mine"]);
  });
});

describe.each(OURS)("after a crash in mid-run, in %s", (kind) => {
  test("law 5: a prompt repeated with its key resolves; one without is refused as interrupted", async () => {
    const h = ourHost(kind, { model: [silent] });
    void h.agent.prompt("p", undefined, { key: "k" });
    await settled();
    const after = resumedHost(written(h.agent), { model: [{ text: "a" }] });
    await after.agent.prompt("p", undefined, { key: "k" });
    await expect(after.agent.prompt("p")).rejects.toMatchObject({ code: "interrupted" });
    await after.until(after.agent.resume());
    expect(after.transcript).toEqual(["user:p", "assistant[stop]:a"]);
  });

  test("law 4: what is pushed before resume() is logged, and the model gets one result for each call", async () => {
    let runs = 0;
    const hanging = tool("work", async (id) => (++runs === 1 ? text(`${id} ok`) : new Promise<never>(() => {})));
    const h = ourHost(kind, { model: TWO_CALLS, tools: [hanging], toolExecution: "sequential" });
    void h.agent.prompt("p");
    await settled();
    const after = resumedHost(written(h.agent), { model: [{ text: "b" }], toolExecution: "sequential" });
    after.agent.state.messages.push(user("pushed"));
    await after.until(after.agent.resume());
    const [seen = []] = after.requests;
    expect(seen.filter((line) => line.startsWith("toolResult(c1)"))).toHaveLength(1);
    expect(seen.filter((line) => line.startsWith("toolResult(c2)"))).toHaveLength(1);
    expect(after.transcript).toContain("user:pushed");
    expectReadable(after);
  });
});

describe.each(["parallel", "sequential"] as const)(
  "law 3: with a clock that never stands still, %s",
  (toolExecution) => {
    test.each(OURS)("results have the same times live and resumed, in %s", async (profile) => {
      let now = 0;
      const tick = () => {
        now += 1000;
        return now;
      };
      const clock: Clock = { now: tick, monotonic: tick, sleep: systemClock.sleep };
      let requests = 0;
      const streamFn: StreamFn = () => {
        const calls = ["c1", "c2"].map((id) => ({ type: "toolCall" as const, id, name: "work", arguments: {} }));
        const stream = createAssistantMessageEventStream();
        stream.end(requests++ === 0 ? scriptedMessage(calls, "toolUse") : scriptedMessage([], "stop"));
        return stream;
      };
      const tools = [tool("work", async () => text("ok"))];
      const agent = new Agent({ profile, clock, toolExecution, streamFn, initialState: { tools } });
      agent.subscribe((event) => {
        if (event.type === "tool_execution_end" || event.type === "message_start") agent.steer(user("s"));
        if (event.type === "message_end") agent.clearAllQueues();
      });
      await agent.prompt("p");
      const times = ({ state }: Agent) =>
        state.messages.flatMap((message) => (message.role === "toolResult" ? [message.timestamp] : []));
      expect(times(agent)).toHaveLength(2);
      expect(times(Agent.resume(written(agent), options))).toEqual(times(agent));
    });
  },
);

test("A9: a reserved message is queued while prepareNextTurn runs, in strict", async () => {
  const seen: unknown[] = [];
  const h: Host<Agent> = ourHost("strict", {
    prepareNextTurn: () => {
      seen.push([h.agent.hasQueuedMessages(), h.agent.peekQueuedMessages().map(textOf)]);
      return undefined;
    },
  });
  h.on("turn_end", () => h.agent.steer(user("s")));
  await h.prompt();
  expect(seen).toEqual([[true, ["s"]]]);
});

test("L15: without a model, the raw loop still fails with the host's own error, and its stream ends", async () => {
  const broken = { convertToLlm: () => [], transformContext: throwing(new Error("original")) };
  const config = broken as unknown as AgentLoopConfig;
  const context = { messages: [] };
  await expect(runAgentLoop([user("p")], context, config, () => {}, undefined, silent)).rejects.toThrow("original");
  const events: string[] = [];
  for await (const { type } of agentLoop([user("p")], context, config, undefined, silent)) events.push(type);
  expect(events.at(-1)).toBe("agent_end");
});

describe.each(OURS)("what cannot be is refused, and named, in %s", (kind) => {
  test("a transcript of what is no message is not assigned", async () => {
    const h = ourHost(kind, { messages: [user("m")] });
    const records = h.agent.log.length;
    const assign = () => Object.assign(h.agent.state, { messages: [{}] });
    expect(thrown(assign)).toMatchObject({ code: "command-invalid" });
    expect([h.transcript, h.agent.log.length]).toEqual([["user:m"], records]);
    expectReadable(h);
  });

  test("law 5: a key that another type of command has is refused", () => {
    const h = ourHost(kind);
    h.agent.steer(user("s"), { key: "k" });
    expect(thrown(() => h.agent.followUp(user("f"), { key: "k" }))).toMatchObject({ code: "key-reused" });
    expect([h.leftovers, h.agent.log.length]).toEqual([["s"], 2]);
  });

  test("a resumed subclass is of that subclass", () => {
    class Sub extends Agent {}
    expect(Sub.resume(ourHost(kind).agent.log, options)).toBeInstanceOf(Sub);
  });
});

test.each([
  ["profile", { profile: "pi-2" }],
  ["steeringMode", { steeringMode: "some" }],
  ["followUpMode", { followUpMode: "some" }],
  ["policy.onAbort", { policy: { onAbort: "never" } }],
  ["policy.onabort", { policy: { onabort: "boundary" } }],
])("a constructor option that no log could keep is refused, and named: %s", (field, bad) => {
  const error = thrown(() => new Agent({ streamFn: silent, ...bad } as AgentOptions));
  expect(error).toMatchObject({ code: "options-invalid", details: { field } });
  expect(String(error)).toContain(field);
});
