import { FAULTS, REFUSALS } from "turnwright";
import { SCENARIO_FAULTS } from "turnwright/testing";
import { code, joined, pageHead, table } from "./markdown.mjs";

const ABOUT = `Every error has a stable \`code\`, a text, and the first thing to try (\`fix\`). Branch on the code: texts may be
worded better in a later version, except where they are Pi's. How to catch them: [Errors](../guides/errors.md).`;

/** The tables of errors. */
export function errorsPage() {
  return joined([
    pageHead("Errors", ABOUT),
    "## Refusals of commands",
    "A `RefusedError`. The command has changed nothing. The log records the refusal, except `interrupted`. Where Pi has a\ntext, it is Pi's to the letter.",
    rowsOf(REFUSALS),
    "## Faults",
    "A `LifecycleError`: of data at the boundary, of a stream function or tool, or of the caller. `replay-diverged` is its\nsubclass `DivergenceError`. The three `…-invalid` and `…-missing` faults of models and tools are not thrown: they\nbecome the failed reply or the error result that the run goes on with.",
    rowsOf(FAULTS),
    "## Scenario files",
    "A `ScenarioError` of `turnwright/testing`. Its message starts with file, line and JSON path.",
    rowsOf(SCENARIO_FAULTS),
  ]);
}

function rowsOf(errors) {
  const rows = Object.entries(errors).map(([name, { text, fix }]) => [`<a id="${name}"></a>${code(name)}`, text, fix]);
  return table(["Code", "Text", "First fix"], rows);
}
