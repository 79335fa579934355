import type {
  AgentContext,
  AgentLoopConfig,
  AgentLoopTurnUpdate,
  AgentMessage,
  ThinkingLevel,
} from "@earendil-works/pi-agent-core";
import type { Message } from "@earendil-works/pi-ai";
import { brief, briefs } from "./brief.ts";
import { convert, editArgs, editContext, editResult, overrideResult, transform } from "./hook-values.ts";
import { buildMessage, modelAt } from "./messages.ts";
import type { HookAct, HookName, HookScripts, TurnUpdate } from "./program.ts";
import { thrownValue } from "./thrown.ts";
import type { Stage, Toolbox } from "./tools.ts";

type Config = AgentLoopConfig;
type TurnContext = Parameters<NonNullable<Config["prepareNextTurn"]>>[0];

/** The hooks of a program as functions. Each call is written down with what it was given and runs the steps that wait for it. */
export class Hooks {
  readonly #scripts: HookScripts;
  readonly #stage: Stage;
  readonly #toolbox: Toolbox;
  readonly #calls = new Map<HookName, number>();

  constructor(scripts: HookScripts, stage: Stage, toolbox: Toolbox) {
    this.#scripts = scripts;
    this.#stage = stage;
    this.#toolbox = toolbox;
  }

  has(hook: HookName): boolean {
    return this.#scripts[hook] !== undefined;
  }

  readonly beforeToolCall: NonNullable<Config["beforeToolCall"]> = (given, signal) => {
    const { assistantMessage, toolCall, args, context } = given;
    const seen = { toolCall, args, context: summary(context), aborted: signal?.aborted };
    return this.#run("beforeToolCall", seen, [assistantMessage, toolCall], (value) => {
      if (value === undefined) return undefined;
      const { edit, ...decision } = value;
      if (edit !== undefined) editArgs(edit === "args" ? args : toolCall.arguments);
      return decision;
    }) as Promise<undefined>;
  };

  readonly afterToolCall: NonNullable<Config["afterToolCall"]> = (given, signal) => {
    const { assistantMessage, toolCall, args, result, isError, context } = given;
    const seen = { toolCall, args, result, isError, context: summary(context), aborted: signal?.aborted };
    return this.#run("afterToolCall", seen, [assistantMessage, toolCall], (value) => {
      if (value?.edit) editResult(result);
      return value === undefined ? undefined : overrideResult(value);
    }) as Promise<undefined>;
  };

  readonly finishTurn: NonNullable<Config["finishTurn"]> = (turn, signal) =>
    this.#run(
      "finishTurn",
      turnSeen(turn, signal),
      [turn.message, ...turn.toolResults, ...turn.newMessages],
      (value) => (value === undefined ? undefined : { action: value }),
    ) as Promise<undefined>;

  readonly prepareNextTurn = (context: AgentContext, signal?: AbortSignal) =>
    this.#run("prepareNextTurn", { context: summary(context), aborted: signal?.aborted }, [], (value) =>
      this.#turnUpdate(context, value),
    );

  readonly prepareNextTurnWithContext = (turn: TurnContext, signal?: AbortSignal) =>
    this.#run("prepareNextTurnWithContext", turnSeen(turn, signal), [turn.message, ...turn.newMessages], (value) =>
      this.#turnUpdate(turn.context, value),
    );

  readonly prepareRequest: NonNullable<Config["prepareRequest"]> = ({ context, model, thinkingLevel }, signal) => {
    const seen = { context: summary(context), model: model.id, thinkingLevel, aborted: signal?.aborted };
    return this.#run("prepareRequest", seen, context.messages, (value) =>
      this.#turnUpdate(context, value),
    ) as Promise<undefined>;
  };

  readonly transformContext: NonNullable<Config["transformContext"]> = (messages, signal) =>
    this.#run("transformContext", { messages: briefs(messages), aborted: signal?.aborted }, [], (value) =>
      transform(messages, value),
    ) as Promise<AgentMessage[]>;

  readonly convertToLlm: Config["convertToLlm"] = (messages) =>
    this.#run("convertToLlm", { messages: briefs(messages) }, [], (value) => convert(messages, value)) as Message[];

  readonly getApiKey: NonNullable<Config["getApiKey"]> = (provider) =>
    this.#run("getApiKey", { provider }, [], (value) => value);

  readonly getSteeringMessages: NonNullable<Config["getSteeringMessages"]> = () => this.#poll("getSteeringMessages");
  readonly getFollowUpMessages: NonNullable<Config["getFollowUpMessages"]> = () => this.#poll("getFollowUpMessages");

  #poll(hook: "getSteeringMessages" | "getFollowUpMessages"): Promise<AgentMessage[]> {
    return this.#run(hook, {}, [], (value) =>
      (value ?? []).map((spec) => buildMessage(spec, this.#toolbox.declare)),
    ) as Promise<AgentMessage[]>;
  }

  #turnUpdate(context: AgentContext, value: TurnUpdate | undefined): AgentLoopTurnUpdate | undefined {
    if (value === undefined) return undefined;
    return {
      ...(value.context ? { context: editContext(context, value.context, this.#toolbox) } : {}),
      ...(value.messages ? { messages: value.messages.map((spec) => buildMessage(spec, this.#toolbox.declare)) } : {}),
      ...(value.model === undefined ? {} : { model: modelAt(value.model) }),
      ...(value.thinking === undefined ? {} : { thinkingLevel: value.thinking satisfies ThinkingLevel }),
    };
  }

  #run<Hook extends HookName, Result>(
    hook: Hook,
    seen: unknown,
    objects: readonly unknown[],
    answer: (value: ValueOf<Hook> | undefined) => Result,
  ): Result | Promise<Result> {
    const call = this.#calls.get(hook) ?? 0;
    this.#calls.set(hook, call + 1);
    const act = (this.#scripts[hook] as HookAct<ValueOf<Hook>>[] | undefined)?.[call];
    this.#stage.recorder.note(`hook ${hook}`, seen, objects);
    this.#stage.fire(hook);
    if (!act?.sync || act.sleep) return this.#later(act, answer);
    if (act.throws) throw thrownValue(act.throws);
    return answer(act.value);
  }

  async #later<Value, Result>(
    act: HookAct<Value> | undefined,
    answer: (value: Value | undefined) => Result,
  ): Promise<Result> {
    if (act?.sleep) await this.#stage.time.sleep(act.sleep);
    if (act?.throws) throw thrownValue(act.throws);
    return answer(act?.value);
  }
}

type ValueOf<Hook extends HookName> =
  NonNullable<HookScripts[Hook]>[number] extends HookAct<infer Value> ? Value : never;

function summary(context: AgentContext): unknown {
  return {
    messages: briefs(context.messages),
    tools: context.tools?.map((tool) => `${tool.name}: ${tool.description}`),
  };
}

function turnSeen(
  { message, toolResults, context, newMessages }: TurnContext,
  signal: AbortSignal | undefined,
): unknown {
  return {
    message: brief(message),
    toolResults: briefs(toolResults),
    context: summary(context),
    newMessages: briefs(newMessages),
    aborted: signal?.aborted,
  };
}
