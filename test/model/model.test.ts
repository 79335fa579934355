import { isDeepStrictEqual } from "node:util";
import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queued } from "../../src/engine/queue.ts";
import { runningTrace } from "../../src/engine/step.ts";
import type { RecordOf } from "../../src/protocol/log-record.ts";
import { POLICY_VALUES, type Policy, PROFILES, policyOf } from "../../src/protocol/policy.ts";
import { logText } from "../support/log-text.ts";
import { type Program, type ProgramStep, programArb, programOf, runProgram } from "../support/programs.ts";
import { runs } from "../support/runs.ts";
import { Oracle, type Reading } from "./oracle.ts";

/** Every mixture of flags that an agent's options allow. */
const mixedPolicy: fc.Arbitrary<Policy> = fc
  .record({
    onAbort: fc.constantFrom(...POLICY_VALUES.onAbort),
    drained: fc.constantFrom(...POLICY_VALUES.drained),
    onFailure: fc.constantFrom(...POLICY_VALUES.onFailure),
    continuedFollowUps: fc.constantFrom(...POLICY_VALUES.continuedFollowUps),
  })
  .map((flags) => policyOf("strict", flags));

/** A raw loop (spec L15). */
const loopPolicy = fc.constant(policyOf("pi-1.6", { onFailure: "reject", queues: "host" }));

interface Difference {
  readonly step: ProgramStep;
  readonly engine: Reading;
  readonly oracle: Reading;
}

/** The first record that engine and oracle read differently. */
function firstDifference(steps: readonly ProgramStep[], policy?: Policy): Difference | undefined {
  const opened = steps[0]?.record as RecordOf<"log.opened">;
  const oracle = new Oracle(policy ? { ...opened, policy } : opened);
  for (const step of steps.slice(1)) {
    const engine = readingOf(step);
    const reading = oracle.read(step.record);
    if (!isDeepStrictEqual(engine, reading)) return { step, engine, oracle: reading };
  }
  return undefined;
}

function readingOf({ state, facts, effects }: ProgramStep): Reading {
  const { outstanding } = state;
  const queues = { steering: queued(state, "steering"), followUp: queued(state, "followUp") };
  return { facts, effects, outstanding, ...queues, trace: runningTrace(state) };
}

function expectAgreement(program: Program): void {
  const steps = runProgram(program);
  const difference = firstDifference(steps);
  if (!difference) return;
  const log = logText(steps.slice(0, difference.step.record.seq + 1));
  expect(difference.engine, `at the last record of this log the engine does another thing:\n${log}`).toStrictEqual(
    difference.oracle,
  );
}

describe("an independent oracle reads every log as the engine does: facts, effects, queues", () => {
  test.prop([programArb(["strict"])], { numRuns: runs(500) })("profile strict", expectAgreement);
  test.prop([programArb(["pi-1.6"])], { numRuns: runs(500) })("profile pi-1.6", expectAgreement);
  test.prop([programOf(mixedPolicy)], { numRuns: runs(1_000) })("any mixture of flags", expectAgreement);
  test.prop([programArb(["pi-1.6"], ["host"])], { numRuns: runs(300) })("the host's queues", expectAgreement);
  test.prop([programOf(loopPolicy)], { numRuns: runs(300) })("raw loops", expectAgreement);

  it.each(["onAbort", "drained", "onFailure", "continuedFollowUps"] as const)(
    "and differs under another value of %s",
    (flag) => {
      const programs = fc.sample(programArb(["strict"]), { numRuns: 2_000, seed: 1 });
      const other = { ...PROFILES.strict, [flag]: PROFILES["pi-1.6"][flag] };
      expect(programs.some((program) => firstDifference(runProgram(program), other))).toBe(true);
    },
  );
});
