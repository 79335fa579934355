import type {
  AgentLoopConfig,
  AgentState,
  FinishTurn,
  PrepareRequest,
  StreamFn,
  ToolExecutionMode,
} from "@earendil-works/pi-agent-core";
import type { ClientIdentity, ThinkingBudgets, Transport } from "@earendil-works/pi-ai";
import type { AgentOptions } from "./agent-options.ts";
import { checkOptions } from "./check-options.ts";
import { getDefaultStreamFn } from "./default-stream-fn.ts";
import { defaultConvertToLlm } from "./llm-context.ts";

/** The public fields of Pi's Agent: read when a run starts, so a change holds from the next run on. */
export class AgentSettings {
  convertToLlm: NonNullable<AgentOptions["convertToLlm"]>;
  transformContext?: NonNullable<AgentOptions["transformContext"]>;
  streamFunction: StreamFn;
  getApiKey?: NonNullable<AgentOptions["getApiKey"]>;
  onPayload?: AgentOptions["onPayload"];
  onResponse?: AgentOptions["onResponse"];
  onProviderStreamEvent?: AgentOptions["onProviderStreamEvent"];
  beforeToolCall?: NonNullable<AgentOptions["beforeToolCall"]>;
  afterToolCall?: NonNullable<AgentOptions["afterToolCall"]>;
  finishTurn?: FinishTurn;
  prepareRequest?: PrepareRequest;
  prepareNextTurn?: NonNullable<AgentOptions["prepareNextTurn"]>;
  prepareNextTurnWithContext?: NonNullable<AgentOptions["prepareNextTurnWithContext"]>;
  /** Session identifier forwarded to providers. */
  sessionId?: string;
  /** Token budgets per thinking level, forwarded to the stream function. */
  thinkingBudgets?: ThinkingBudgets;
  /** Preferred transport, forwarded to the stream function. */
  transport: Transport;
  /** Cap in milliseconds for retry delays that a provider asks for. */
  maxRetryDelayMs?: number;
  /** How the tool calls of one message are executed (spec T1). */
  toolExecution: ToolExecutionMode;
  /** Request identity, over `DEFAULT_AGENT_IDENTITY`. */
  identity?: ClientIdentity;

  constructor(options: AgentOptions) {
    // Older compiled hosts may omit the options or the stream function although the types require them.
    const given: Partial<AgentOptions> = options ?? {};
    checkOptions(given);
    this.convertToLlm = given.convertToLlm ?? defaultConvertToLlm;
    this.streamFunction = given.streamFn ?? getDefaultStreamFn();
    this.transport = given.transport ?? "auto";
    this.toolExecution = given.toolExecution ?? "parallel";
    Object.assign(this, pick(given, OPTIONAL));
  }

  /** What the next run works with, as Pi's Agent captures it. */
  protected loopConfig(state: AgentState, signal: () => AbortSignal | undefined): AgentLoopConfig {
    const { thinkingLevel } = state;
    const prepareNextTurn: AgentLoopConfig["prepareNextTurn"] = async (context) =>
      this.prepareNextTurnWithContext
        ? this.prepareNextTurnWithContext(context, signal())
        : this.prepareNextTurn?.(signal());
    return withoutUndefined({
      model: state.model,
      reasoning: thinkingLevel === "off" ? undefined : thinkingLevel,
      sessionId: this.sessionId,
      onPayload: this.onPayload,
      onResponse: this.onResponse,
      onProviderStreamEvent: this.onProviderStreamEvent,
      transport: this.transport,
      thinkingBudgets: this.thinkingBudgets,
      maxRetryDelayMs: this.maxRetryDelayMs,
      identity: this.identity,
      toolExecution: this.toolExecution,
      beforeToolCall: this.beforeToolCall,
      afterToolCall: this.afterToolCall,
      finishTurn: this.finishTurn,
      prepareRequest: this.prepareRequest,
      prepareNextTurn: this.prepareNextTurnWithContext || this.prepareNextTurn ? prepareNextTurn : undefined,
      convertToLlm: this.convertToLlm,
      transformContext: this.transformContext,
      getApiKey: this.getApiKey,
    });
  }
}

const OPTIONAL = [
  "transformContext",
  "getApiKey",
  "onPayload",
  "onResponse",
  "onProviderStreamEvent",
  "beforeToolCall",
  "afterToolCall",
  "finishTurn",
  "prepareRequest",
  "prepareNextTurn",
  "prepareNextTurnWithContext",
  "sessionId",
  "thinkingBudgets",
  "maxRetryDelayMs",
  "identity",
] as const satisfies readonly (keyof AgentOptions & keyof AgentSettings)[];

function pick<T, K extends keyof T>(from: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key];
  return picked;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function withoutUndefined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
