import type { Trigger } from "./program.ts";

interface Waiting<Act> {
  nth: number;
  act: Act;
}

/** Finds the steps that wait for a moment: the nth call of a listener, a hook, a tool or the stream function. */
export class Triggers<Act> {
  readonly #steps: readonly { when: Trigger; act: Act }[];
  readonly #waiting = new Map<string, Waiting<Act>[]>();
  readonly #counts = new Map<string, number>();

  constructor(steps: readonly { when: Trigger; act: Act }[]) {
    this.#steps = steps;
    for (const { when, act } of steps) {
      if (!("on" in when)) continue;
      const key = keyOf(when.on, when.listener);
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), { nth: when.nth, act }]);
    }
  }

  /** The acts that are due at this call of `on`. Every call counts. */
  at(on: string, listener?: number): Act[] {
    const key = keyOf(on, listener);
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return [];
    const nth = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, nth);
    return waiting.filter((step) => step.nth === nth).map(({ act }) => act);
  }

  idle(phase: number): Act[] {
    return this.#steps.flatMap(({ when, act }) => ("idle" in when && when.idle === phase ? [act] : []));
  }

  /** The acts that this phase arms on the clock. */
  ticks(phase: number): { ticks: number; act: Act }[] {
    return this.#steps.flatMap(({ when, act }) =>
      "tick" in when && when.phase === phase ? [{ ticks: when.tick, act }] : [],
    );
  }

  get lastPhase(): number {
    return Math.max(
      0,
      ...this.#steps.map(({ when }) => ("idle" in when ? when.idle : "tick" in when ? when.phase : 0)),
    );
  }
}

function keyOf(on: string, listener = 0): string {
  return `${listener} ${on}`;
}
