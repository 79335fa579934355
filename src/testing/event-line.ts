import type { AgentEvent } from "@earendil-works/pi-agent-core";
import { brief, isConversation } from "./brief.ts";

/** One lifecycle event as a string, as the recordings write it: `turn_end toolUse 2`, `tool_execution_end c1!`. */
export function eventLine(event: AgentEvent): string {
  switch (event.type) {
    case "message_start":
    case "message_end":
      return `${event.type} ${brief(event.message)}`;
    case "message_update":
      return `message_update ${event.assistantMessageEvent.type}`;
    case "tool_execution_start":
    case "tool_execution_update":
      return `${event.type} ${event.toolCallId}`;
    case "tool_execution_end":
      return `tool_execution_end ${event.toolCallId}${event.isError ? "!" : ""}`;
    case "turn_end":
      return `turn_end ${"stopReason" in event.message ? event.message.stopReason : undefined} ${event.toolResults.length}`;
    case "agent_end":
      return `agent_end ${event.messages.filter(isConversation).length}`;
    default:
      return event.type;
  }
}
