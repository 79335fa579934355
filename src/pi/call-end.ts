import type { AgentToolResult } from "@earendil-works/pi-agent-core";
import type { CallOutcome } from "../protocol/fact.ts";
import type { Verdict } from "../protocol/outcome.ts";
import { errorResult, OPERATION_ABORTED, toolNotFound, truncatedCall } from "./texts.ts";

/** How a call ended, with the body that the model sees. */
export interface CallEnd {
  readonly result: AgentToolResult<unknown>;
  readonly isError: boolean;
  /** Milliseconds of the tool body; absent when it did not run. */
  readonly durationMs?: number;
}

/** The error result of a call that was refused before it ran (spec T2). */
export function refusedEnd(verdict: Verdict & { readonly kind: "refused" }): CallEnd {
  const result = errorResult(verdict.text);
  return { result: verdict.terminate ? { ...result, terminate: true } : result, isError: true };
}

/** The error result of a call whose body did not run, or whose end nobody saw (spec T2, T9, T11; law 4). */
export function unrunEnd(outcome: CallOutcome, toolName: string): CallEnd {
  return { result: errorResult(textOf(outcome, toolName)), isError: true };
}

const INTERRUPTED =
  "The tool call was interrupted and its outcome is unknown. Check whether it took effect before you repeat it.";

function textOf(outcome: CallOutcome, toolName: string): string {
  if (outcome === "unknown") return toolNotFound(toolName);
  if (outcome === "truncated") return truncatedCall(toolName);
  return outcome === "lost" ? INTERRUPTED : OPERATION_ABORTED;
}
