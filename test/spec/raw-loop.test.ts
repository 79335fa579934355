import {
  type AgentContext,
  type AgentEvent,
  type AgentLoopConfig,
  type AgentMessage,
  agentLoopContinue as piLoopContinue,
  runAgentLoop as piRunLoop,
  runAgentLoopContinue as piRunLoopContinue,
  type StreamFn,
} from "@earendil-works/pi-agent-core";
import { describe, expect, test } from "vitest";
import { agentLoop, agentLoopContinue, runAgentLoop, runAgentLoopContinue } from "../../src/pi/agent-loop.ts";
import { createAssistantMessageEventStream } from "../../src/pi/event-stream.ts";
import { briefs } from "../../src/testing/brief.ts";
import { eventLine } from "../../src/testing/event-line.ts";
import { SCRIPTED_MODEL, scriptedMessage } from "../../src/testing/model-info.ts";
import { user } from "./host.ts";

const answering: StreamFn = () => {
  const stream = createAssistantMessageEventStream();
  stream.end(scriptedMessage([{ type: "text", text: "a" }], "stop"));
  return stream;
};
const throwing: StreamFn = () => {
  throw new Error("broke");
};
const config = (more: Partial<AgentLoopConfig> = {}): AgentLoopConfig => ({
  model: SCRIPTED_MODEL,
  convertToLlm: (messages: AgentMessage[]) => messages as never,
  ...more,
});
const context = (...messages: AgentMessage[]): AgentContext => ({ messages });
const assistant = () => scriptedMessage([{ type: "text", text: "before" }], "stop");

const LOOPS = [
  { name: "Pi", run: piRunLoop, runContinue: piRunLoopContinue, loopContinue: piLoopContinue },
  { name: "ours", run: runAgentLoop, runContinue: runAgentLoopContinue, loopContinue: agentLoopContinue },
];

describe.each(LOOPS)("L15: the raw loop: $name", ({ run, runContinue, loopContinue }) => {
  test.each([
    ["Cannot continue: no messages in context", context()],
    ["Cannot continue from message role: assistant", context(user("p"), assistant())],
  ])("L15: continuing is refused at once with: %s", async (refusal, from) => {
    expect(() => loopContinue(from, config(), undefined, answering)).toThrow(refusal);
    await expect(runContinue(from, config(), () => {}, undefined, answering)).rejects.toThrow(refusal);
  });

  test("L15: an exception inside goes to the caller, without a failure suffix", async () => {
    const lines: string[] = [];
    const emit = (event: AgentEvent) => void lines.push(eventLine(event));
    await expect(run([user("p")], context(), config(), emit, undefined, throwing)).rejects.toThrow("broke");
    expect(lines).toEqual(["agent_start", "turn_start", "message_start user:p", "message_end user:p"]);
  });

  test("L15: the loop's polls are the host's: P0, P1 and P3 in their places", async () => {
    const polls: string[] = [];
    const [steering, followUps] = [[[user("s0")], [], [user("s1")]], [[user("f1")]]];
    const created = await run(
      [user("p")],
      context(),
      config({
        getSteeringMessages: async () => {
          polls.push("steering");
          return steering.shift() ?? [];
        },
        getFollowUpMessages: async () => {
          polls.push("followUp");
          return followUps.shift() ?? [];
        },
      }),
      () => {},
      undefined,
      answering,
    );
    expect(briefs(created).filter((line) => line.startsWith("user"))).toEqual([
      "user:p",
      "user:s0",
      "user:f1",
      "user:s1",
    ]);
    expect(polls).toEqual(["steering", "steering", "followUp", "steering", "steering", "followUp"]);
  });
});

describe("L15: the raw loop as a stream", () => {
  const collect = async (stream: AsyncIterable<AgentEvent>) => {
    const lines: string[] = [];
    for await (const event of stream) lines.push(eventLine(event));
    return lines;
  };

  test("L15: where Pi's stream never ends after a throw, ours ends with the failure suffix", async () => {
    for (const [stream, opening] of [
      [
        agentLoop([user("p")], context(), config(), undefined, throwing),
        ["message_start user:p", "message_end user:p"],
      ],
      [agentLoopContinue(context(user("p")), config(), undefined, throwing), []],
    ] as const) {
      expect(await collect(stream)).toEqual([
        "agent_start",
        "turn_start",
        ...opening,
        "message_start assistant[error]:",
        "message_end assistant[error]:",
        "turn_end error 0",
        "agent_end 1",
      ]);
      expect(briefs(await stream.result())).toEqual(["assistant[error]:"]);
    }
  });

  test("L15: a run without a throw ends with agent_end and the created messages as its result", async () => {
    const stream = agentLoop([user("p")], context(user("before")), config(), undefined, answering);
    expect((await collect(stream)).at(-1)).toBe("agent_end 2");
    expect(briefs(await stream.result())).toEqual(["user:p", "assistant[stop]:a"]);
  });
});
