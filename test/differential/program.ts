import type { AgentEvent, QueueMode, ThinkingLevel, ToolExecutionMode } from "@earendil-works/pi-agent-core";
import type { StopReason } from "@earendil-works/pi-ai";
import type { PrepareName, SchemaName } from "./tool-catalogue.ts";

/** What one side of the comparison is asked to do. Plain JSON, so that a failing program can be printed and kept. */
export type Program = AgentsProgram | LoopProgram | ToolCallProgram;

/** One or two agents side by side in one process, on one clock. */
export interface AgentsProgram {
  kind: "agents";
  agents: AgentScript[];
}

/** The outside world of an agent or a loop: its tools, its model's replies, its hooks. */
export interface World {
  catalogue: ToolSpec[];
  replies: Reply[];
  hooks: HookScripts;
}

export interface AgentScript extends World {
  initial: {
    systemPrompt?: string;
    tools: number[];
    messages?: MessageSpec[];
    model?: number;
    thinking?: ThinkingLevel;
  };
  steeringMode?: QueueMode;
  followUpMode?: QueueMode;
  toolExecution?: ToolExecutionMode;
  extras?: Extras;
  /** Functions that may be subscribed; `subscribed` lists those that are from the start (a repeat subscribes twice). */
  listeners: ListenerSpec[];
  subscribed: number[];
  steps: Step[];
}

/** One call of a stateless function of the loop. */
export interface LoopProgram extends World {
  kind: "loop";
  run: "runAgentLoop" | "runAgentLoopContinue" | "agentLoop" | "agentLoopContinue";
  prompts: MessageSpec[];
  context: { messages: MessageSpec[]; tools?: number[] };
  toolExecution?: ToolExecutionMode;
  model: number;
  thinking?: ThinkingLevel;
  apiKey?: string;
  extras?: Extras;
  signal: boolean;
  emit: ListenerSpec;
  steps: LoopStep[];
}

/** One call of `runToolCall`. */
export interface ToolCallProgram extends World {
  kind: "toolCall";
  call: Call;
  tools: number[];
  signal: boolean;
  onUpdate: boolean;
  steps: LoopStep[];
}

/** Constructor options that only travel to the stream function. */
export interface Extras {
  sessionId?: string;
  maxRetryDelayMs?: number;
  transport?: "sse" | "websocket" | "auto";
  thinkingBudgets?: { low?: number; high?: number };
  identity?: { attribution: null } | { version: string };
  callbacks?: boolean;
}

/** How long a listener sleeps for an event of a type; 0: it answers with a promise without sleeping; absent: it is synchronous. */
export interface ListenerSpec {
  sleeps: { [type in AgentEvent["type"]]?: number };
}

export interface ToolSpec {
  name: string;
  description: string;
  schema: SchemaName;
  prepare?: PrepareName;
  execution?: ToolExecutionMode;
}

export type MessageSpec =
  | { role: "user"; text: string; images?: number; plain?: boolean }
  | { role: "custom"; text: string }
  | {
      role: "system";
      text: string;
      sections?: Record<string, string | null>;
      toolsAdded?: number[];
      toolsRemoved?: string[];
    }
  | { role: "assistant"; text: string; stop: StopReason; call?: string }
  | { role: "toolResult"; id: string; text: string };

/** How the k-th model call is answered; past the end the answer is the text `(script exhausted)`. */
export interface Reply {
  blocks: Block[];
  stop?: StopReason;
  error?: string;
  /** Ticks before each chunk, or before the only event. */
  takes?: number;
  /** `none`: only the final message. `fresh`: a new partial in every event. `mutated`: one object that grows, as real providers do. `headless`: updates without a start. */
  stream: "none" | "fresh" | "mutated" | "headless";
  /** How the stream ends. Only `silent` leaves both sides without a final message for ever. */
  end: "done" | "end" | "mismatch" | "trailing" | "iteratorThrows" | "resultRejects" | "silent";
  onAbort: "checks" | "listens" | "ignores";
  /** The stream function itself: throws, rejects, or answers with a promise after `after` ticks. */
  entry?: { fails?: Thrown; async?: true; after?: number };
  stampNow?: boolean;
}

export type Block =
  | { type: "text"; text: string; chunks: number }
  | { type: "thinking"; text: string; chunks: number }
  | { type: "call"; call: Call; chunks: number };

