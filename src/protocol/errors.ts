/** One row of the error table: what happened and the first thing to try. */
export interface ErrorInfo {
  /** The text. Where Pi has one, it is Pi's to the letter. */
  readonly text: string;
  readonly fix: string;
}

/** Refusals of commands: nothing has changed when one of these is given. */
export const REFUSALS = {
  "busy-prompt": {
    text: "Agent is already processing a prompt. Use steer() or followUp() to queue messages, or wait for completion.",
    fix: "Queue the message with steer() or followUp(), or await waitForIdle() first.",
  },
  "busy-continue": {
    text: "Agent is already processing. Wait for completion before continuing.",
    fix: "Await waitForIdle(), then call continue().",
  },
  "busy-reset": {
    text: "Agent is already processing. Wait for completion before resetting.",
    fix: "Call abort(), await waitForIdle(), then reset().",
  },
  "nothing-to-continue": {
    text: "No messages to continue from",
    fix: "Start with prompt(), or set state.messages to a transcript with a user message.",
  },
  "assistant-is-last": {
    text: "Cannot continue from message role: assistant",
    fix: "Queue a message with steer() or followUp() before continue(), or start with prompt().",
  },
  "trace-mismatch": {
    text: "The command expects another Trace than the one that is running.",
    fix: "Read agent.traceId and decide again; nothing was consumed.",
  },
  interrupted: {
    text: "The log ends in the middle of a run. Resume it first.",
    fix: "Call resume() on the agent that Agent.resume(records) returned.",
  },
} as const satisfies Record<string, ErrorInfo>;

/** Faults: of data at the boundary, of a port, of the caller. */
export const FAULTS = {
  "record-invalid": {
    text: "A log record does not have the shape of its type.",
    fix: "Look at the named record and field; a record is never edited by hand.",
  },
  "record-unreadable": {
    text: "A line of the log is not JSON.",
    fix: "Cut a torn last line; a bad line in the middle needs a backup.",
  },
  "record-unwritable": {
    text: "A record holds something that JSON cannot hold.",
    fix: "Give the named field plain data: no cycles, no BigInt.",
  },
  "log-not-opened": {
    text: "The log does not start with log.opened.",
    fix: "Fold a log from its first record.",
  },
  "sequence-gap": {
    text: "The records do not follow each other.",
    fix: "Give the whole log in order, from 0.",
  },
  "version-conflict": {
    text: "Somebody appended to the log since it was read.",
    fix: "Read the log again and decide again.",
  },
  "replay-diverged": {
    text: "The log replays to another result than it recorded.",
    fix: "Replay it with the version that wrote it; its first record names the machines.",
  },
  "machine-mismatch": {
    text: "The log was written by other machines, and its records carry no digests to compare.",
    fix: "Use the version that wrote it, or write logs with digests: new Agent({ digests: true }).",
  },
  "model-reply-invalid": {
    text: "The model's reply is not a valid assistant message.",
    fix: "Let the stream function end with a done or error event that carries a whole assistant message.",
  },
  "model-reply-missing": {
    text: "The model's stream ended without a final message.",
    fix: "Let the stream function end with a done or error event, or call end(message).",
  },
  "tool-result-invalid": {
    text: "The tool returned something that is not a tool result.",
    fix: "Return { content: [...], details } or throw.",
  },
  "model-attempts-exhausted": {
    text: "The model request was tried as often as the limit allows.",
    fix: "Look at why the process ended during the request, then prompt again.",
  },
  "stream-fn-missing": {
    text: "No default stream function configured. Pass streamFn explicitly or call setDefaultStreamFn().",
    fix: "Give new Agent({ streamFn }) a stream function.",
  },
  "policy-unsupported": {
    text: "A host that owns its queues cannot have them reserved, nor an abort that consumes nothing from them.",
    fix: 'With queues "host", use drained "limbo" and onAbort "next-request".',
  },
  "options-invalid": {
    text: "An option of the agent has a value that it cannot have.",
    fix: "Give the named field one of the values that the message lists.",
  },
  "hook-result-invalid": {
    text: "A hook returned messages that are not messages.",
    fix: "Return an array of messages, each with a role.",
  },
  "key-reused": {
    text: "The idempotency key belongs to another command.",
    fix: "Give every command a key of its own; repeat a key only with the same command.",
  },
  "command-invalid": {
    text: "The command does not have the shape of its type.",
    fix: "Look at the named field.",
  },
  "machine-unsupported": {
    text: "The machine uses a feature that has no place in a pure core.",
    fix: "Name guards and actions in setup(); no invoke, spawn, delay or inline function.",
  },
} as const satisfies Record<string, ErrorInfo>;

export type RefusalCode = keyof typeof REFUSALS;
export type FaultCode = keyof typeof FAULTS;
export type ErrorCode = RefusalCode | FaultCode;

/** Every error of this library: a stable `code`, a text, the first fix, and the place. */
export class LifecycleError extends Error {
  readonly code: ErrorCode;
  readonly fix: string;
  /** Where: a record, a field, a file and line, an effect id. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, details: Readonly<Record<string, unknown>> = {}, text?: string) {
    const info: ErrorInfo = code in REFUSALS ? REFUSALS[code as RefusalCode] : FAULTS[code as FaultCode];
    super(text ?? info.text);
    this.name = "LifecycleError";
    this.code = code;
    this.fix = info.fix;
    this.details = details;
  }
}

/** A command that was refused: the text is Pi's where Pi has one. */
export class RefusedError extends LifecycleError {
  override readonly name = "RefusedError";
}
