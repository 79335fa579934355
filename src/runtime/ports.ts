import type { StepResult } from "../engine/step.ts";
import type { Effect } from "../protocol/effect.ts";
import type { Fact } from "../protocol/fact.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import type { Message } from "../protocol/message.ts";
import type { Outcome, OutcomeType } from "../protocol/outcome.ts";

export type EffectOf<T extends Effect["type"]> = Extract<Effect, { readonly type: T }>;
export type OutcomeOf<T extends OutcomeType> = Extract<Outcome, { readonly type: T }>;

/** What stands beside the engine for the whole life of a log. */
export interface Surroundings {
  /** Sees every record with what it did, before any listener hears of it. */
  learn(record: LogRecord, result: StepResult): void;
  /** Lets everything that listens to the run's signal know of an abort. */
  abort(): void;
}

/** What one run needs of the outside. An exception of any of these fails the run. */
export interface Ports {
  /** Tells one fact to all listeners, one after another, and waits for them (spec A7). Nothing to wait for when nobody hears it. */
  tell(fact: Fact): Promise<void> | void;
  declareTools(effect: EffectOf<"tools.declare">): OutcomeOf<"tools.declared">;
  pollQueue(effect: EffectOf<"queue.poll">): Promise<OutcomeOf<"queue.polled">>;
  runHook(
    effect: EffectOf<"hook.run">,
  ): Promise<OutcomeOf<"request.prepared"> | OutcomeOf<"turn.finished"> | OutcomeOf<"turn.prepared">>;
  /** `started` is called with the partial message when the reply begins to stream, and awaited. */
  requestModel(
    effect: EffectOf<"model.request">,
    started: (message: Message) => Promise<void>,
  ): Promise<OutcomeOf<"model.replied">>;
  prepareTool(effect: EffectOf<"tool.prepare">): Promise<OutcomeOf<"tool.prepared">>;
  /** Runs a tool and reports its outcome; resolves when the report has been told to all. */
  runTool(effect: EffectOf<"tool.run">, report: (outcome: OutcomeOf<"tool.finished">) => Promise<void>): Promise<void>;
  /** The assistant message that tells of a failure (spec E11). */
  failure(error: unknown): OutcomeOf<"run.failed">;
}
