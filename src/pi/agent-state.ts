import type {
  AgentContext,
  AgentEvent,
  AgentInitialState,
  AgentMessage,
  AgentState,
  AgentTool,
} from "@earendil-works/pi-agent-core";
import type { Model } from "@earendil-works/pi-ai";
import type { Command } from "../protocol/command.ts";
import { appended } from "./appended.ts";
import { checkCommand } from "./command-shape.ts";
import { initialSystemMessage, systemPromptText } from "./system-prompt.ts";
import { toolDeclaration } from "./tool-declarations.ts";
import { TranscriptWatch } from "./transcript-watch.ts";

const NO_MODEL: Model<string> = {
  id: "unknown",
  name: "unknown",
  api: "unknown",
  provider: "unknown",
  baseUrl: "",
  reasoning: false,
  input: [],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 0,
  maxTokens: 0,
};

/** How the state asks its agent: what it derives from the engine, and what it tells it. */
export interface AgentStateSource {
  isStreaming(): boolean;
  transcriptAssigned(): void;
}

/**
 * The state that hosts read (spec A1). `isStreaming` is read from the engine, so that busy is one fact (law 8); the
 * transcript is a live array, as in Pi.
 */
export class LiveAgentState {
  model: Model<string>;
  thinkingLevel: AgentState["thinkingLevel"];
  streamingMessage: AgentMessage | undefined;
  errorMessage: string | undefined;
  pendingToolCalls: ReadonlySet<string> = new Set();
  readonly #source: AgentStateSource;
  #tools: AgentTool[];
  #messages: AgentMessage[];
  readonly #watch: TranscriptWatch;
  #toldMessages = 0;

  constructor(initial: AgentInitialState | undefined, source: AgentStateSource) {
    this.#source = source;
    this.model = initial?.model ?? NO_MODEL;
    this.thinkingLevel = initial?.thinkingLevel ?? "off";
    this.#tools = initial?.tools?.slice() ?? [];
    this.#messages = initial?.messages?.slice() ?? [];
    const first = initialSystemMessage(initial?.systemPrompt, this.#tools.map(toolDeclaration));
    if (first && this.#messages[0]?.role !== "system") this.#messages.unshift(first);
    this.#watch = new TranscriptWatch(this.#messages);
  }

  get systemPrompt(): string {
    return systemPromptText(this.#messages);
  }

  get isStreaming(): boolean {
    return this.#source.isStreaming();
  }

  get tools(): AgentTool[] {
    return this.#tools;
  }

  set tools(tools: AgentTool[]) {
    this.#tools = tools.slice();
  }

  get messages(): AgentMessage[] {
    return this.#messages;
  }

  /** @throws LifecycleError `command-invalid` for what is no message; then nothing is assigned. */
  set messages(messages: AgentMessage[]) {
    checkCommand({ type: "editTranscript", keep: 0, messages });
    this.#messages = messages.slice();
    this.#source.transcriptAssigned();
  }

  /** Sets the transcript as a consequence of a record, not as an edit by the host. */
  restoreMessages(messages: AgentMessage[], toldMessages = this.#toldMessages): void {
    this.#messages = messages;
    this.#toldMessages = toldMessages;
    this.transcriptLogged();
  }

  /** Copies for a run (spec L14), without the results of an open batch: they enter with the whole batch (spec E10). */
  contextFor(openResults: readonly AgentMessage[]): AgentContext {
    const open = new Set(openResults);
    const messages = open.size === 0 ? this.#messages.slice() : this.#messages.filter((message) => !open.has(message));
    return { messages, tools: this.#tools.slice() };
  }

  /**
   * What the host did to the transcript behind the log, as a command; undefined when it did nothing.
   *
   * @param derivedMessages How many messages the log has ended; those that are not told yet come behind the edit.
   */
  transcriptEdit(derivedMessages: number): Extract<Command, { type: "editTranscript" }> | undefined {
    const edit = this.#watch.edit(this.#messages);
    const untold = derivedMessages - this.#toldMessages;
    return edit && untold > 0 ? { ...edit, untold } : edit;
  }

  /** The log tells the whole transcript as it is now. */
  transcriptLogged(): void {
    this.#watch.restart(this.#messages);
  }

  /** What an event means for the state (spec A8). */
  reduce(event: AgentEvent): void {
    switch (event.type) {
      case "message_start":
      case "message_update":
        this.streamingMessage = event.message;
        return;
      case "message_end":
        this.streamingMessage = undefined;
        this.#messages = appended(this.#messages, event.message);
        this.#watch.follow(event.message);
        this.#toldMessages += 1;
        return;
      case "tool_execution_start":
        this.pendingToolCalls = new Set(this.pendingToolCalls).add(event.toolCallId);
        return;
      case "tool_execution_end":
        this.pendingToolCalls = without(this.pendingToolCalls, event.toolCallId);
        return;
      case "turn_end":
        if (event.message.role === "assistant" && event.message.errorMessage) {
          this.errorMessage = event.message.errorMessage;
        }
        return;
      case "agent_end":
        this.streamingMessage = undefined;
        return;
      default:
        return;
    }
  }

  /** A run begins. */
  startRun(): void {
    this.streamingMessage = undefined;
    this.errorMessage = undefined;
  }

  /** A run is over. */
  endRun(): void {
    this.streamingMessage = undefined;
    this.pendingToolCalls = new Set();
  }
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const rest = new Set(ids);
  rest.delete(id);
  return rest;
}
