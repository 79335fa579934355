import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logText } from "../support/log-text.ts";
import { programArb, runProgram } from "../support/programs.ts";
import { runs } from "../support/runs.ts";
import { INVARIANTS } from "./invariants/all.ts";
import type { Moment } from "./invariants/moment.ts";
import { momentsOf } from "./moments.ts";

const strict = programArb(["strict"]);

/** The same runs each time: to break. */
const SAMPLE = fc.sample(strict, { numRuns: 300, seed: 1 }).map((program) => momentsOf(runProgram(program)));

for (const { id, statement, violations, broken } of INVARIANTS) {
  describe(`${id}: ${statement}`, () => {
    test.prop([strict], { numRuns: runs(100) })("in every strict run", (program) => {
      const steps = runProgram(program);
      expect(violations(momentsOf(steps)), logText(steps)).toEqual([]);
    });

    it.each(broken)("is missed in a run $name", ({ apply }) => {
      const isNoticed = (moments: readonly Moment[]) => violations(moments).length > 0;
      expect(SAMPLE.some((moments) => Array.from(apply(moments)).some(isNoticed))).toBe(true);
    });
  });
}

describe("not judged here: these speak of an Activity", () => {
  it.skip.each([
    "INV-Q12: at idle the display lists are the texts of the queued user messages",
    "INV-Q13: each delivery of a queued user message is preceded by one queue_update without it",
    "INV-Q16: extension commands are never queued",
    "INV-Q17: the queues of one session never appear in another",
    "INV-Q18: a message that was accepted as queued is delivered without further user action",
  ])("%s", () => {});
});
