import type { AgentMessage } from "@earendil-works/pi-agent-core";

interface Block {
  type: string;
  text?: string;
  id?: string;
}

/** One message in one line: role, how it stopped, its text, its calls. */
export function brief(message: AgentMessage): string {
  const { role, content } = message as { role: string; content: string | Block[] | undefined };
  const blocks = Array.isArray(content) ? content : [];
  const text = typeof content === "string" ? content : blocks.map((block) => block.text ?? `<${block.type}>`).join("");
  if (message.role === "assistant") return `assistant[${message.stopReason}]:${text}`;
  if (message.role === "toolResult") return `toolResult(${message.toolCallId})${message.isError ? "!" : ""}:${text}`;
  return `${role}:${text}`;
}

export function briefs(messages: readonly AgentMessage[] | undefined): string[] | undefined {
  return messages?.map(brief);
}
