import {
  firstDifference,
  type ParsedScenario,
  type ResultDifference,
  type ScenarioResult,
  ScenarioRun,
  StalledError,
  type TurnwrightAgentOptions,
  turnwrightAgent,
} from "../testing/index.ts";

/** What became of one scenario. */
export interface Verdict {
  readonly parsed: ParsedScenario;
  /** What it did; as far as it came when it stalled. */
  readonly result: ScenarioResult;
  /** Undefined: all well. */
  readonly failure?: ResultDifference | StalledError;
}

/** Runs a scenario on a new agent and compares it with what its case expects, if it expects anything. */
export async function judgeScenario(parsed: ParsedScenario, options: TurnwrightAgentOptions) {
  const run = new ScenarioRun(turnwrightAgent(options), parsed.scenario);
  const stalled = await run.play().then(() => undefined, stalledOnly);
  const result = run.result();
  const failure = stalled ?? (parsed.expected && firstDifference(parsed.expected, result));
  const verdict: Verdict = { parsed, result, ...(failure ? { failure } : {}) };
  return { verdict, agent: run.agent };
}

function stalledOnly(error: unknown): StalledError {
  if (error instanceof StalledError) return error;
  throw error;
}
