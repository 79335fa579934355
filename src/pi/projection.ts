import type { AgentEvent, AgentMessage, AgentToolCall } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, ToolResultMessage } from "@earendil-works/pi-ai";
import type { StepResult } from "../engine/step.ts";
import type { CallOutcome, Fact } from "../protocol/fact.ts";
import { messageId } from "../protocol/ids.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import type { Message } from "../protocol/message.ts";
import { appended } from "./appended.ts";
import { type CallEnd, refusedEnd, unrunEnd } from "./call-end.ts";
import { toolResultMessage } from "./texts.ts";

const NOTHING: readonly AgentEvent[] = [];
const ENDS_A_MESSAGE: ReadonlySet<string> = new Set(["input.delivered", "message.ended", "tool.resulted"]);

/** A turn that is over: its assistant message and its results in source order. */
export interface EndedTurn {
  readonly message: AssistantMessage;
  readonly toolResults: ToolResultMessage[];
}

/**
 * Pi's events as a projection of records and facts. The engine knows ids; this knows bodies: it learns them from the
 * records and gives each fact its Pi events. The same for a live run and for a replay.
 */
export class PiProjection {
  readonly #bodies = new Map<string, AgentMessage>();
  #replyId = "";
  #replyIsOpen = false;
  #failure: AgentMessage | undefined;
  #calls: readonly AgentToolCall[] = [];
  readonly #preparedArgs = new Map<number, unknown>();
  #ends: (CallEnd | undefined)[] = [];
  #results: ToolResultMessage[] = [];
  #resultsCollected = false;
  #endedTurn: EndedTurn | undefined;
  #traceMessages: AgentMessage[] = [];
  #returned: AgentMessage[] = [];
  /** When each result of the batch was collected, by the place of its call. */
  readonly #resultTimes = new Map<number, number>();
  #derivedMessages = 0;

  /** The messages that the current Trace has created (spec INV-G8). */
  get traceMessages(): AgentMessage[] {
    return this.#traceMessages;
  }

  /** The results of the current turn, in source order. */
  get turnResults(): ToolResultMessage[] {
    return this.#results;
  }

