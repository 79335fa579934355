import { expect, test } from "vitest";
import { reportTotals, reportVerdict } from "../../src/cli/report.ts";
import type { Verdict } from "../../src/cli/verdict.ts";
import { StalledError } from "../../src/testing/stalled-error.ts";

const STALLED: Verdict = {
  parsed: { scenario: { name: "n", model: [], host: [] }, file: "s.jsonl", line: 4, remarks: [] },
  result: {
    events: ["agent_start"],
    requests: [],
    errors: [],
    final: { messages: [], steering: [], followUp: [] },
  },
  failure: new StalledError("stalled", 5),
};

const TOLD = `FAIL  n  (s.jsonl:4)
      stalled: The run waits for something that nothing will bring.
      Look at the last event: what was it that the agent waited for after it?
`;

function report(json: boolean): { out: string; err: string } {
  const told = { out: "", err: "" };
  const shell = {
    out: (text: string) => {
      told.out += text;
    },
    err: (text: string) => {
      told.err += text;
    },
  };
  reportVerdict(STALLED, json, shell);
  reportTotals([STALLED], "pi-1.6", json, shell);
  return told;
}

test("a stalled scenario fails, also when nothing is expected of it", () => {
  expect(report(false)).toEqual({ out: `${TOLD}1 compared, 0 as expected, 1 not (profile pi-1.6)\n`, err: "" });
});

test("with --json a stalled scenario still prints one object: how far it came", () => {
  const { out, err } = report(true);
  expect(JSON.parse(out)).toEqual({ name: "n", ...STALLED.result });
  expect(err.startsWith(TOLD)).toBe(true);
});
