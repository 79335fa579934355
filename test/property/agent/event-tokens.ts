import type { AgentEvent, AgentMessage } from "@earendil-works/pi-agent-core";
import type { Scenario } from "../../../src/testing/scenario.ts";
import type { Batch, Token } from "../invariants/grammar.ts";

/** Pi's events as tokens of the grammar. */
export function eventTokens(events: readonly AgentEvent[], scenario: Scenario): readonly Token[] {
  return events.flatMap((event, n) => tokensOf(event, events[n - 1], scenario));
}

function tokensOf(event: AgentEvent, before: AgentEvent | undefined, scenario: Scenario): readonly Token[] {
  switch (event.type) {
    case "agent_start":
      return [{ kind: "trace<" }];
    case "turn_start":
      return [{ kind: "turn<" }];
    case "message_start":
      return event.message.role === "assistant" ? [{ kind: "message<" }] : [];
    case "message_update":
      return [{ kind: "update" }];
    case "message_end":
      return [endOf(event.message, before, scenario)];
    case "tool_execution_start":
      return [{ kind: "call<", call: event.toolCallId }];
    case "tool_execution_update":
      return [{ kind: "progress", call: event.toolCallId }];
    case "tool_execution_end":
      return [{ kind: "call>", call: event.toolCallId }];
    case "turn_end":
      return [{ kind: "turn>" }];
    default:
      return [{ kind: "trace>" }];
  }
}

/** A message that is not the assistant's is a pair: its start stands right before its end. */
function endOf(message: AgentMessage, before: AgentEvent | undefined, scenario: Scenario): Token {
  if (message.role === "assistant") return { kind: "message>", batch: batchOf(message, scenario) };
  const isPair = before?.type === "message_start" && before.message === message;
  if (!isPair) return { kind: "stray", what: `the end of a ${message.role} message without its start` };
  return message.role === "toolResult" ? { kind: "result", call: message.toolCallId } : { kind: "injected" };
}

function batchOf(
  message: Extract<AgentMessage, { role: "assistant" }>,
  { toolExecution, tools = [] }: Scenario,
): Batch {
  const calls = message.content.filter((block) => block.type === "toolCall");
  const alone = tools.filter((tool) => tool.execution === "sequential").map(({ name }) => name);
  const sequential = toolExecution === "sequential" || calls.some(({ name }) => alone.includes(name));
  return {
    failed: message.stopReason === "error" || message.stopReason === "aborted",
    calls: calls.map(({ id }) => id),
    mode: message.stopReason === "length" ? "truncated" : sequential ? "sequential" : "parallel",
  };
}
