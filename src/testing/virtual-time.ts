import type { Clock } from "../runtime/clock.ts";
import { StalledError } from "./stalled-error.ts";

interface Sleeper {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

const MOST_WAKES = 1_000_000;

/**
 * Logical time in ticks, from 0: nothing waits for a wall clock. The clock moves only when nothing else can run, to the
 * earliest sleeper; ties wake in the order in which they fell asleep.
 *
 * "Nothing else can run" means that no promise reaction is left. It holds for programs that wait for promises and for
 * this clock, not for timers, files or sockets.
 */
export class VirtualTime {
  #now = 0;
  #fallenAsleep = 0;
  #sleepers: Sleeper[] = [];

  /** The current tick. */
  get now(): number {
    return this.#now;
  }

  /** Resolves when the clock has moved on by so many ticks; at once for 0. */
  sleep(ticks: number): Promise<void> {
    if (ticks === 0) return Promise.resolve();
    return new Promise((wake) => {
      this.#sleepers.push({ at: this.#now + ticks, order: this.#fallenAsleep++, wake });
    });
  }

  /** This time as an agent's clock: one tick is one millisecond. */
  asClock(): Clock {
    return {
      now: () => this.#now,
      monotonic: () => this.#now,
      sleep: (ms) => {
        let giveUp = () => {};
        const cancelled = new Promise<void>((resolve) => {
          giveUp = resolve;
        });
        return { done: Promise.race([this.sleep(ms), cancelled]), cancel: giveUp };
      },
    };
  }

  /**
   * Lets the program run until `isDone` holds at a moment when nothing else can run.
   *
   * @throws StalledError `stalled` when it does not hold and nobody sleeps, `unsettled` when it does not hold after a
   * million wakes.
   */
  async drive(isDone: () => boolean): Promise<void> {
    for (let wakes = 0; wakes < MOST_WAKES; wakes++) {
      await everythingElse();
      if (isDone()) return;
      const next = this.#takeEarliest();
      if (!next) throw new StalledError("stalled", this.#now);
      this.#now = next.at;
      next.wake();
    }
    throw new StalledError("unsettled", this.#now);
  }

  #takeEarliest(): Sleeper | undefined {
    let earliest = 0;
    for (const [n, sleeper] of this.#sleepers.entries()) {
      if (isBefore(sleeper, this.#sleepers[earliest] ?? sleeper)) earliest = n;
    }
    return this.#sleepers.splice(earliest, 1)[0];
  }
}

function isBefore(a: Sleeper, b: Sleeper): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/**
 * One round of the event loop is enough: Node runs every microtask, those that microtasks add included, before it enters
 * the phase in which an immediate runs.
 */
function everythingElse(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
