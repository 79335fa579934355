import type { CommandType } from "./command.ts";
import type { RefusalCode } from "./errors.ts";
import type { QueueMode, QueueName } from "./queue-mode.ts";

/** Where in the nest of scales a fact belongs. */
export interface Place {
  /** The record that it follows from. */
  readonly seq: number;
  /** The Trace, `t<n>`; null outside any. */
  readonly trace: string | null;
  /** The Turn within the Trace, from 1; 0 before the first. */
  readonly turn: number;
}

/** Where an injected message came from (spec G9). */
export type InjectionSource = "prompt" | "steering" | "followUp" | "prepared" | "declaration";

/** The places where queues are looked at (spec 3.1). */
export type PollPoint = "P0" | "P1" | "P2" | "P3" | "P4";

/** How a tool call ended. */
export type CallOutcome = "finished" | "aborted" | "unknown" | "refused" | "truncated" | "lost";

/** What the engine derived. Never stored as truth: replay derives the same again. */
export type FactBody =
  | { readonly type: "trace.started"; readonly continuation: boolean }
  | { readonly type: "turn.started" }
  | { readonly type: "input.accepted"; readonly message: string; readonly queue: QueueName }
  /** A poll took messages from a queue: P0 to P4 of the specification. */
  | {
      readonly type: "input.drained";
      readonly messages: readonly string[];
      readonly queue: QueueName;
      readonly poll: PollPoint;
    }
  | { readonly type: "input.delivered"; readonly message: string; readonly from: InjectionSource }
  | { readonly type: "input.returned"; readonly messages: readonly string[]; readonly queue: QueueName }
  | { readonly type: "input.lost"; readonly messages: readonly string[] }
  | { readonly type: "input.refused"; readonly command: CommandType; readonly code: RefusalCode }
  | { readonly type: "queue.mode.changed"; readonly queue: QueueName; readonly mode: QueueMode }
  | { readonly type: "abort.requested" }
  | { readonly type: "transcript.edited" }
  | { readonly type: "transcript.reset" }
  | { readonly type: "message.started"; readonly message: string }
  | { readonly type: "message.ended"; readonly message: string }
  | { readonly type: "tool.started"; readonly call: number; readonly callId: string; readonly name: string }
  | {
      readonly type: "tool.ended";
      readonly call: number;
      readonly callId: string;
      readonly outcome: CallOutcome;
      readonly isError: boolean;
    }
  | { readonly type: "tool.resulted"; readonly call: number; readonly callId: string; readonly message: string }
  | { readonly type: "turn.ended"; readonly message: string }
  /** `failure`: the Trace ended with Pi's failure suffix, and this is its only message (spec E11). */
  | { readonly type: "trace.ended"; readonly failure?: string }
  | { readonly type: "run.rejected" }
  | { readonly type: "outcome.ignored"; readonly outcome: string; readonly effect: string };

export type Fact = Place & FactBody;
export type FactType = FactBody["type"];
