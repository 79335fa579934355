import type { AssistantMessage, Model } from "@earendil-works/pi-ai";

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** The model that a scripted agent is configured with. */
export const SCRIPTED_MODEL: Model<"scripted"> = {
  id: "scripted",
  name: "scripted",
  api: "scripted",
  provider: "scripted",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: FREE,
  contextWindow: 100_000,
  maxTokens: 4_096,
};

/** An assistant message of the scripted model; it costs nothing and has no time. */
export function scriptedMessage(
  content: AssistantMessage["content"],
  stopReason: AssistantMessage["stopReason"],
  errorMessage?: string,
): AssistantMessage {
  return {
    role: "assistant",
    content,
    api: SCRIPTED_MODEL.api,
    provider: SCRIPTED_MODEL.provider,
    model: SCRIPTED_MODEL.id,
    usage: { ...FREE, totalTokens: 0, cost: { ...FREE, total: 0 } },
    stopReason,
    ...(errorMessage ? { errorMessage } : {}),
    timestamp: 0,
  };
}
