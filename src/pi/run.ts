import type { AgentEvent, AgentMessage, AgentTurnContext } from "@earendil-works/pi-agent-core";
import { pendingInjection } from "../engine/queue.ts";
import { LifecycleError } from "../protocol/errors.ts";
import type { Fact } from "../protocol/fact.ts";
import { LIMITS } from "../protocol/limits.ts";
import type { Message } from "../protocol/message.ts";
import type { QueueName } from "../protocol/queue-mode.ts";
import type { EffectOf, OutcomeOf, Ports } from "../runtime/ports.ts";
import { BatchRunner } from "./batch-runner.ts";
import { isMessage } from "./command-shape.ts";
import { failedReply, withheldReply } from "./failure-message.ts";
import { repliedOutcome, requestReply } from "./model-request.ts";
import type { EndedTurn } from "./projection.ts";
import { RunContext } from "./run-context.ts";
import type { RunParts } from "./run-parts.ts";
import { errorText } from "./texts.ts";

/** One run on Pi's ports: stream function, tools, hooks and listeners, used as Pi's loop uses them. */
export class Run implements Ports {
  readonly #parts: RunParts;
  readonly #context: RunContext;
  readonly #batch: BatchRunner;
  #turn: AgentTurnContext | undefined;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#context = new RunContext(parts.context, parts.config);
    this.#batch = new BatchRunner(parts, this.#context);
    const ended = parts.projection.endedTurn;
    if (ended) this.#turn = this.#turnContext(ended);
  }

  tell(fact: Fact): Promise<void> | void {
    const { projection } = this.#parts;
    if (fact.type === "turn.ended") this.#completeTurn();
    const events = projection.events(fact);
    const [first, second] = events;
    if (!first) return undefined;
    if (fact.type === "input.delivered" && second?.type === "message_end") return this.#deliver(first, second);
    return second ? this.#emitBoth(first, second) : this.#parts.emit(first);
  }

  declareTools(): OutcomeOf<"tools.declared"> {
    const ids = pendingInjection(this.#parts.state());
    const pending = ids.map((id) => this.#parts.projection.body(id));
    return this.#context.declareTools(ids, pending, this.#parts.clock.now());
  }

  async pollQueue({ queue }: EffectOf<"queue.poll">): Promise<OutcomeOf<"queue.polled">> {
    const { config } = this.#context;
    const poll = queue === "steering" ? config.getSteeringMessages : config.getFollowUpMessages;
    return { type: "queue.polled", messages: messagesOf(hostQueueName(queue), (await poll?.()) || []) };
  }

  async runHook({ hook }: EffectOf<"hook.run">) {
    if (hook === "finishTurn") return this.#finishTurn();
    if (hook === "prepareNextTurn") return this.#prepareNextTurn();
    return this.#prepareRequest();
  }

  async requestModel(
    effect: EffectOf<"model.request">,
    started: (message: Message) => Promise<void>,
  ): Promise<OutcomeOf<"model.replied">> {
    if (effect.attempt > LIMITS.modelAttempts) {
      throw new LifecycleError("model-attempts-exhausted", { effect: effect.id, attempts: LIMITS.modelAttempts });
    }
    if (this.#abortEndsHere()) return repliedOutcome(withheldReply(this.#context.config.model, this.#parts.clock), []);
    const reply = await requestReply(this.#parts, this.#context, started);
    return repliedOutcome(reply, this.#context.tools);
  }

  prepareTool(effect: EffectOf<"tool.prepare">): Promise<OutcomeOf<"tool.prepared">> {
    return this.#batch.prepare(effect);
  }

  runTool(effect: EffectOf<"tool.run">, report: (outcome: OutcomeOf<"tool.finished">) => Promise<void>): Promise<void> {
    return this.#batch.run(effect, report);
  }

  failure(error: unknown): OutcomeOf<"run.failed"> {
    const { projection, state, clock, signal, failureModel } = this.#parts;
    const text = errorText(error);
    const open = state().trace.context.policy.onFailure === "turn" ? projection.openReply : undefined;
    const failed = failedReply(open, failureModel(), text, signal?.aborted === true, clock);
    return { type: "run.failed", message: failed, error: text };
  }

  /** The message enters the context when its listeners have heard of it. */
  async #deliver(first: AgentEvent, second: AgentEvent & { readonly type: "message_end" }): Promise<void> {
    await this.#emitBoth(first, second);
    this.#context.append(second.message);
  }

  async #emitBoth(first: AgentEvent, second: AgentEvent): Promise<void> {
    await this.#parts.emit(first);
    await this.#parts.emit(second);
  }

  #abortEndsHere(): boolean {
    return this.#parts.signal?.aborted === true && this.#parts.state().trace.context.policy.onAbort === "boundary";
  }

  /** The turn's results enter the context only now, after the whole batch (spec E10). */
  #completeTurn(): void {
    const { projection } = this.#parts;
    for (const result of projection.collectResults()) this.#context.append(result);
    const { finishTurn, prepareNextTurn } = this.#context.config;
    const message = finishTurn || prepareNextTurn ? projection.closedReply : undefined;
    if (message) this.#turn = this.#turnContext({ message, toolResults: projection.turnResults });
  }

  #turnContext(turn: EndedTurn): AgentTurnContext {
    return { ...turn, context: this.#context.current, newMessages: this.#parts.projection.traceMessages };
  }

  async #finishTurn(): Promise<OutcomeOf<"turn.finished">> {
    this.#completeTurn();
    const decision = await this.#context.config.finishTurn?.(this.#turn as AgentTurnContext, this.#parts.signal);
    const action = decision?.action;
    return { type: "turn.finished", ...(action === "end" || action === "continue" ? { decision: action } : {}) };
  }

  async #prepareNextTurn(): Promise<OutcomeOf<"turn.prepared">> {
    const update = await this.#context.config.prepareNextTurn?.(this.#turn as AgentTurnContext);
    if (!update) return { type: "turn.prepared" };
    const messages = messagesOf("prepareNextTurn", update.messages ?? []);
    return {
      type: "turn.prepared",
      ...(messages.length > 0 ? { messages } : {}),
      ...this.#context.update(update),
    };
  }

  async #prepareRequest(): Promise<OutcomeOf<"request.prepared">> {
    if (this.#abortEndsHere()) return { type: "request.prepared" };
    const update = await this.#context.config.prepareRequest?.(this.#context.requestContext(), this.#parts.signal);
    return { type: "request.prepared", ...(update ? this.#context.update(update) : {}) };
  }
}

function hostQueueName(queue: QueueName): string {
  return queue === "steering" ? "getSteeringMessages" : "getFollowUpMessages";
}

function messagesOf(hook: string, messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const index = Array.isArray(messages) ? messages.findIndex((message) => !isMessage(message)) : 0;
  if (index < 0) return [...messages];
  const field = `messages[${index}]`;
  throw new LifecycleError("hook-result-invalid", { hook, field }, `${hook}: ${field} is not a message with a role`);
}
