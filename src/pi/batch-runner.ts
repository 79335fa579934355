import type { AgentEvent, AgentToolCall, AgentToolResult } from "@earendil-works/pi-agent-core";
import type { Verdict } from "../protocol/outcome.ts";
import type { EffectOf, OutcomeOf } from "../runtime/ports.ts";
import type { RunContext } from "./run-context.ts";
import type { RunParts } from "./run-parts.ts";
import {
  applyAfterToolCall,
  executeToolCall,
  type Preparation,
  prepareToolCall,
  type ReadyCall,
  readyCall,
} from "./tool-call.ts";

/** Prepares and runs the tool calls of a turn on the host's tools and hooks (spec section 4). */
export class BatchRunner {
  readonly #parts: RunParts;
  readonly #context: RunContext;
  readonly #ready = new Map<number, ReadyCall>();

  constructor(parts: RunParts, context: RunContext) {
    this.#parts = parts;
    this.#context = context;
  }

  async prepare({ call }: EffectOf<"tool.prepare">): Promise<OutcomeOf<"tool.prepared">> {
    const { beforeToolCall } = this.#context.config;
    const hooks = beforeToolCall ? { ...this.#hooks(), beforeToolCall } : this.#hooks();
    const toolCall = this.#parts.projection.call(call);
    const preparation = await prepareToolCall(toolCall, this.#context.tools, hooks, this.#parts.signal);
    if (preparation.kind === "ready") this.#ready.set(call, preparation);
    return { type: "tool.prepared", call, verdict: verdictOf(preparation, beforeToolCall !== undefined) };
  }

  /**
   * Runs one prepared call. After the first attempt the outcome of the earlier one is unknown: the tool runs again only if
   * it declares that repeating it is safe (law 4).
   */
  async run(
    { call, attempt }: EffectOf<"tool.run">,
    report: (outcome: OutcomeOf<"tool.finished">) => Promise<void>,
  ): Promise<void> {
    const { signal, clock, projection } = this.#parts;
    const notRun = (kind: "aborted" | "lost") => report({ type: "tool.finished", call, outcome: { kind } });
    if (signal?.aborted) return notRun(attempt > 1 ? "lost" : "aborted");
    const toolCall = projection.call(call);
    const ready = this.#ready.get(call) ?? this.#readyAgain(call, toolCall, attempt);
    this.#ready.delete(call);
    if (!ready) return notRun("lost");
    const executed = await executeToolCall(ready, signal, this.#update(toolCall), clock.monotonic);
    const { result, isError, durationMs } = await applyAfterToolCall(ready, executed, this.#hooks(), signal);
    const terminates = result?.terminate === true ? ({ terminate: true } as const) : {};
    const timed = durationMs === undefined ? {} : { durationMs };
    return report({
      type: "tool.finished",
      call,
      outcome: { kind: "finished", result, isError, ...terminates, ...timed },
    });
  }

  /** A call that another process prepared: it may run when it never started, or when repeating it is safe. */
  #readyAgain(call: number, toolCall: AgentToolCall, attempt: number): ReadyCall | undefined {
    const tool = this.#context.tools.find((candidate) => candidate.name === toolCall.name);
    if (!tool || (attempt > 1 && tool.replay !== "safe")) return undefined;
    const args = this.#parts.projection.preparedArgs(call);
    if (args !== undefined) return { kind: "ready", toolCall, tool, args: structuredClone(args) };
    try {
      return readyCall(tool, toolCall);
    } catch {
      // The tool has changed since: it does not take the arguments that it took then.
      return undefined;
    }
  }

  #hooks() {
    const { afterToolCall } = this.#context.config;
    return {
      assistantMessage: this.#parts.projection.reply,
      context: this.#context.current,
      ...(afterToolCall ? { afterToolCall } : {}),
    };
  }

  /** Progress is told to listeners and stands in no log. */
  #update(toolCall: AgentToolCall) {
    return (partialResult: AgentToolResult<unknown>) => {
      const event: AgentEvent = {
        type: "tool_execution_update",
        toolCallId: toolCall.id,
        toolName: toolCall.name,
        args: toolCall.arguments,
        partialResult,
      };
      return this.#parts.emit(event);
    };
  }
}

function verdictOf(preparation: Preparation, hookMayHaveChangedArgs: boolean): Verdict {
  if (preparation.kind === "ready") {
    return hookMayHaveChangedArgs ? { kind: "ready", args: jsonCopy(preparation.args) } : { kind: "ready" };
  }
  if (preparation.kind !== "refused") return { kind: preparation.kind };
  const { reason, text, terminate } = preparation;
  return { kind: "refused", reason, text, ...(terminate ? { terminate } : {}) };
}

/** A copy for the log, which the tool cannot change; undefined when the arguments are not data. */
function jsonCopy(args: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(args));
  } catch {
    return undefined;
  }
}
