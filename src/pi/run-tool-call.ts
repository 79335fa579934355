import type { AgentToolCall, AgentToolCallOutcome, RunToolCallOptions } from "@earendil-works/pi-agent-core";
import { type CallEnd, refusedEnd, unrunEnd } from "./call-end.ts";
import { applyAfterToolCall, executeToolCall, type Preparation, prepareToolCall, type ReadyCall } from "./tool-call.ts";

/**
 * Runs one tool call as a call of the model is run, hooks included, without events and messages: for tools that call
 * other tools (spec T2, T7, T8). Never rejects for a failure of the tool or a hook: it comes back with `isError: true`.
 */
export async function runToolCall(toolCall: AgentToolCall, options: RunToolCallOptions): Promise<AgentToolCallOutcome> {
  const { signal } = options;
  // The types require `tools`; Pi takes the context's where a host leaves them out.
  const tools = options.tools ?? options.context.tools ?? [];
  const preparation = await prepareToolCall(toolCall, tools, options, signal);
  if (preparation.kind !== "ready") return { toolCall, ...endWithoutRun(preparation, toolCall.name) };
  const executed = await executeToolCall(preparation, signal, options.onUpdate ?? (() => {}), () => performance.now());
  return applyAfterToolCall(preparation, executed, options, signal);
}

function endWithoutRun(preparation: Exclude<Preparation, ReadyCall>, toolName: string): CallEnd {
  return preparation.kind === "refused" ? refusedEnd(preparation) : unrunEnd(preparation.kind, toolName);
}
