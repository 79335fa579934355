import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { ImageContent } from "@earendil-works/pi-ai";

/** What prompt() was given, as messages: a text becomes one user message, with its images behind it. */
export function promptMessages(
  input: string | AgentMessage | AgentMessage[],
  images: readonly ImageContent[] | undefined,
  now: number,
): AgentMessage[] {
  if (Array.isArray(input)) return [...input];
  if (typeof input !== "string") return [input];
  return [{ role: "user", content: [{ type: "text", text: input }, ...(images ?? [])], timestamp: now }];
}
