import type { StreamFn } from "@earendil-works/pi-agent-core";
import { describe, expect, test } from "vitest";
import { createAssistantMessageEventStream } from "../../src/pi/event-stream.ts";
import { scriptedMessage } from "../../src/testing/model-info.ts";
import { type HostOptions, host, type Kind, ourHost, user } from "./host.ts";

const call = (id: string, more: object = {}) => ({ id, tool: "work", ...more });
const broken = async () => {
  throw new Error("broke");
};
/** Starts to stream, then breaks. */
const breakingStream: StreamFn = () => {
  const partial = scriptedMessage([{ type: "text", text: "so far" }], "stop");
  const stream = createAssistantMessageEventStream();
  const events = (async function* () {
    yield { type: "start", partial } as const;
    throw new Error("broke");
  })();
  return Object.assign(stream, { [Symbol.asyncIterator]: () => events });
};

const OPENING = ["agent_start", "turn_start", "message_start user:p", "message_end user:p"];
const PI_SUFFIX = [
  "message_start assistant[error]:",
  "message_end assistant[error]:",
  "turn_end error 0",
  "agent_end 1",
];
const REPLY = ["message_start assistant[stop]:a", "message_end assistant[stop]:a"];
const failedTurn = (created: number) => [...PI_SUFFIX.slice(0, 3), `agent_end ${created}`];

interface Row {
  readonly where: string;
  readonly options: HostOptions;
  /** What comes before the failure suffix in Pi, and everything in strict. */
  readonly pi: readonly string[];
  readonly strict: readonly string[];
}

const inRequest = (where: string, options: HostOptions): Row => ({
  where,
  options,
  pi: OPENING,
  strict: [...OPENING, ...failedTurn(2)],
});

const ROWS: readonly Row[] = [
  inRequest("streamFn", { model: [{ throws: "broke" }] }),
  inRequest("streamFn, as a rejection", { model: [broken as unknown as StreamFn] }),
  inRequest("convertToLlm", { convertToLlm: broken }),
  inRequest("transformContext", { transformContext: broken }),
  inRequest("getApiKey", { getApiKey: broken }),
  inRequest("prepareRequest", { prepareRequest: broken }),
  {
    where: "the iteration of the stream",
    options: { model: [breakingStream] },
    pi: [...OPENING, "message_start assistant[stop]:so far"],
    strict: [
      ...OPENING,
      "message_start assistant[stop]:so far",
      "message_end assistant[error]:so far",
      "turn_end error 0",
      "agent_end 2",
    ],
  },
  {
    where: "finishTurn",
    options: { model: [{ text: "a" }], finishTurn: broken },
    pi: [...OPENING, ...REPLY],
    strict: [...OPENING, ...REPLY, "turn_end stop 0", "turn_start", ...failedTurn(3)],
  },
  {
    where: "finishTurn of a failed turn",
    options: { model: [{ text: "a", stop: "error", error: "first" }], finishTurn: broken },
    pi: [...OPENING, ...REPLY.map((line) => line.replace("stop", "error"))],
    strict: [...OPENING, ...REPLY.map((line) => line.replace("stop", "error")), "turn_end error 0", "agent_end 2"],
  },
  {
    where: "prepareNextTurn",
    options: { model: [{ text: "a" }], followUpMode: "all", prepareNextTurnWithContext: broken },
    pi: [...OPENING, ...REPLY, "turn_end stop 0"],
    strict: [...OPENING, ...REPLY, "turn_end stop 0", "turn_start", ...failedTurn(3)],
  },
];

const fail = async (kind: Kind, options: HostOptions) => {
  const h = host(kind, options);
  h.on("message_end", () => h.agent.followUp(user("f")), 2);
  await h.prompt();
  return h;
};

describe.each(["Pi", "pi-1.6"] as const)("failures as Pi tells them: %s", (kind) => {
  test.each(ROWS)(
    "E11: a throw in $where: what was told stays, the failure suffix follows, prompt() resolves",
    async (row) => {
      const h = await fail(kind, row.options);
      expect(h.lines).toEqual([...row.pi, ...PI_SUFFIX]);
      expect(h.agent.state.isStreaming).toBe(false);
    },
  );

  test("E11: the failure message: one empty text, no usage, error or aborted, the exception's text", async () => {
    for (const aborts of [false, true]) {
      const h = host(kind, { prepareRequest: broken });
      if (aborts) h.on("turn_start", () => h.agent.abort());
      await h.prompt();
      const message = h.agent.state.messages.at(-1);
      expect(message).toMatchObject({
        role: "assistant",
        content: [{ type: "text", text: "" }],
        stopReason: aborts ? "aborted" : "error",
        errorMessage: "broke",
        usage: { input: 0, output: 0, totalTokens: 0, cost: { total: 0 } },
      });
      const [end] = h.events.flatMap((event) => (event.type === "agent_end" ? [event] : []));
      expect(end?.messages).toEqual([message]);
      expect(h.agent.state.errorMessage).toBe("broke");
    }
  });
});

describe("failures in strict", () => {
  test.each(ROWS)("E12: a throw in $where stays within the grammar: INV-G1 to INV-G8 hold", async (row) => {
    const h = await fail("strict", row.options);
    expect(h.lines).toEqual(row.strict);
    const told = h.events.flatMap((event) => (event.type === "message_end" ? [event.message] : []));
    const end = h.events.at(-1);
    expect(end?.type === "agent_end" && end.messages).toEqual(told);
    expect(h.agent.state.messages.at(-1)).toMatchObject({ stopReason: "error" });
    expect(h.agent.state.isStreaming).toBe(false);
    await h.prompt("after it");
    expect(h.lines.at(-1)).toMatch(/^agent_end/);
  });

  test("E12: the prompt and what was drained are in the transcript or in their queue, never gone", async () => {
    let left = 1;
    const h = host("strict", { convertToLlm: (messages) => (left-- > 0 ? broken() : (messages as never)) });
    h.agent.steer(user("s"));
    h.agent.followUp(user("f"));
    await h.prompt();
    expect(h.transcript).toEqual(["user:p", "user:s", "assistant[error]:"]);
    expect(h.leftovers).toEqual(["f"]);
  });

  test("E12: a tool declaration that cannot be made fails the turn after the prompt was told", async () => {
    const h = host("strict");
    h.agent.state.tools = [{ ...h.agent.state.tools[0], parameters: { toJSON: () => undefined } } as never];
    await h.prompt();
    expect(h.lines).toEqual([...OPENING, ...failedTurn(2)]);
  });

  test("E14: nothing of a failed Trace appears in the next one (INV-T12)", async () => {
    const h = ourHost("strict", {
      model: [{ calls: [call("c1", { takes: 1 }), call("c2", { takes: 5, updates: 1 })] }],
      onListenerError: () => {},
    });
    h.agent.subscribe(({ type }) => {
      if (type === "tool_execution_end") throw new Error("a guest broke");
    });
    await h.prompt();
    expect(h.time.now).toBe(5);
    const first = h.lines.length;
    await h.prompt("second");
    expect(h.lines.slice(first).filter((line) => line.includes("c1") || line.includes("c2"))).toEqual([]);
    expect(h.lines.slice(0, first).filter((line) => line.startsWith("tool_execution_end"))).toHaveLength(2);
  });
});
