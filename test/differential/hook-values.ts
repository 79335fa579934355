import type { AfterToolCallResult, AgentContext, AgentMessage } from "@earendil-works/pi-agent-core";
import type { Message } from "@earendil-works/pi-ai";
import { USAGE } from "./messages.ts";
import type { AfterToolCallSpec, TurnUpdate } from "./program.ts";
import type { Toolbox } from "./tools.ts";

const NOTE: AgentMessage = { role: "user", content: "(note of a hook)", timestamp: 0 };

/** What hosts do in `beforeToolCall`: change arguments in place. */
export function editArgs(args: unknown): void {
  if (typeof args === "object" && args !== null) Object.assign(args, { edited: true, path: "edited by hook" });
}

/** What hosts do in `afterToolCall`: change the result in place. */
export function editResult(result: unknown): void {
  if (typeof result === "object" && result !== null) Object.assign(result, { details: "edited by hook" });
}

export function overrideResult(spec: AfterToolCallSpec): AfterToolCallResult {
  return {
    ...(spec.text === undefined ? {} : { content: [{ type: "text", text: spec.text }] }),
    ...(spec.isError === undefined ? {} : { isError: spec.isError }),
    ...(spec.terminate === undefined ? {} : { terminate: spec.terminate }),
    ...(spec.details === undefined ? {} : { details: { note: spec.details } }),
    ...(spec.structured ? { structuredContent: { replaced: true } } : {}),
    ...(spec.usage ? { usage: USAGE } : {}),
  };
}

export function editContext(
  context: AgentContext,
  edit: NonNullable<TurnUpdate["context"]>,
  toolbox: Toolbox,
): AgentContext {
  const { tools, ...rest } = context;
  const messages = editMessages(context.messages, edit.messages);
  if (edit.tools === "none") return { ...rest, messages };
  return { ...rest, messages, tools: edit.tools === undefined ? (tools ?? []) : toolbox.pick(edit.tools) };
}

function editMessages(messages: AgentMessage[], edit: NonNullable<TurnUpdate["context"]>["messages"]): AgentMessage[] {
  switch (edit) {
    case "same":
      return messages;
    case "push":
      messages.push({ ...NOTE });
      return messages;
    case "copy":
      return [...messages];
    case "dropFirst":
      return messages.slice(1);
    case "dropLast":
      return messages.slice(0, -1);
    case "note":
      return [...messages, { ...NOTE }];
    case "systemOnly":
      return messages.filter((message) => message.role === "system");
  }
}

export function transform(
  messages: AgentMessage[],
  how: "copy" | "dropFirst" | "note" | "push" | undefined,
): AgentMessage[] {
  if (how === "push") messages.push({ ...NOTE });
  if (how === undefined || how === "push") return messages;
  if (how === "note") return [...messages, { ...NOTE }];
  return how === "copy" ? [...messages] : messages.slice(1);
}

export function convert(
  messages: AgentMessage[],
  how: "customAsUser" | "dropSystem" | "lastOnly" | undefined,
): Message[] {
  if (how === "dropSystem") return messages.filter((message) => message.role !== "system");
  if (how === "lastOnly") return messages.slice(-1);
  return messages.map((message) => {
    const { role, content } = message as { role: string; content: string };
    return role === "custom" ? { role: "user", content: `<note>${content}</note>`, timestamp: 0 } : message;
  });
}
