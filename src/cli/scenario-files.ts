import { type ParsedScenario, parseScenarios } from "../testing/index.ts";
import { readInput } from "./read-input.ts";

/**
 * The scenarios of files, in their order.
 *
 * @throws CliError or ScenarioError for the first file, in that order, that cannot be read or run.
 */
export async function readScenarioFiles(files: readonly string[]): Promise<readonly ParsedScenario[]> {
  const scenarios: ParsedScenario[] = [];
  for (const file of files) scenarios.push(...parseScenarios(await readInput(file), file));
  return scenarios;
}
