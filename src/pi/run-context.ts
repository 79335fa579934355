import type {
  AgentContext,
  AgentLoopConfig,
  AgentMessage,
  AgentRequestUpdate,
  AgentTool,
  PrepareRequestContext,
} from "@earendil-works/pi-agent-core";
import type { Injection, OutcomeBody } from "../protocol/outcome.ts";
import { appended } from "./appended.ts";
import { DeclaredTools, declareToolChanges } from "./tool-declarations.ts";

/** What a run works on: the model's context, the configuration, and which tools the transcript declares. */
export class RunContext {
  #context: AgentContext;
  #config: AgentLoopConfig;
  #declared: DeclaredTools | undefined;
  /** How many messages of the context the declared tools cover. */
  #covered = 0;

  constructor(context: AgentContext, config: AgentLoopConfig) {
    this.#context = context;
    this.#config = config;
  }

  get current(): AgentContext {
    return this.#context;
  }

  get config(): AgentLoopConfig {
    return this.#config;
  }

  get messages(): AgentMessage[] {
    return this.#context.messages;
  }

  get tools(): readonly AgentTool[] {
    return this.#context.tools ?? [];
  }

  /** Appends a message; the cost does not depend on the transcript. */
  append(message: AgentMessage): void {
    const covers = this.#declared !== undefined && this.#covered === this.messages.length;
    this.#setMessages(appended(this.messages, message));
    if (!covers) return;
    this.#declared?.apply(message);
    this.#covered = this.messages.length;
  }

  /** Puts a message in the place of the last one (a partial reply by its next form). */
  replaceLast(message: AgentMessage): void {
    if (Object.isFrozen(this.messages)) this.#setMessages(this.messages.with(-1, message));
    else this.messages[this.messages.length - 1] = message;
  }

  #setMessages(messages: AgentMessage[]): void {
    if (messages !== this.messages) this.#context = { ...this.#context, messages };
  }

  /** What to inject: the pending messages with the changes of the declared tools (spec E7). */
  declareTools(
    ids: readonly string[],
    pending: AgentMessage[],
    now: number,
  ): Extract<OutcomeBody, { type: "tools.declared" }> {
    const changed = declareToolChanges(this.#declaredTools(), this.tools, pending, now);
    if (changed === pending) return { type: "tools.declared" };
    return { type: "tools.declared", messages: injections(ids, pending, changed) };
  }

  requestContext(): PrepareRequestContext {
    return { context: this.#context, model: this.#config.model, thinkingLevel: this.#config.reasoning ?? "off" };
  }

  /** Takes what a hook gave for this and later requests; returns its trace for the log. */
  update(update: AgentRequestUpdate): { readonly update?: unknown } {
    const { context, model, thinkingLevel } = update;
    if (context) {
      this.#context = context;
      this.#declared = undefined;
    }
    if (model || thinkingLevel !== undefined) {
      const { reasoning: _, ...config } = this.#config;
      const level = thinkingLevel ?? this.#config.reasoning ?? "off";
      this.#config = { ...config, model: model ?? config.model, ...(level === "off" ? {} : { reasoning: level }) };
    }
    const taken = {
      ...(context ? { context: context.messages.length } : {}),
      ...(model ? { model: `${model.provider}/${model.id}` } : {}),
      ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
    };
    return Object.keys(taken).length > 0 ? { update: taken } : {};
  }

  /** The declared tools; a context that somebody else changed is read anew. */
  #declaredTools(): DeclaredTools {
    if (!this.#declared || this.#covered !== this.messages.length) {
      this.#declared = DeclaredTools.of(this.messages);
      this.#covered = this.messages.length;
    }
    return this.#declared;
  }
}

/** The injection as data: what is pending by its id, what is new or changed with its body. */
function injections(
  ids: readonly string[],
  pending: readonly AgentMessage[],
  changed: readonly AgentMessage[],
): readonly Injection[] {
  const added = changed.length - pending.length;
  const place = added === 0 ? -1 : firstDifference(pending, changed);
  return changed.map((message, n) => {
    if (n === place) return { message };
    const index = place >= 0 && n > place ? n - added : n;
    const id = ids[index] as string;
    return pending[index] === message ? { id } : { id, message };
  });
}

function firstDifference(pending: readonly AgentMessage[], changed: readonly AgentMessage[]): number {
  const place = pending.findIndex((message, n) => message !== changed[n]);
  return place < 0 ? pending.length : place;
}
