import type { ReplayedStep } from "../replay/replayer.ts";
import { advanceTimeline, EMPTY_TIMELINE, type Timeline } from "../replay/timeline.ts";
import type { Shell } from "./shell.ts";
import { queueLines, stepLines } from "./timeline-text.ts";

/** Prints a log as a timeline, step by step; as JSON each step is one line of record, facts and effects. */
export class TimelinePrinter {
  readonly #json: boolean;
  readonly #shell: Shell;
  #timeline: Timeline = EMPTY_TIMELINE;
  #start: number | undefined;

  constructor(json: boolean, shell: Shell) {
    this.#json = json;
    this.#shell = shell;
  }

  step(step: ReplayedStep): void {
    const { record, facts, effects } = step;
    this.#start ??= record.at;
    const before = this.#timeline;
    this.#timeline = advanceTimeline(before, step);
    if (this.#json) this.#shell.out(`${JSON.stringify({ record, facts, effects })}\n`);
    else this.#print(stepLines(step, { ...before.texts, ...this.#timeline.texts }, this.#start));
  }

  /** When each queued message was queued, drained and seen by the model. */
  queues(): void {
    if (!this.#json) this.#print(queueLines(this.#timeline, this.#start ?? 0));
  }

  #print(lines: readonly string[]): void {
    for (const line of lines) this.#shell.out(`${line}\n`);
  }
}
