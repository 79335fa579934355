import type { State } from "../engine/state.ts";
import { type StepResult, step } from "../engine/step.ts";
import { stepDigest } from "../engine/step-digest.ts";
import type { InputLog } from "../log/input-log.ts";
import type { Effect } from "../protocol/effect.ts";
import type { Envelope, Input, LogRecord } from "../protocol/log-record.ts";
import type { Outcome } from "../protocol/outcome.ts";
import type { Clock } from "./clock.ts";
import type { EffectOf, OutcomeOf, Ports, Surroundings } from "./ports.ts";

type Work = Pick<StepResult, "facts" | "effects">;

/** What a driver is made of. */
export interface DriverOptions {
  readonly state: State;
  readonly log: InputLog;
  readonly clock: Clock;
  readonly surroundings: Surroundings;
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

  get log(): InputLog {
    return this.#options.log;
  }

  /** Logs one input and takes the step; a requested abort reaches the signal before this returns (law 1). */
  apply(input: Input, id: string): StepResult & { readonly record: LogRecord } {
    const { log, clock, digests, surroundings } = this.#options;
    // The input is this run's fresh object: it is completed rather than copied.
    const record = input as Input & { -readonly [K in keyof Envelope]: Envelope[K] };
    record.seq = log.length;
    record.id = id;
    record.at = clock.now();
    const result = step(this.#state, record);
    if (digests) record.digest = stepDigest(result);
    log.append(record);
    this.#state = result.state;
    surroundings.learn(record, result);
    if (result.effects.some((effect) => effect.type === "signal.abort")) surroundings.abort();
    return { record, state: result.state, facts: result.facts, effects: result.effects };
  }

  /**
   * Runs what a step asked for until nothing is asked any more.
   *
   * @throws what a port threw, under policy `onFailure: "reject"` (spec L15).
   */
  async run(first: Work, ports: Ports): Promise<void> {
    let work: Work | undefined = first;
    let hasFailed = false;
    while (work !== undefined) {
      try {
        for (const fact of work.facts) {
          // Nothing is awaited for a fact that nobody hears of: agent_start is told before prompt() returns.
          const told = ports.tell(fact);
          if (told !== undefined) await told;
        }
        const next: Work | Promise<Work> | undefined = this.#perform(work.effects, ports);
        work = next instanceof Promise ? await next : next;
      } catch (error) {
        const [effect] = this.#state.outstanding;
        if (hasFailed || !effect) throw error;
        hasFailed = true;
        work = this.#fail(effect, error, ports);
      }
    }
  }

  /** What is known at once is taken at once: polls follow their listeners without a delay, as in Pi. */
  #perform(effects: readonly Effect[], ports: Ports): Work | Promise<Work> | undefined {
    const [effect] = effects;
    if (!effect) return undefined;
    if (effect.type === "tool.run" || effect.type === "tool.skip") return this.#runTools(effects, ports);
    try {
      const outcome = this.#outcomeOf(effect, ports);
      return outcome instanceof Promise ? this.#await(effect, outcome, ports) : this.apply(outcome, effect.id);
    } catch (error) {
      return this.#fail(effect, error, ports);
    }
  }

  async #await(effect: Effect, outcome: Promise<Outcome>, ports: Ports): Promise<Work> {
    try {
      return this.apply(await outcome, effect.id);
    } catch (error) {
      return this.#fail(effect, error, ports);
    }
  }

  #fail(effect: Effect, error: unknown, ports: Ports): Work {
    const rejects = this.#state.trace.context.policy.onFailure === "reject";
    const work = this.apply(ports.failure(error), effect.id);
    if (rejects) throw error;
    return work;
  }

  #outcomeOf(effect: Effect, ports: Ports): Outcome | Promise<Outcome> {
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
          for (const fact of facts) await ports.tell(fact);
        });
      default:
        throw new TypeError(`No port for ${effect.type}`);
    }
  }

  /**
   * Tools of one batch run together; the ends are told as they come, what follows them only after all (spec T5). The
   * outcome is taken in the same breath in which the tool reports it, as in Pi: ties between tools depend on it.
   */
  async #runTools(effects: readonly Effect[], ports: Ports): Promise<Work> {
    let rest: Work = { facts: [], effects: [] };
    const finish = async (effect: Effect, outcome: OutcomeOf<"tool.finished">) => {
      const { facts, effects: next } = this.apply(outcome, effect.id);
      const [end, ...after] = facts;
      if (after.length > 0 || next.length > 0) rest = { facts: after, effects: next };
      if (end) await ports.tell(end);
    };
    const start = (effect: Effect) => {
      if (effect.type === "tool.run") return ports.runTool(effect, (outcome) => finish(effect, outcome));
      const { call } = effect as EffectOf<"tool.skip">;
      return finish(effect, { type: "tool.finished", call, outcome: { kind: "aborted" } });
    };
    const [only] = effects;
    await (only && effects.length === 1 ? start(only) : Promise.all(effects.map(start)));
    return rest;
  }
}
