import type { AgentMessage } from "@earendil-works/pi-agent-core";

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
}

interface Body {
  readonly role: string;
  readonly content?: string | readonly Block[];
  readonly stopReason?: string;
  readonly toolCallId?: string;
  readonly isError?: boolean;
}

/** One message as a string: `user:hi`, `assistant[toolUse]:text>c1,c2`, `toolResult(c1):ok`, `toolResult(c1)!:failed`. */
export function brief(message: AgentMessage): string {
  const body = message as Body;
  const text = textOf(message);
  if (body.role === "toolResult") return `toolResult(${body.toolCallId})${body.isError ? "!" : ""}:${text}`;
  if (body.role !== "assistant") return `${body.role}:${text}`;
  const calls = blocksOf(body).flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
  return `assistant[${body.stopReason}]:${text}${calls.length > 0 ? `>${calls.join(",")}` : ""}`;
}

/** The briefs of a conversation; system messages are left out. */
export function briefs(messages: readonly AgentMessage[]): string[] {
  return messages.filter(isConversation).map(brief);
}

/** Everything but the system's own messages. */
export function isConversation(message: AgentMessage): boolean {
  return message.role !== "system";
}

/** The text blocks of a message, joined. */
export function textOf(message: AgentMessage): string {
  const body = message as Body;
  if (typeof body.content === "string") return body.content;
  return blocksOf(body)
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("");
}

function blocksOf({ content }: Body): readonly Block[] {
  return typeof content === "object" ? content : [];
}
