import {
  type AgentEvent,
  type AgentLoopConfig,
  type AgentTool,
  type AgentToolResult,
  runAgentLoop,
} from "@earendil-works/pi-agent-core";
import { type AssistantMessage, createAssistantMessageEventStream, type Message } from "@earendil-works/pi-ai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  errorResult,
  OPERATION_ABORTED,
  TOOL_BLOCKED,
  toolNotFound,
  toolResultMessage,
  truncatedCall,
} from "../../src/pi/texts.ts";
import { assistantMessage, MODEL, toolCall } from "./messages.ts";
import { RETURNED } from "./tool-call-programs.ts";

const NOW = 1000;

interface Circumstances {
  name?: string;
  stopReason?: AssistantMessage["stopReason"];
  hooks?: Pick<AgentLoopConfig, "beforeToolCall">;
  signal?: AbortSignal;
}

/** The end of one call and its message, as Pi's loop tells them. */
async function endInPi(
  value: unknown,
  { name = "work", stopReason = "toolUse", hooks = {}, signal }: Circumstances = {},
) {
  const tool: AgentTool = {
    name: "work",
    label: "work",
    description: "",
    parameters: {},
    execute: async () => value as AgentToolResult,
  };
  const events: AgentEvent[] = [];
  await runAgentLoop(
    [],
    { messages: [], tools: [tool] },
    {
      model: MODEL,
      convertToLlm: (messages) => messages as Message[],
      finishTurn: () => ({ action: "end" }),
      ...hooks,
    },
    (event) => void events.push(event),
    signal,
    () => {
      const stream = createAssistantMessageEventStream();
      stream.end(assistantMessage({ content: [toolCall({ name })], stopReason }));
      return stream;
    },
  );
  const end = events.find((event) => event.type === "tool_execution_end");
  const turn = events.find((event) => event.type === "turn_end");
  if (!end || !turn) throw new Error("the loop ended no tool call");
  return { end, message: turn.toolResults[0] };
}

describe("E3, T2, T9: what the model is told of a call", () => {
  beforeEach(() => {
    vi.spyOn(Date, "now").mockReturnValue(NOW);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each(Object.entries(RETURNED))("is Pi's message for a tool that returns: %s", async (_shape, make) => {
    const { end, message } = await endInPi(make());
    const { result, isError, durationMs } = end;
    const timed = durationMs === undefined ? {} : { durationMs };
    const ours = toolResultMessage({ toolCall: toolCall(), result, isError, ...timed }, NOW);
    expect(ours).toStrictEqual(message);
    expect(JSON.stringify(ours)).toBe(JSON.stringify(message));
  });

  it.each<[string, string, Circumstances]>([
    ["unknown", toolNotFound("nowhere"), { name: "nowhere" }],
    ["truncated", truncatedCall("work"), { stopReason: "length" }],
    ["blocked", TOOL_BLOCKED, { hooks: { beforeToolCall: async () => ({ block: true }) } }],
    ["aborted", OPERATION_ABORTED, { signal: AbortSignal.abort() }],
  ])("is Pi's text for a call that was %s", async (_why, text, how) => {
    const { end, message } = await endInPi(undefined, how);
    expect(errorResult(text)).toStrictEqual(end.result);
    const named = toolCall(how.name ? { name: how.name } : {});
    expect(toolResultMessage({ toolCall: named, result: errorResult(text), isError: true }, NOW)).toStrictEqual(
      message,
    );
  });
});
