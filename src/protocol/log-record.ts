import type { Command } from "./command.ts";
import type { Message } from "./message.ts";
import type { Outcome } from "./outcome.ts";
import type { Policy } from "./policy.ts";
import type { QueueMode } from "./queue-mode.ts";

/** What every record of a log carries beside its input. */
export interface Envelope {
  /** Position in the log, from 0, without gaps. */
  readonly seq: number;
  /** A command's key or `<seq>`; an outcome's effect id. */
  readonly id: string;
  /** Milliseconds since 1970, from the host's clock. Payload only: order is `seq`. */
  readonly at: number;
  /** Digests of state, facts and effects after this record, when the log keeps them. */
  readonly digest?: StepDigest;
}

/** Short digests (16 hex digits) of what one record did, part by part, so that a divergence can name the part. */
export interface StepDigest {
  readonly state: string;
  readonly facts: string;
  readonly effects: string;
}

/** The first input of every log: who wrote it and under which rules. */
export interface Opened {
  readonly type: "log.opened";
  /** Version of the record format. */
  readonly format: 1;
  /** Fingerprint of the machines that wrote the log. */
  readonly machines: string;
  readonly policy: Policy;
  readonly steeringMode: QueueMode;
  readonly followUpMode: QueueMode;
  /** The transcript that the log starts from. */
  readonly messages: readonly Message[];
}

/** A process that takes the log over tells that the effects without an outcome have nobody working on them. */
export interface Resumed {
  readonly type: "log.resumed";
}

export type Input = Opened | Resumed | Command | Outcome;
export type InputType = Input["type"];

/** One record of the log: an input in its envelope. */
export type LogRecord = Envelope & Input;
export type RecordOf<T extends InputType> = Envelope & Extract<Input, { readonly type: T }>;
