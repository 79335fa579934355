import { LifecycleError } from "../protocol/errors.ts";
import type { LogRecord } from "../protocol/log-record.ts";

/**
 * An append-only log of inputs in memory. Iterate it for what is there; iterate it asynchronously for what is there and
 * then, live, whatever comes.
 */
export class InputLog implements Iterable<LogRecord>, AsyncIterable<LogRecord> {
  readonly #records: LogRecord[];
  readonly #waiting = new Set<() => void>();

  /** @param records The log so far, in order from seq 0. */
  constructor(records: Iterable<LogRecord> = []) {
    this.#records = [...records];
  }

  /** How many records there are; the version that the next append expects. */
  get length(): number {
    return this.#records.length;
  }

  /** The record at a position; negative counts from the end. */
  at(seq: number): LogRecord | undefined {
    return this.#records.at(seq);
  }

  /** A copy of the records from `from` up to and without `to`. */
  slice(from?: number, to?: number): readonly LogRecord[] {
    return this.#records.slice(from, to);
  }

  /**
   * Appends one record.
   *
   * @throws LifecycleError `version-conflict` when its seq is not the next one.
   */
  append(record: LogRecord): void {
    if (record.seq !== this.#records.length) {
      throw new LifecycleError("version-conflict", { expected: record.seq, actual: this.#records.length });
    }
    this.#records.push(record);
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  [Symbol.iterator](): IterableIterator<LogRecord> {
    return this.#records.values();
  }

  /** Catches up, then follows. Ends when the caller breaks out of it. */
  async *[Symbol.asyncIterator](): AsyncGenerator<LogRecord, void, void> {
    for (let seq = 0; ; seq++) {
      while (seq >= this.#records.length) await new Promise<void>((wake) => this.#waiting.add(wake));
      yield this.#records[seq] as LogRecord;
    }
  }

  toJSON(): readonly LogRecord[] {
    return this.#records;
  }
}
