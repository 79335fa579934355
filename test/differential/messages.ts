import type { AgentMessage, ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { ImageContent, Model, TextContent, Tool, Usage } from "@earendil-works/pi-ai";
import type { MessageSpec } from "./program.ts";

export const USAGE: Usage = {
  input: 3,
  output: 2,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 5,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

function model(id: string, provider: string, reasoning: boolean): Model<string> {
  return {
    id,
    name: id,
    api: "scripted",
    provider,
    baseUrl: "",
    reasoning,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 100_000,
    maxTokens: 4_096,
  };
}

/** The models that programs name by index. */
export const MODELS: readonly Model<string>[] = [
  model("plain", "scripted", false),
  model("thinker", "scripted", true),
  model("other", "elsewhere", false),
];

export const THINKING_LEVELS: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

export function modelAt(index: number): Model<string> {
  const found = MODELS[index % MODELS.length];
  if (found === undefined) throw new Error(`no model ${index}`);
  return found;
}

export function images(count: number): ImageContent[] {
  return Array.from({ length: count }, (_, index) => ({ type: "image", data: `aW1h${index}`, mimeType: "image/png" }));
}

/** A new message object of a description. Tool declarations are looked up in the program's catalogue. */
export function buildMessage(spec: MessageSpec, declare: (index: number) => Tool): AgentMessage {
  switch (spec.role) {
    case "user": {
      if (spec.plain) return { role: "user", content: spec.text, timestamp: 0 };
      const content: (TextContent | ImageContent)[] = [{ type: "text", text: spec.text }, ...images(spec.images ?? 0)];
      return { role: "user", content, timestamp: 0 };
    }
    case "custom":
      // Hosts extend the union of messages with roles of their own; this is one such role.
      return {
        role: "custom",
        customType: "note",
        content: spec.text,
        display: true,
        timestamp: 0,
      } as unknown as AgentMessage;
    case "system":
      return {
        role: "system",
        content: spec.text,
        ...(spec.sections ? { sections: { ...spec.sections } } : {}),
        ...(spec.toolsAdded ? { toolsAdded: spec.toolsAdded.map(declare) } : {}),
        ...(spec.toolsRemoved ? { toolsRemoved: spec.toolsRemoved.map((name) => ({ name })) } : {}),
        timestamp: 0,
      };
    case "assistant":
      return {
        role: "assistant",
        content: [
          { type: "text", text: spec.text },
          ...(spec.call ? [{ type: "toolCall" as const, id: spec.call, name: "work", arguments: {} }] : []),
        ],
        api: "scripted",
        provider: "scripted",
        model: "plain",
        usage: USAGE,
        stopReason: spec.stop,
        timestamp: 0,
      };
    case "toolResult":
      return {
        role: "toolResult",
        toolCallId: spec.id,
        toolName: "work",
        content: [{ type: "text", text: spec.text }],
        details: {},
        isError: false,
        timestamp: 0,
      };
  }
}
