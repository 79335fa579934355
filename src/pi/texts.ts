import type { AgentToolCall, AgentToolResult } from "@earendil-works/pi-agent-core";
import type { ToolResultMessage } from "@earendil-works/pi-ai";
import { FAULTS } from "../protocol/errors.ts";

/** The text of a call that an abort came before (spec T2, T11). Pi's to the letter, as all texts here but two. */
export const OPERATION_ABORTED = "Operation aborted";

/** The text of a call that a hook blocked without a reason (spec T2). */
export const TOOL_BLOCKED = "Tool execution was blocked";

/** The text of a call of a tool that is not there (spec T2). */
export function toolNotFound(name: string): string {
  return `Tool ${name} not found`;
}

/** The text of a call in a reply that the token limit cut off (spec T9). */
export function truncatedCall(name: string): string {
  return `Tool call "${name}" was not executed: the response hit the output token limit, so its arguments may be truncated. Re-issue the tool call with complete arguments.`;
}

/** The text of a call whose result cannot stand in a transcript; Pi has none, it lets the result in. */
export function invalidToolResult(fault: string): string {
  return `${FAULTS["tool-result-invalid"].text} (${fault})`;
}

/** The text of anything that was thrown: an error's message, else the value as a string (spec T7). */
export function errorText(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    // An object without toString, or one whose accessors throw: in Pi this ends the whole run.
    return "A value that has no text was thrown";
  }
}

/** The result of a call that failed: the text for the model and no details. */
export function errorResult(text: string): AgentToolResult<unknown> {
  return { content: [{ type: "text", text }], details: {} };
}

/** A tool call with its end. */
export interface EndedCall {
  readonly toolCall: AgentToolCall;
  readonly result: AgentToolResult<unknown>;
  readonly isError: boolean;
  /** Milliseconds that the tool took; absent when it did not run. */
  readonly durationMs?: number;
}

/**
 * The message that tells the model how a call ended.
 *
 * @param timestamp Milliseconds since 1970.
 */
export function toolResultMessage(
  { toolCall, result, isError, durationMs }: EndedCall,
  timestamp: number,
): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: toolCall.id,
    toolName: toolCall.name,
    // Untyped tools leave the content out, and Pi's history then holds an empty list.
    content: result.content ?? [],
    details: result.details,
    usage: result.usage,
    isError,
    ...(durationMs === undefined ? {} : { durationMs }),
    timestamp,
  } as ToolResultMessage;
}
