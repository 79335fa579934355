import type { Call, Message, StopReason } from "./message.ts";

/** What became of the preparation of a tool call (spec T2). */
export type Verdict =
  /** `args`: what `beforeToolCall` left of the arguments (spec T3); absent when no hook could change them. */
  | { readonly kind: "ready"; readonly args?: unknown }
  | { readonly kind: "aborted" }
  | { readonly kind: "unknown" }
  | {
      readonly kind: "refused";
      readonly reason: "invalid" | "blocked" | "failed";
      /** The text of the error result. */
      readonly text: string;
      readonly terminate?: true;
    };

/** What a finished tool gave back. `result` is the body that the model sees; the engine reads only the two flags. */
export interface ToolOutcome {
  readonly kind: "finished";
  readonly result: unknown;
  readonly isError: boolean;
  readonly terminate?: true;
  /** Milliseconds that the tool body took. */
  readonly durationMs?: number;
}

/** A tool that never started because the run was aborted first (spec INV-T13), or whose end nobody saw (law 4). */
export interface ToolNotRun {
  readonly kind: "aborted" | "lost";
}

/** One message of an injection: a pending one by its id, a pending one with another body, or a new one without id. */
export interface Injection {
  readonly id?: string;
  readonly message?: Message;
}

/** What the outside found out. Each answers one effect: the record's `id` is the effect's id. */
export type OutcomeBody =
  /** The listeners of the prompt have settled: poll P0. */
  | { readonly type: "trace.opened" }
  /** A host that owns its queues answered a poll (raw loops). */
  | { readonly type: "queue.polled"; readonly messages: readonly Message[] }
  /** The tool declarations are settled; `messages` is the list to inject where it differs from what is pending (spec E7). */
  | { readonly type: "tools.declared"; readonly messages?: readonly Injection[] }
  | { readonly type: "request.prepared"; readonly update?: unknown }
  | { readonly type: "model.started"; readonly message: Message }
  | {
      readonly type: "model.replied";
      readonly message: Message;
      readonly stopReason: StopReason;
      readonly calls: readonly Call[];
    }
  | { readonly type: "tool.prepared"; readonly call: number; readonly verdict: Verdict }
  | { readonly type: "tool.finished"; readonly call: number; readonly outcome: ToolOutcome | ToolNotRun }
  | { readonly type: "turn.finished"; readonly decision?: "end" | "continue" }
  /** The listeners of the turn's end have settled: polls P1 and P3. */
  | { readonly type: "turn.closed" }
  /** prepareNextTurn answered: poll P2. */
  | { readonly type: "turn.prepared"; readonly messages?: readonly Message[]; readonly update?: unknown }
  /** The listeners of the Trace's end have settled: idle. */
  | { readonly type: "trace.closed" }
  /** A port threw. `message` is the assistant message that tells so (spec E11). */
  | { readonly type: "run.failed"; readonly message: Message; readonly error: string };

export type Outcome = OutcomeBody;
export type OutcomeType = OutcomeBody["type"];
