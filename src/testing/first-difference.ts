import type { ScenarioResult } from "./scenario-result.ts";

/** The first place in which two results differ. */
export interface ResultDifference {
  /** `events[12]`, `requests[1]`, `final.steering[0]`. */
  readonly at: string;
  /** Undefined: nothing more was expected here. */
  readonly expected: string | undefined;
  /** Undefined: nothing more came. */
  readonly actual: string | undefined;
}

/** The first difference, looking at events, requests, errors, then the final state; undefined when there is none. */
export function firstDifference(expected: ScenarioResult, actual: ScenarioResult): ResultDifference | undefined {
  const wanted = sections(expected);
  const found = sections(actual);
  for (const [name, lines] of Object.entries(wanted)) {
    const others = found[name] ?? [];
    for (let n = 0; n < Math.max(lines.length, others.length); n++) {
      if (lines[n] !== others[n]) return { at: `${name}[${n}]`, expected: lines[n], actual: others[n] };
    }
  }
  return undefined;
}

function sections({ events, requests, errors, final }: ScenarioResult): Record<string, readonly string[]> {
  return {
    events,
    requests: requests.map((messages) => JSON.stringify(messages)),
    errors,
    "final.messages": final.messages,
    "final.steering": final.steering,
    "final.followUp": final.followUp,
  };
}
