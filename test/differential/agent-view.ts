import type { AgentEvent, AgentMessage } from "@earendil-works/pi-agent-core";
import { brief, briefs } from "./brief.ts";
import type { AgentPort } from "./implementation.ts";

/** What a host can read from an agent without changing it. */
export function look(agent: AgentPort): unknown {
  const { state } = agent;
  return {
    isStreaming: state.isStreaming,
    streaming: state.streamingMessage === undefined ? undefined : brief(state.streamingMessage),
    pending: [...state.pendingToolCalls],
    errorMessage: state.errorMessage,
    systemPrompt: state.systemPrompt,
    messages: briefs(state.messages),
    tools: state.tools.map((tool) => tool.name),
    model: state.model.id,
    thinkingLevel: state.thinkingLevel,
    modes: [agent.steeringMode, agent.followUpMode],
    hasQueued: agent.hasQueuedMessages(),
    peek: briefs(agent.peekQueuedMessages()),
    signal: agent.signal?.aborted,
  };
}

/** The objects of an event that hosts keep and compare by identity. */
export function objectsOf(event: AgentEvent): readonly unknown[] {
  switch (event.type) {
    case "message_start":
    case "message_end":
      return [event.message];
    case "message_update":
      return [event.message, event.assistantMessageEvent];
    case "turn_end":
      return [event.message, ...event.toolResults];
    case "agent_end":
      return event.messages;
    case "tool_execution_start":
      return [event.args];
    case "tool_execution_update":
      return [event.args, event.partialResult];
    case "tool_execution_end":
      return [event.result];
    default:
      return [];
  }
}

/** The text of a message that a listener may change in place, as an extension does that replaces a message. */
export function editInPlace(message: AgentMessage): void {
  const { content } = message as { content: unknown };
  if (!Array.isArray(content)) return;
  for (const block of content) if (block.type === "text") block.text += " (edited)";
}
