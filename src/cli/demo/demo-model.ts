import type { AgentMessage, StreamFn } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, Model, ToolCall } from "@earendil-works/pi-ai";
import { createAssistantMessageEventStream } from "../../pi/event-stream.ts";
import { messageText } from "../../replay/message-text.ts";

const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: NO_COST };

/** The model of the demo: it needs no key and no network. */
export const DEMO_MODEL: Model<string> = {
  id: "scripted",
  name: "Scripted demo model",
  api: "scripted",
  provider: "turnwright",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: NO_COST,
  contextWindow: 100_000,
  maxTokens: 4_096,
};

interface DemoReply {
  readonly text: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly path: string }[];
}

const SCRIPT: readonly ((messages: readonly AgentMessage[]) => DemoReply)[] = [
  () => ({
    text: "I will look at the folder and at package.json.",
    calls: [
      { id: "call-1", name: "list_files", path: "." },
      { id: "call-2", name: "read_file", path: "package.json" },
    ],
  }),
  (messages) => ({
    text: `There are ${entryCount(messages)} entries; runtime dependencies: ${dependencies(messages)}.`,
  }),
  () => ({ text: "I will read the licence.", calls: [{ id: "call-3", name: "read_file", path: "LICENSE" }] }),
  (messages) => ({ text: `The licence is: ${resultOf(messages, "call-3").split("\n")[0]}.` }),
];

/** Plays the script, one reply a request, each word a chunk; answers an aborted signal as providers do. */
export function demoStream(pause: () => Promise<void>): StreamFn {
  let request = 0;
  return (_model, context, options) => {
    const reply = SCRIPT[request++]?.(context.messages as AgentMessage[]) ?? { text: "The script is over." };
    const stream = createAssistantMessageEventStream();
    const message: AssistantMessage = {
      role: "assistant",
      content: [{ type: "text", text: "" }],
      api: DEMO_MODEL.api,
      provider: DEMO_MODEL.provider,
      model: DEMO_MODEL.id,
      usage: NO_USAGE,
      stopReason: reply.calls ? "toolUse" : "stop",
      timestamp: 0,
    };
    const saying = (text: string): AssistantMessage => ({ ...message, content: [{ type: "text", text }] });
    const speak = async () => {
      stream.push({ type: "start", partial: saying("") });
      let said = "";
      for (const word of reply.text.split(/(?<= )/)) {
        await pause();
        if (options?.signal?.aborted) {
          const error: AssistantMessage = {
            ...saying(said),
            stopReason: "aborted",
            errorMessage: "Request was aborted",
          };
          stream.push({ type: "error", reason: "aborted", error });
          return;
        }
        said += word;
        stream.push({ type: "text_delta", contentIndex: 0, delta: word, partial: saying(said) });
      }
      const calls = (reply.calls ?? []).map(
        ({ id, name, path }): ToolCall => ({ type: "toolCall", id, name, arguments: { path } }),
      );
      const final: AssistantMessage = { ...message, content: [{ type: "text", text: said }, ...calls] };
      stream.push({ type: "done", reason: reply.calls ? "toolUse" : "stop", message: final });
    };
    void speak();
    return stream;
  };
}

function resultOf(messages: readonly AgentMessage[], callId: string): string {
  return messageText(messages.find((message) => message.role === "toolResult" && message.toolCallId === callId));
}

function entryCount(messages: readonly AgentMessage[]): number {
  return resultOf(messages, "call-1").split("\n").length;
}

function dependencies(messages: readonly AgentMessage[]): string {
  const manifest = JSON.parse(resultOf(messages, "call-2")) as { readonly dependencies?: Record<string, string> };
  return Object.keys(manifest.dependencies ?? {}).join(", ");
}
