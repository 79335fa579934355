import type { Message, ToolExecutionMode } from "./message.ts";
import type { QueueMode } from "./queue-mode.ts";

/** The boundary hooks of a run (spec G10). Those that a host has are named when the run starts. */
export type HookName = "prepareRequest" | "finishTurn" | "prepareNextTurn";

/** What a run takes from its host when it starts. */
export interface RunConfig {
  readonly hooks: readonly HookName[];
  readonly toolExecution: ToolExecutionMode;
}

/** What any command may carry: a key that makes it repeatable, and the Trace that it is meant for. */
export interface CommandOptions {
  /** Idempotency key: repeating a command with the same key gives the same receipt and does nothing more. */
  readonly key?: string;
  /** Refuse the command unless this Trace is running. */
  readonly expect?: { readonly traceId: string };
}

/** What a caller may ask. */
export type CommandBody =
  | { readonly type: "prompt"; readonly messages: readonly Message[]; readonly run: RunConfig }
  | {
      readonly type: "continue";
      readonly run: RunConfig;
      /** Role of the last message of the transcript; null when it is empty. */
      readonly lastRole: string | null;
      /** False while the transcript holds system messages only. */
      readonly hasConversation: boolean;
    }
  | { readonly type: "steer"; readonly message: Message }
  | { readonly type: "followUp"; readonly message: Message }
  | { readonly type: "clearSteering" }
  | { readonly type: "clearFollowUp" }
  | { readonly type: "clearAll" }
  | { readonly type: "setSteeringMode"; readonly mode: QueueMode }
  | { readonly type: "setFollowUpMode"; readonly mode: QueueMode }
  | { readonly type: "abort" }
  /** `baseline`: the replayed system message that stays (spec A4). */
  | { readonly type: "reset"; readonly baseline?: Message }
  /**
   * The host changed the transcript itself: the first `keep` messages stay, `messages` follow them. `untold`: how many
   * messages of earlier records the listeners had not heard of then; they come behind the edit.
   */
  | {
      readonly type: "editTranscript";
      readonly keep: number;
      readonly messages: readonly Message[];
      readonly untold?: number;
    };

export type Command = CommandBody & CommandOptions;
export type CommandType = CommandBody["type"];
