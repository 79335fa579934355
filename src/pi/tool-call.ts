import type {
  AfterToolCallResult,
  AgentContext,
  AgentTool,
  AgentToolCall,
  AgentToolResult,
  BeforeToolCallResult,
  ToolCallHooks,
} from "@earendil-works/pi-agent-core";
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { reportGuestError } from "./report-guest-error.ts";
import { type EndedCall, errorResult, errorText, invalidToolResult, TOOL_BLOCKED } from "./texts.ts";
import { validateToolArguments } from "./tool-arguments.ts";
import { invalidResultField } from "./tool-result-shape.ts";

/** The hooks of a call and what they are told. */
export interface CallHooks extends ToolCallHooks {
  readonly assistantMessage: AssistantMessage;
  readonly context: AgentContext;
}

/** A call that may run: its tool, and its arguments as validated, coerced and edited by the hook (spec T3). */
export interface ReadyCall {
  readonly kind: "ready";
  readonly toolCall: AgentToolCall;
  readonly tool: AgentTool;
  readonly args: unknown;
}

/** A call that may not run, with the text of its error result. */
export interface RefusedCall {
  readonly kind: "refused";
  /** `invalid`: its arguments; `blocked`: by the hook; `failed`: the hook threw. */
  readonly reason: "invalid" | "blocked" | "failed";
  readonly text: string;
  readonly terminate?: true;
}

export type Preparation = ReadyCall | RefusedCall | { readonly kind: "aborted" } | { readonly kind: "unknown" };

/** What the tool gave back, before `afterToolCall`. */
export interface ExecutedCall {
  readonly result: AgentToolResult<unknown>;
  readonly isError: boolean;
  /** Milliseconds from the call of `execute` until its promise settled. */
  readonly durationMs: number;
}

/** Hears a tool's progress; what it throws is printed and changes nothing (law 6). */
export type UpdateSink = (partialResult: AgentToolResult<unknown>) => Promise<void> | void;

/** Finds the tool of a call, checks its arguments and asks `beforeToolCall` (spec T2). Never rejects for a failure of these. */
export async function prepareToolCall(
  toolCall: AgentToolCall,
  tools: readonly AgentTool[],
  hooks: CallHooks,
  signal: AbortSignal | undefined,
): Promise<Preparation> {
  if (signal?.aborted) return { kind: "aborted" };
  const tool = tools.find(({ name }) => name === toolCall.name);
  if (!tool) return { kind: "unknown" };
  let ready: ReadyCall;
  try {
    ready = readyCall(tool, toolCall);
  } catch (error) {
    return { kind: "refused", reason: "invalid", text: errorText(error) };
  }
  if (hooks.beforeToolCall) {
    const { assistantMessage, context } = hooks;
    try {
      const answer = await hooks.beforeToolCall({ assistantMessage, toolCall, args: ready.args, context }, signal);
      if (signal?.aborted) return { kind: "aborted" };
      if (answer?.block) return blocked(answer);
    } catch (error) {
      return { kind: "refused", reason: "failed", text: errorText(error) };
    }
  }
  return ready;
}

/** A call with its arguments prepared and checked. Throws what they fail with. */
export function readyCall(tool: AgentTool, toolCall: AgentToolCall): ReadyCall {
  const args = validateToolArguments(tool, withPreparedArguments(tool, toolCall));
  return { kind: "ready", toolCall, tool, args };
}

/**
 * Runs a tool (spec T7). Never rejects: what it throws becomes an error result. Updates count until the tool's promise
 * settles; those that count have been heard when this resolves.
 *
 * The awaits are as many as Pi's on every path: they decide the order in which tools end that settle together (spec T5).
 *
 * @param now Milliseconds of a clock that never goes back.
 */
export async function executeToolCall(
  { tool, toolCall, args }: ReadyCall,
  signal: AbortSignal | undefined,
  onUpdate: UpdateSink,
  now: () => number,
): Promise<ExecutedCall> {
  const heard: Promise<void>[] = [];
  let settled = false;
  const startedAt = now();
  const settle = (): number => {
    settled = true;
    return Math.round(now() - startedAt);
  };
  const update: UpdateSink = (partialResult) => {
    if (!settled) heard.push(tell(onUpdate, partialResult));
  };
  try {
    const result = await tool.execute(toolCall.id, args, signal, update);
    const durationMs = settle();
    await Promise.allSettled(heard);
    return { result, isError: result.isError === true, durationMs };
  } catch (error) {
    const durationMs = settle();
    await Promise.allSettled(heard);
    return { result: errorResult(errorText(error)), isError: true, durationMs };
  }
}

/**
 * Lets `afterToolCall` change the end of a call that ran (spec T8). Never rejects: what the hook throws becomes an error
 * result, and so does a result that cannot stand in a transcript.
 */
export async function applyAfterToolCall(
  { toolCall, args }: ReadyCall,
  executed: ExecutedCall,
  hooks: CallHooks,
  signal: AbortSignal | undefined,
): Promise<EndedCall & ExecutedCall> {
  let { result, isError } = executed;
  if (hooks.afterToolCall) {
    const { assistantMessage, context } = hooks;
    try {
      const change = await hooks.afterToolCall({ assistantMessage, toolCall, args, result, isError, context }, signal);
      if (change) {
        result = changedResult(result, change);
        // An untyped hook may give any value, and the log takes a boolean only.
        isError = Boolean(change.isError ?? isError);
      }
    } catch (error) {
      result = errorResult(errorText(error));
      isError = true;
    }
  }
  const fault = invalidResultField(result);
  if (fault) {
    result = errorResult(invalidToolResult(fault));
    isError = true;
  }
  return { toolCall, result, isError, durationMs: executed.durationMs };
}

function withPreparedArguments(tool: AgentTool, toolCall: AgentToolCall): AgentToolCall {
  if (!tool.prepareArguments) return toolCall;
  return { ...toolCall, arguments: tool.prepareArguments(toolCall.arguments) as AgentToolCall["arguments"] };
}

function blocked({ reason, terminate }: BeforeToolCallResult): RefusedCall {
  const text = String(reason || TOOL_BLOCKED);
  return { kind: "refused", reason: "blocked", text, ...(terminate === true ? { terminate } : {}) };
}

function tell(sink: UpdateSink, partialResult: AgentToolResult<unknown>): Promise<void> {
  try {
    const told = Promise.resolve(sink(partialResult));
    told.catch((error: unknown) => reportGuestError(error, "tool_execution_update"));
    return told;
  } catch (error) {
    reportGuestError(error, "tool_execution_update");
    return Promise.resolve();
  }
}

/** The hook's fields over the result's. Structured content that was not replaced along with the content is dropped. */
function changedResult(result: AgentToolResult<unknown>, change: AfterToolCallResult): AgentToolResult<unknown> {
  const structuredContent = change.structuredContent ?? (change.content ? undefined : result.structuredContent);
  const changed: Partial<Record<keyof AgentToolResult, unknown>> = {
    ...result,
    content: change.content ?? result.content,
    details: change.details ?? result.details,
    usage: change.usage ?? result.usage,
    terminate: change.terminate ?? result.terminate,
  };
  if (structuredContent === undefined) delete changed.structuredContent;
  else changed.structuredContent = structuredContent;
  return changed as AgentToolResult<unknown>;
}
