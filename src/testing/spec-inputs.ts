import type { CommandOptions, RunConfig } from "../protocol/command.ts";
import type { Input, Opened } from "../protocol/log-record.ts";
import type { Call, Message, StopReason } from "../protocol/message.ts";
import type { OutcomeBody, ToolOutcome, Verdict } from "../protocol/outcome.ts";

/** An input without its envelope. An outcome finds the effect that it answers by itself; `id` names another one. */
export type BareInput = Exclude<Input, Opened> & { readonly id?: string };

/** A tool call of a scripted reply: its id alone calls the tool `work`. */
export type ScriptedCall = string | (Pick<Call, "id"> & Partial<Call>);

/** A message whose text is its name in expectations. */
export function user(text: string): Message {
  return { role: "user", content: text } as Message;
}

/** A prompt of one message for each text. */
export function prompt(texts: string | readonly string[], run: Partial<RunConfig> & CommandOptions = {}): BareInput {
  const messages = (typeof texts === "string" ? [texts] : texts).map(user);
  return { type: "prompt", messages, ...runOf(run) };
}

/** continue() on a transcript whose last message has this role; null: on an empty one. */
export function continueFrom(lastRole: string | null, run: Partial<RunConfig> & CommandOptions = {}): BareInput {
  const hasConversation = lastRole !== null && lastRole !== "system";
  return { type: "continue", lastRole, hasConversation, ...runOf(run) };
}

export function steer(text: string, options: CommandOptions = {}): BareInput {
  return { type: "steer", message: user(text), ...options };
}

export function followUp(text: string, options: CommandOptions = {}): BareInput {
  return { type: "followUp", message: user(text), ...options };
}

/** The model's whole answer. It stops with `toolUse` when it has calls, else with `stop`, unless `stop` says otherwise. */
export function reply(text: string, calls: readonly ScriptedCall[] = [], stop?: StopReason): OutcomeBody {
  const made = calls.map((call): Call => ({ name: "work", ...(typeof call === "string" ? { id: call } : call) }));
  return {
    type: "model.replied",
    message: assistant(text),
    stopReason: stop ?? (made.length > 0 ? "toolUse" : "stop"),
    calls: made,
  };
}

/** The model has begun to stream. */
export function replyStarted(text = ""): OutcomeBody {
  return { type: "model.started", message: assistant(text) };
}

export function toolPrepared(call: number, verdict: Verdict = { kind: "ready" }): OutcomeBody {
  return { type: "tool.prepared", call, verdict };
}

/** A tool that ran to its end. */
export function toolFinished(call: number, end: Partial<Omit<ToolOutcome, "kind">> = {}): OutcomeBody {
  return {
    type: "tool.finished",
    call,
    outcome: { kind: "finished", result: { content: [] }, isError: false, ...end },
  };
}

/** The hook finishTurn has decided. */
export function finishTurn(decision?: "end" | "continue"): OutcomeBody {
  return { type: "turn.finished", ...(decision ? { decision } : {}) };
}

/** The hook prepareNextTurn has answered, with a message for each text. */
export function nextTurnPrepared(...texts: readonly string[]): OutcomeBody {
  return { type: "turn.prepared", ...(texts.length > 0 ? { messages: texts.map(user) } : {}) };
}

/** Whatever was asked for threw. */
export function failure(error: string): OutcomeBody {
  return { type: "run.failed", message: assistant(error), error };
}

function assistant(text: string): Message {
  return { role: "assistant", content: [{ type: "text", text }] } as Message;
}

function runOf({ hooks = [], toolExecution = "parallel", ...options }: Partial<RunConfig> & CommandOptions) {
  return { run: { hooks, toolExecution }, ...options };
}
