import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, Model, ToolCall } from "@earendil-works/pi-ai";

export const MODEL: Model<string> = {
  id: "m",
  name: "m",
  api: "a",
  provider: "p",
  baseUrl: "",
  reasoning: false,
  input: [],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 0,
  maxTokens: 0,
};

export function assistantMessage(parts: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: "a",
    provider: "p",
    model: "m",
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "stop",
    timestamp: 5,
    ...parts,
  };
}

export function toolCall(parts: Partial<ToolCall> = {}): ToolCall {
  return { type: "toolCall", id: "c1", name: "work", arguments: {}, ...parts };
}

/** A message of a kind that only the host knows. */
export const customMessage = { role: "custom", content: "note", timestamp: 4 } as unknown as AgentMessage;