  /** The assistant message of the current turn. */
  get reply(): AssistantMessage {
    return this.body(this.#replyId) as AssistantMessage;
  }

  /** The assistant message of the current turn when it is whole; undefined before, and when the turn failed without. */
  get closedReply(): AssistantMessage | undefined {
    return this.#replyIsOpen ? undefined : (this.#bodies.get(this.#replyId) as AssistantMessage | undefined);
  }

  /** The assistant message while it streams. */
  get openReply(): AssistantMessage | undefined {
    return this.#replyIsOpen ? this.reply : undefined;
  }

  /** The tool call at a place of the current reply. */
  call(index: number): AgentToolCall {
    const toolCall = this.#calls[index];
    if (!toolCall) throw new RangeError(`The reply has no call ${index}`);
    return toolCall;
  }

  /** The arguments that a hook may have changed, as the log tells them; undefined when it does not. */
  preparedArgs(call: number): unknown {
    return this.#preparedArgs.get(call);
  }

  /** How many messages the records so far have ended: each becomes part of the transcript when it is told. */
  get derivedMessages(): number {
    return this.#derivedMessages;
  }

  /** The last turn that ended: what the hooks of the next one are told. */
  get endedTurn(): EndedTurn | undefined {
    return this.#endedTurn;
  }

  /** The results of the current turn while its batch is not collected. */
  get openResults(): readonly ToolResultMessage[] {
    return this.#resultsCollected ? [] : this.#results;
  }

  /** The message with this id, while it is queued, pending or current. */
  body(id: string): AgentMessage {
    const message = this.#bodies.get(id);
    if (!message) throw new RangeError(`No message ${id}`);
    return message;
  }

  /** The messages that the last command handed back from a queue, oldest first. */
  takeReturned(): readonly AgentMessage[] {
    const returned = this.#returned;
    this.#returned = [];
    return returned;
  }

  /** Adds the turn's results to the Trace's messages, once: the whole batch is over (spec E10). */
  collectResults(): readonly ToolResultMessage[] {
    if (this.#resultsCollected) return [];
    this.#resultsCollected = true;
    this.#traceMessages = appended(this.#traceMessages, ...this.#results);
    return this.#results;
  }

  /** Takes the bodies out of a record. Call it once for each record, before its facts. */
  learn(record: LogRecord, { state, facts }: StepResult): void {
    for (const fact of facts) {
      if (fact.type === "input.refused" || fact.type === "outcome.ignored") return;
      if (fact.type === "input.returned") this.#returned.push(...fact.messages.map((id) => this.#take(id)));
      if (fact.type === "input.lost") for (const id of fact.messages) this.#take(id);
      if (fact.type === "tool.resulted") this.#resultTimes.set(fact.call, record.at);
      if (ENDS_A_MESSAGE.has(fact.type)) this.#derivedMessages += 1;
    }
    switch (record.type) {
      case "prompt":
      case "queue.polled":
      case "turn.prepared":
        record.messages?.forEach((message, n) => {
          this.#keep(messageId(record.seq, n), message);
        });
        return;
      case "steer":
      case "followUp":
        this.#keep(messageId(record.seq, 0), record.message);
        return;
      case "tools.declared":
        record.messages?.forEach(({ id, message }, n) => {
          if (message) this.#keep(id ?? messageId(record.seq, n), message);
        });
        return;
      case "model.started":
        this.#learnReply(state.trace.context.reply, record.message, true);
        return;
      case "model.replied":
        this.#learnReply(state.trace.context.reply, record.message, false);
        return;
      case "tool.prepared":
        if (record.verdict.kind === "refused") this.#ends[record.call] = refusedEnd(record.verdict);
        if (record.verdict.kind === "ready") this.#preparedArgs.set(record.call, record.verdict.args);
        return;
      case "tool.finished":
        if (record.outcome.kind === "finished") this.#ends[record.call] = record.outcome as CallEnd;
        return;
      case "run.failed":
        this.#failure = record.message as AgentMessage;
        this.#keep(messageId(record.seq, 0), record.message);
        if (this.#replyIsOpen && state.trace.context.policy.onFailure === "turn")
          this.#keep(this.#replyId, record.message);
        this.#replyIsOpen = false;
        return;
      default:
        return;
    }
  }

  /** Pi's events for one fact; none where Pi has none. Call it once for each fact, in order. */
  events(fact: Fact): readonly AgentEvent[] {
    switch (fact.type) {
      case "trace.started":
        this.#traceMessages = [];
        this.#failure = undefined;
        return [{ type: "agent_start" }];
      case "turn.started":
        this.#results = [];
        this.#resultsCollected = false;
        this.#calls = [];
        return [{ type: "turn_start" }];
      case "input.delivered":
        return this.#delivered(fact.message);
      case "message.started":
        return [{ type: "message_start", message: this.#asStarted(fact.message) }];
      case "message.ended": {
        const message = this.body(fact.message);
        this.#traceMessages = appended(this.#traceMessages, message);
        return [{ type: "message_end", message }];
      }
      case "tool.started": {
        const { id, name, arguments: args } = this.call(fact.call);
        return [{ type: "tool_execution_start", toolCallId: id, toolName: name, args }];
      }
      case "tool.ended":
        return [this.#toolEnd(fact)];
      case "tool.resulted":
        return this.#resulted(fact.call);
      case "turn.ended":
        return [this.#turnEnd(fact.message)];
      case "trace.ended": {
        const messages = fact.failure && this.#failure ? [this.#failure] : this.#traceMessages;
        return [{ type: "agent_end", messages }];
      }
      default:
        return NOTHING;
    }
  }

  #keep(id: string, message: Message): void {
    this.#bodies.set(id, message as AgentMessage);
  }

  #take(id: string): AgentMessage {
    const message = this.body(id);
    this.#bodies.delete(id);
    return message;
  }

  #learnReply(id: string, message: Message, open: boolean): void {
    this.#replyId = id;
    this.#replyIsOpen = open;
    this.#keep(id, message);
    this.#calls = open ? [] : (message as AssistantMessage).content.filter((block) => block.type === "toolCall");
    this.#ends = [];
    this.#preparedArgs.clear();
  }

  #delivered(id: string): readonly AgentEvent[] {
    const message = this.#take(id);
    this.#traceMessages = appended(this.#traceMessages, message);
    return pair(message);
  }

  /** Pi gives a shallow copy of an assistant message that starts, but the failure message itself. */
  #asStarted(id: string): AgentMessage {
    const message = this.body(id);
    return message === this.#failure ? message : { ...message };
  }

  #end(call: number, outcome: CallOutcome): CallEnd {
    const end = this.#ends[call] ?? unrunEnd(outcome, this.call(call).name);
    this.#ends[call] = end;
    return end;
  }

  #toolEnd({ call, outcome }: Fact & { readonly type: "tool.ended" }): AgentEvent {
    const { id, name } = this.call(call);
    const { result, isError, durationMs } = this.#end(call, outcome);
    const timed = durationMs === undefined ? {} : { durationMs };
    return { type: "tool_execution_end", toolCallId: id, toolName: name, result, isError, ...timed };
  }

  #resulted(call: number): readonly AgentEvent[] {
    const message = toolResultMessage(
      { toolCall: this.call(call), ...this.#end(call, "lost") },
      this.#resultTimes.get(call) ?? 0,
    );
    this.#results = appended(this.#results, message);
    return pair(message);
  }

  #turnEnd(id: string): AgentEvent {
    const message = this.#take(id);
    this.collectResults();
    const toolResults = id === this.#replyId ? this.#results : [];
    this.#endedTurn = { message: message as AssistantMessage, toolResults };
    return { type: "turn_end", message, toolResults };
  }
}

function pair(message: AgentMessage): readonly AgentEvent[] {
  return [
    { type: "message_start", message },
    { type: "message_end", message },
  ];
}
