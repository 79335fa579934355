import { runningTrace, type StepResult } from "../engine/step.ts";
import type { Command, CommandOptions } from "../protocol/command.ts";
import { LifecycleError, RefusedError } from "../protocol/errors.ts";
import type { FactBody } from "../protocol/fact.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import type { Message } from "../protocol/message.ts";
import type { Driver } from "./driver.ts";

/** The acknowledgement of a command. Repeating the command with the same key gives the same receipt. */
export interface Receipt {
  /** The record that holds the command. */
  readonly seq: number;
  readonly outcome: "started" | "queued" | "applied";
  /** The Trace that was running after the command; null when none was. */
  readonly traceId: string | null;
  /** Ids of the messages that the command brought. */
  readonly messages: readonly string[];
  /** The messages that the command handed back from a queue, oldest first. */
  readonly returned: readonly Message[];
}

/** A receipt beside the record that it acknowledges. */
export interface LoggedReceipt {
  readonly record: LogRecord;
  readonly receipt: Receipt;
}

/** What admission gives for a command: its receipt, and the step when it was taken now (not for a repetition). */
export interface Admitted {
  readonly receipt: Receipt;
  readonly step?: StepResult;
}

/** One door for every command: refused with a typed error, acknowledged with a receipt, done once per key. */
export class Admission {
  readonly #driver: Driver;
  readonly #takeReturned: () => readonly Message[];
  readonly #receipts = new Map<string, LoggedReceipt>();

  /**
   * @param takeReturned The bodies of what the last command handed back.
   * @param receipts Of the commands that the log held before it was taken over.
   */
  constructor(driver: Driver, takeReturned: () => readonly Message[], receipts: readonly LoggedReceipt[] = []) {
    this.#driver = driver;
    this.#takeReturned = takeReturned;
    for (const { record, receipt } of receipts) this.#remember(record, receipt);
  }

  /**
   * Logs a command and takes the step.
   *
   * @throws RefusedError when the engine refuses it; LifecycleError `key-reused`. Then nothing has changed.
   */
  submit(command: Command): Admitted {
    const known = command.key === undefined ? undefined : this.#receipts.get(command.key);
    if (known && known.record.type !== command.type) {
      const details = { key: command.key, seq: known.record.seq, first: known.record.type, now: command.type };
      throw new LifecycleError("key-reused", details);
    }
    if (known) return { receipt: known.receipt };
    const { record, ...step } = this.#driver.apply(command, command.key ?? `${this.#driver.state.seq + 1}`);
    const refusal = step.facts.find((fact) => fact.type === "input.refused");
    if (refusal) throw refusedError(refusal, command, step, record.seq);
    const receipt = receiptOf(record, step, this.#takeReturned());
    this.#remember(record, receipt);
    return { receipt, step };
  }

  /** The receipt of an earlier command. */
  receipt(key: string | undefined): Receipt | undefined {
    return key === undefined ? undefined : this.#receipts.get(key)?.receipt;
  }

  #remember(record: LogRecord, receipt: Receipt): void {
    if ("key" in record && record.key !== undefined) this.#receipts.set(record.key, { record, receipt });
  }
}

/** The receipt of a command that was accepted. */
export function receiptOf(record: LogRecord, { state, facts }: StepResult, returned: readonly Message[]): Receipt {
  const started = facts.some((fact) => fact.type === "trace.started");
  const accepted = facts.filter((fact) => fact.type === "input.accepted");
  return {
    seq: record.seq,
    outcome: started ? "started" : accepted.length > 0 ? "queued" : "applied",
    traceId: runningTrace(state),
    messages: started ? state.trace.context.pending : accepted.map((fact) => fact.message),
    returned,
  };
}

function refusedError(
  refusal: Extract<FactBody, { type: "input.refused" }>,
  command: CommandOptions,
  { state }: StepResult,
  seq: number,
): RefusedError {
  return new RefusedError(refusal.code, {
    command: refusal.command,
    seq,
    traceId: runningTrace(state),
    ...(command.expect ? { expected: command.expect.traceId } : {}),
  });
}
