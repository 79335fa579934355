import { type Profile, type ResultDifference, StalledError } from "../testing/index.ts";
import { renderResult } from "./render-result.ts";
import type { Shell } from "./shell.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Tells what became of one scenario. With `json` standard output gets its result as one line of JSON and standard error
 * what went wrong; without it everything goes to standard output.
 */
export function reportVerdict(verdict: Verdict, json: boolean, shell: Shell): void {
  const { parsed, result, failure } = verdict;
  const { name } = parsed.scenario;
  if (json) shell.out(`${JSON.stringify({ name, ...result })}\n`);
  if (failure) {
    const text = `FAIL  ${name}  (${parsed.file}:${parsed.line})\n${renderFailure(failure)}`;
    if (json) shell.err(text);
    else shell.out(text);
  } else if (!json) {
    shell.out(parsed.expected ? `pass  ${name}\n` : renderResult(parsed.scenario, result));
  }
}

/** Tells how many scenarios did what their cases expect; nothing when none expects anything and none failed. */
export function reportTotals(verdicts: readonly Verdict[], profile: Profile, json: boolean, shell: Shell): void {
  const judged = verdicts.filter(({ parsed, failure }) => parsed.expected ?? failure);
  if (judged.length === 0) return;
  const failed = judged.filter(({ failure }) => failure).length;
  const text = `${judged.length} compared, ${judged.length - failed} as expected, ${failed} not (profile ${profile})\n`;
  if (json) shell.err(text);
  else shell.out(text);
  if (failed > 0 && profile !== "pi-1.6") {
    shell.err("Recordings of the real Pi hold in its own profile: --profile pi-1.6\n");
  }
}

function renderFailure(failure: ResultDifference | StalledError): string {
  if (failure instanceof StalledError) return `      ${failure.code}: ${failure.message}\n      ${failure.fix}\n`;
  const { at, expected = "(nothing more)", actual = "(nothing more)" } = failure;
  return `      first difference at ${at}\n      expected  ${expected}\n      got       ${actual}\n`;
}
