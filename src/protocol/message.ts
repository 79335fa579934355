/** The least that the lifecycle knows of a message. Bodies are opaque: they live beside the machines, never in them. */
export interface Message {
  readonly role: string;
}

/** A message with the id that the engine gave it: `<seq of the record that brought it>.<n>`. */
export interface IdentifiedMessage<M = Message> {
  readonly id: string;
  readonly message: M;
}

/** Why the model stopped (spec E1). `pending` never ends a message. */
export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted" | "deferred";

/** A tool call as the engine sees it: its place in the message is its identity, so repeated ids do no harm (spec E8). */
export interface Call {
  readonly id: string;
  readonly name: string;
  /** The tool's own execution mode, when it declares one (spec T1). */
  readonly mode?: ToolExecutionMode;
}

/** How one batch of tool calls is executed (spec T1). */
export type ToolExecutionMode = "parallel" | "sequential";