/** A tool call as the model makes it, and what the tool does when it runs. */
export interface Call {
  id: string;
  tool: string;
  args: unknown;
  argumentsError?: string;
  takes?: number;
  updates?: number;
  /** Ticks before each update. */
  updateEvery?: number;
  lateUpdate?: boolean;
  result?: string;
  extras?: ("details" | "usage" | "structured" | "image")[];
  shape?: "noContent" | "nothing" | "string";
  isError?: boolean;
  terminate?: boolean;
  throws?: Thrown;
  /** The tool throws or returns without a promise. */
  sync?: boolean;
  honorsAbort?: boolean;
}

export interface Thrown {
  as: "error" | "string" | "object";
  text: string;
}

/** What a hook does at one call. Its effect on the run is `value`; absent: the hook returns what "no opinion" means to it. */
export interface HookAct<Value> {
  sync?: boolean;
  sleep?: number;
  throws?: Thrown;
  value?: Value;
}

/** One list per hook that is set: the k-th call of the hook gets the k-th act. */
export interface HookScripts {
  beforeToolCall?: HookAct<BeforeToolCallSpec>[];
  afterToolCall?: HookAct<AfterToolCallSpec>[];
  finishTurn?: HookAct<"end" | "continue" | "unknown">[];
  prepareNextTurn?: HookAct<TurnUpdate>[];
  prepareNextTurnWithContext?: HookAct<TurnUpdate>[];
  prepareRequest?: HookAct<Omit<TurnUpdate, "messages">>[];
  transformContext?: HookAct<"copy" | "dropFirst" | "note" | "push">[];
  convertToLlm?: HookAct<"customAsUser" | "dropSystem" | "lastOnly">[];
  getApiKey?: HookAct<string>[];
  getSteeringMessages?: HookAct<MessageSpec[]>[];
  getFollowUpMessages?: HookAct<MessageSpec[]>[];
}
export type HookName = keyof HookScripts;

export interface BeforeToolCallSpec {
  block?: boolean;
  reason?: string;
  terminate?: boolean;
  /** Change the validated arguments, or the raw ones of the message, in place. */
  edit?: "args" | "raw";
}

export interface AfterToolCallSpec {
  /** Change the executed result in place. */
  edit?: boolean;
  text?: string;
  isError?: boolean;
  terminate?: boolean;
  details?: string;
  structured?: boolean;
  usage?: boolean;
}

export interface TurnUpdate {
  context?: {
    messages: "same" | "copy" | "dropFirst" | "dropLast" | "note" | "systemOnly" | "push";
    /** Catalogue indices; `none` leaves the tools out of the context. */
    tools?: number[] | "none";
  };
  messages?: MessageSpec[];
  model?: number;
  thinking?: ThinkingLevel;
}

/** Where a step can hook in besides the lifecycle events. */
export type Point = HookName | "request" | "chunk" | "tool" | "toolEnd";

/**
 * When a step runs. `idle: n` after the n-th settling (0: at once), `tick: t` when the clock has passed t ticks since the
 * phase began that arms it, `on` synchronously inside the nth call of a listener, a hook, a tool or the stream function.
 */
export type Trigger =
  | { idle: number }
  | { tick: number; phase: number }
  | { on: AgentEvent["type"] | Point; nth: number; listener?: number };

export interface Step {
  when: Trigger;
  act: Act;
}

export type Act =
  | { do: "prompt"; input: PromptInput; after?: Act[] }
  | { do: "continue"; after?: Act[] }
  | { do: "waitForIdle"; after?: Act[] }
  | { do: "steer" | "followUp"; message: MessageSpec; twice?: boolean }
  | { do: "abort" | "clearSteering" | "clearFollowUp" | "clearAll" | "reset" | "peek" | "editMessage" }
  | { do: "steeringMode" | "followUpMode"; mode: QueueMode }
  | { do: "toolExecution"; mode: ToolExecutionMode }
  | { do: "setTools"; tools: number[] }
  | { do: "pushTool"; tool: number }
  | { do: "setMessages"; edit: "empty" | "copy" | "dropFirst" | "dropLast" | "systemOnly"; add?: MessageSpec[] }
  | { do: "pushMessage"; message: MessageSpec }
  | { do: "setModel"; model: number }
  | { do: "setThinking"; level: ThinkingLevel }
  | { do: "setHook"; hook: SettableHook; on: boolean }
  | { do: "setSessionId"; id: string }
  | { do: "subscribe" | "unsubscribe"; listener: number };

export type SettableHook = Exclude<HookName, "convertToLlm" | "getSteeringMessages" | "getFollowUpMessages">;

export type PromptInput = { text: string; images?: number } | { message: MessageSpec } | { messages: MessageSpec[] };

export interface LoopStep {
  when: Trigger;
  act: { do: "abort" } | { do: "pushMessage"; message: MessageSpec };
}
