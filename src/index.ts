export { queued } from "./engine/queue.ts";
export { type InitialModes, init, isBusy, open, type State } from "./engine/state.ts";
export { runningTrace, type Step, type StepResult, step } from "./engine/step.ts";
export { stateDigest, stepDigest } from "./engine/step-digest.ts";
export { decodeLog, encodeRecord } from "./log/codec.ts";
export { InputLog } from "./log/input-log.ts";
export { parseRecord, type RecordPlace } from "./log/record-schema.ts";
export { Agent } from "./pi/agent.ts";
export type { AgentOptions } from "./pi/agent-options.ts";
export type { CommandReceipt } from "./pi/command-receipt.ts";
export { createAssistantMessageEventStream } from "./pi/event-stream.ts";
export type { AgentListener, ListenerErrorHandler } from "./pi/listeners.ts";
export { canonicalJson, digest } from "./protocol/canonical.ts";
export type { Command, CommandOptions, CommandType, HookName, RunConfig } from "./protocol/command.ts";
export type { Effect, EffectType } from "./protocol/effect.ts";
export {
  type ErrorCode,
  type ErrorInfo,
  FAULTS,
  type FaultCode,
  LifecycleError,
  REFUSALS,
  type RefusalCode,
  RefusedError,
} from "./protocol/errors.ts";
export type { CallOutcome, Fact, FactType, InjectionSource, Place, PollPoint } from "./protocol/fact.ts";
export { LIMITS } from "./protocol/limits.ts";
export type { Envelope, Input, InputType, LogRecord, RecordOf, StepDigest } from "./protocol/log-record.ts";
export type { Call, IdentifiedMessage, Message, StopReason, ToolExecutionMode } from "./protocol/message.ts";
export type { Injection, Outcome, OutcomeType, ToolNotRun, ToolOutcome, Verdict } from "./protocol/outcome.ts";
export { POLICY_VALUES, type Policy, type PolicyFlags, PROFILES, type Profile, policyOf } from "./protocol/policy.ts";
export type { QueueMode, QueueName } from "./protocol/queue-mode.ts";
export { DivergenceError } from "./replay/divergence-error.ts";
export { fold, replay } from "./replay/replay.ts";
export { type ReplayedStep, Replayer } from "./replay/replayer.ts";
export { advanceTimeline, EMPTY_TIMELINE, type Timeline } from "./replay/timeline.ts";
export type { Receipt } from "./runtime/admission.ts";
export { type Clock, systemClock } from "./runtime/clock.ts";
