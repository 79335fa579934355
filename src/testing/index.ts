export type { Profile } from "../protocol/policy.ts";
export type { AgentUnderTest, QueuedMessages, ScenarioAgent } from "./agent-under-test.ts";
export { brief, briefs } from "./brief.ts";
export { eventLine } from "./event-line.ts";
export { firstDifference, type ResultDifference } from "./first-difference.ts";
export { Given, given, type When } from "./given-when-then.ts";
export { parseScenarios } from "./parse-scenarios.ts";
export { runScenario, ScenarioRun } from "./run-scenario.ts";
export type { Call, Hooks, Reply, Scenario, Step } from "./scenario.ts";
export type { ParsedScenario } from "./scenario-entry.ts";
export { SCENARIO_FAULTS, ScenarioError, type ScenarioErrorCode } from "./scenario-error.ts";
export type { ScenarioResult } from "./scenario-result.ts";
export { ScriptedModel, type ScriptedModelOptions } from "./scripted-model.ts";
export { scriptedTools } from "./scripted-tools.ts";
export { answeredBy, type InputSource, until, untilIdle } from "./spec-answers.ts";
export { SpecError } from "./spec-error.ts";
export {
  type BareInput,
  continueFrom,
  failure,
  finishTurn,
  followUp,
  nextTurnPrepared,
  prompt,
  reply,
  replyStarted,
  type ScriptedCall,
  steer,
  toolFinished,
  toolPrepared,
  user,
} from "./spec-inputs.ts";
export type { Expected } from "./spec-products.ts";
export { type StalledCode, StalledError } from "./stalled-error.ts";
export { type TurnwrightAgentOptions, turnwrightAgent } from "./turnwright-agent.ts";
export { VirtualTime } from "./virtual-time.ts";
