export type {
  AfterToolCallContext,
  AfterToolCallResult,
  AgentContext,
  AgentEvent,
  AgentEventSink,
  AgentInitialState,
  AgentLoopConfig,
  AgentLoopTurnUpdate,
  AgentMessage,
  AgentRequestUpdate,
  AgentState,
  AgentTool,
  AgentToolCall,
  AgentToolCallOutcome,
  AgentToolParams,
  AgentToolResult,
  AgentToolUpdateCallback,
  AgentTurnContext,
  AgentTurnDecision,
  BeforeToolCallContext,
  BeforeToolCallResult,
  CustomAgentMessages,
  FinishTurn,
  PrepareNextTurnContext,
  PrepareRequest,
  PrepareRequestContext,
  QueueMode,
  RunToolCallOptions,
  StreamFn,
  ThinkingLevel,
  ToolCallHooks,
  ToolExecutionMode,
} from "@earendil-works/pi-agent-core";
export { Agent } from "./agent.ts";
export { agentLoop, agentLoopContinue, runAgentLoop, runAgentLoopContinue } from "./agent-loop.ts";
export type { AgentOptions } from "./agent-options.ts";
export type { CommandReceipt } from "./command-receipt.ts";
export { setDefaultStreamFn } from "./default-stream-fn.ts";
export { DEFAULT_AGENT_IDENTITY } from "./identity.ts";
export type { AgentListener, ListenerErrorHandler } from "./listeners.ts";
export { runToolCall } from "./run-tool-call.ts";
