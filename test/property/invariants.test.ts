import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logText } from "../support/log-text.ts";
import { soundRun } from "../support/open-findings.ts";
import { programArb } from "../support/programs.ts";
import { runs } from "../support/runs.ts";
import { INVARIANTS } from "./invariants/all.ts";
import type { Moment } from "./invariants/moment.ts";
import { momentsOf } from "./moments.ts";

const strict = programArb(["strict"]);

/** The same runs each time: to break. */
const SAMPLE = fc.sample(strict, { numRuns: 100, seed: 1 }).map((program) => momentsOf(soundRun(program)));

for (const { id, statement, violations, broken } of INVARIANTS) {
  describe(`${id}: ${statement}`, () => {
    test.prop([strict], { numRuns: runs(100) })("in every strict run", (program) => {
      const steps = soundRun(program);
      expect(violations(momentsOf(steps)), logText(steps)).toEqual([]);
    });

    it.each(broken)("is missed in a run $name", ({ apply }) => {
      const isNoticed = (moments: readonly Moment[]) => violations(moments).length > 0;
      expect(SAMPLE.some((moments) => Array.from(apply(moments)).some(isNoticed))).toBe(true);
    });
  });
}
