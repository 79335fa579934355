import type { State } from "../engine/state.ts";
import { type StepResult, step } from "../engine/step.ts";
import { stepDigest } from "../engine/step-digest.ts";
import type { InputLog } from "../log/input-log.ts";
import type { Effect } from "../protocol/effect.ts";
import type { Fact } from "../protocol/fact.ts";
import type { Input, LogRecord } from "../protocol/log-record.ts";
import type { Outcome } from "../protocol/outcome.ts";
import type { Clock } from "./clock.ts";
import type { EffectOf, Ports } from "./ports.ts";

type Work = Pick<StepResult, "facts" | "effects">;

/** What a driver is made of. */
export interface DriverOptions {
  readonly state: State;
  readonly log: InputLog;
  readonly clock: Clock;
  readonly ports: () => Ports;
  /** Whether every record carries the digests of what it did. */
  readonly digests: boolean;
}

/**
 * The impure shell around the engine: appends inputs, tells facts, runs effects, and feeds their outcomes back.
 * Commands act at once; a run is one lane, in which facts are told one after another and effects follow them.
 */
export class Driver {
  #state: State;
  readonly #options: DriverOptions;

  constructor(options: DriverOptions) {
    this.#state = options.state;
    this.#options = options;
  }

  get state(): State {
    return this.#state;
  }

  /** Logs one input and takes the step; a requested abort reaches the signal before this returns (law 1). */
  apply(input: Input, id: string): StepResult & { readonly record: LogRecord } {
    const { log, clock, digests, ports } = this.#options;
    const plain: LogRecord = { seq: log.length, id, at: clock.now(), ...input };
    const result = step(this.#state, plain);
    const record = digests ? { ...plain, digest: stepDigest(result) } : plain;
    log.append(record);
    this.#state = result.state;
    const port = ports();
    port.learn(record, result.state);
    if (result.effects.some((effect) => effect.type === "signal.abort")) port.abort();
    return { ...result, record };
  }

  /**
   * Runs what a step asked for until nothing is asked any more.
   *
   * @throws what a port threw, under policy `onFailure: "reject"` (spec L15).
   */
  async run(first: Work): Promise<void> {
    let work: Work | undefined = first;
    while (work) {
      for (const fact of work.facts) await this.#tell(fact);
      work = await this.#perform(work.effects);
    }
  }

  #tell(fact: Fact): Promise<void> | undefined {
    return this.#options.ports().tell(fact);
  }

  async #perform(effects: readonly Effect[]): Promise<Work | undefined> {
    const [effect] = effects;
    if (!effect) return undefined;
    if (effect.type === "tool.run" || effect.type === "tool.skip") return this.#runTools(effects);
    try {
      return this.apply(await this.#outcomeOf(effect), effect.id);
    } catch (error) {
      return this.#fail(effect, error);
    }
  }

  #fail(effect: Effect, error: unknown): Work {
    const rejects = this.#state.trace.context.policy.onFailure === "reject";
    const work = this.apply(this.#options.ports().failure(error), effect.id);
    if (rejects) throw error;
    return work;
  }

  #outcomeOf(effect: Effect): Outcome | Promise<Outcome> {
    const ports = this.#options.ports();
    switch (effect.type) {
      case "listeners.settle":
        return { type: effect.then };
      case "tools.declare":
        return ports.declareTools(effect);
      case "queue.poll":
        return ports.pollQueue(effect);
      case "hook.run":
        return ports.runHook(effect);
      case "tool.prepare":
        return ports.prepareTool(effect);
      case "model.request":
        return ports.requestModel(effect, async (message) => {
          const { facts } = this.apply({ type: "model.started", message }, effect.id);
          for (const fact of facts) await this.#tell(fact);
        });
      default:
        throw new TypeError(`No port for ${effect.type}`);
    }
  }

  /** Tools of one batch run together; the ends are told as they come, what follows them only after all (spec T5). */
  async #runTools(effects: readonly Effect[]): Promise<Work> {
    let rest: Work = { facts: [], effects: [] };
    await Promise.all(
      effects.map(async (effect) => {
        const outcome = await this.#toolOutcomeOf(effect);
        const { facts, effects: next } = this.apply(outcome, effect.id);
        const ends = facts.filter((fact) => fact.type === "tool.ended");
        const after = facts.filter((fact) => fact.type !== "tool.ended");
        if (after.length > 0 || next.length > 0) rest = { facts: after, effects: next };
        for (const fact of ends) await this.#tell(fact);
      }),
    );
    return rest;
  }

  #toolOutcomeOf(effect: Effect): Outcome | Promise<Outcome> {
    return effect.type === "tool.run"
      ? this.#options.ports().runTool(effect)
      : { type: "tool.finished", call: (effect as EffectOf<"tool.skip">).call, outcome: { kind: "aborted" } };
  }
}
