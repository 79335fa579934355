import type { AgentEvent, AgentToolCall, AgentToolResult } from "@earendil-works/pi-agent-core";
import type { Verdict } from "../protocol/outcome.ts";
import type { EffectOf, OutcomeOf } from "../runtime/ports.ts";
import type { RunContext } from "./run-context.ts";
import type { RunParts } from "./run-parts.ts";
import { applyAfterToolCall, executeToolCall, type Preparation, prepareToolCall, type ReadyCall } from "./tool-call.ts";

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
    const preparation = await this.#prepare(this.#parts.projection.call(call), true);
    if (preparation.kind === "ready") this.#ready.set(call, preparation);
    return { type: "tool.prepared", call, verdict: verdictOf(preparation) };
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
    const ready = attempt > 1 ? await this.#again(toolCall) : this.#ready.get(call);
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

  async #again(toolCall: AgentToolCall): Promise<ReadyCall | undefined> {
    const tool = this.#context.tools.find((candidate) => candidate.name === toolCall.name);
    if (tool?.replay !== "safe") return undefined;
    const preparation = await this.#prepare(toolCall, false);
    return preparation.kind === "ready" ? preparation : undefined;
  }

  #prepare(toolCall: AgentToolCall, asksHook: boolean): Promise<Preparation> {
    const { beforeToolCall } = this.#context.config;
    return prepareToolCall(
      toolCall,
      this.#context.tools,
      { ...this.#hooks(), ...(asksHook && beforeToolCall ? { beforeToolCall } : {}) },
      this.#parts.signal,
    );
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

function verdictOf(preparation: Preparation): Verdict {
  if (preparation.kind !== "refused") return { kind: preparation.kind };
  const { reason, text, terminate } = preparation;
  return { kind: "refused", reason, text, ...(terminate ? { terminate } : {}) };
}
