import type { SystemMessage, Tool } from "@earendil-works/pi-ai";
import { DeclaredTools } from "./tool-declarations.ts";

/** The message that a transcript starts with; undefined when there is neither a prompt nor a tool to tell of. */
export function initialSystemMessage(
  prompt: string | undefined,
  declarations: Tool[] | undefined,
): SystemMessage | undefined {
  const toolsAdded = declarations?.length ? { toolsAdded: declarations } : {};
  if (!prompt && !declarations?.length) return undefined;
  return { role: "system", content: prompt ?? "", ...toolsAdded, timestamp: 0 };
}

/**
 * All system messages of a transcript as one: their texts, the prompt sections as last set, the tools that are declared
 * in the end. Undefined without any.
 */
export function currentSystemMessage(messages: readonly { readonly role: string }[]): SystemMessage | undefined {
  const texts: string[] = [];
  const sections = new Map<string, string>();
  let timestamp: number | undefined;
  for (const message of messages.filter(isSystemMessage)) {
    timestamp ??= message.timestamp;
    texts.push(textOf(message));
    for (const [name, text] of Object.entries(message.sections ?? {})) {
      if (text === null) sections.delete(name);
      else sections.set(name, text);
    }
  }
  const tools = DeclaredTools.of(messages).list();
  if (timestamp === undefined && tools.length === 0) return undefined;
  return {
    role: "system",
    content: paragraphs(texts),
    ...(sections.size > 0 ? { sections: Object.fromEntries(sections) } : {}),
    ...(tools.length > 0 ? { toolsAdded: tools } : {}),
    timestamp: timestamp ?? 0,
  };
}

/** The system prompt that a transcript amounts to: the text and then the sections; empty without any. */
export function systemPromptText(messages: readonly { readonly role: string }[]): string {
  const current = currentSystemMessage(messages);
  if (!current) return "";
  const sections = Object.values(current.sections ?? {}).filter((text) => text !== null);
  return paragraphs([textOf(current), ...sections]);
}

function textOf({ content }: SystemMessage): string {
  if (typeof content === "string") return content;
  const blocks = content.filter(({ type }) => type === "text");
  return blocks.map(({ text }) => text).join("\n");
}

function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text.length > 0).join("\n\n");
}

function isSystemMessage(message: { readonly role: string }): message is SystemMessage {
  return message.role === "system";
}
