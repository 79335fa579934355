import { isDeepStrictEqual } from "node:util";
import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { queued } from "../../src/engine/queue.ts";
import { runningTrace } from "../../src/engine/step.ts";
import type { RecordOf } from "../../src/protocol/log-record.ts";
import { type Policy, policyOf } from "../../src/protocol/policy.ts";
import { type Program, programArb, programOf, runProgram } from "../support/programs.ts";
import { runs } from "../support/runs.ts";
import { OPEN_FINDINGS } from "./open-findings.ts";
import { Oracle } from "./oracle.ts";

/** Every mixture of flags that an agent's options allow. */
const mixedPolicy: fc.Arbitrary<Policy> = fc.record({
  profile: fc.constantFrom("strict", "pi-1.6"),
  onAbort: fc.constantFrom("next-request", "boundary"),
  drained: fc.constantFrom("limbo", "reserved"),
  onFailure: fc.constantFrom("suffix", "turn", "reject"),
  continuedFollowUps: fc.constantFrom("with-steering", "alone"),
  queues: fc.constant("own"),
});

/** A raw loop (spec L15). */
const loopPolicy = fc.constant(policyOf("pi-1.6", { onFailure: "reject", queues: "host" }));

/** Steps the oracle and the engine through a program; at the first difference tells the log so far. */
function expectAgreement(program: Program): void {
  const steps = runProgram(program);
  const oracle = new Oracle(steps[0]?.record as RecordOf<"log.opened">);
  for (const step of steps.slice(1)) {
    if (OPEN_FINDINGS.some((shows) => shows(step))) return;
    const { record, state, facts, effects } = step;
    const { outstanding } = state;
    const queues = { steering: queued(state, "steering"), followUp: queued(state, "followUp") };
    const engine = { facts, effects, outstanding, ...queues, trace: runningTrace(state) };
    const reading = oracle.read(record);
    if (isDeepStrictEqual(engine, reading)) continue;
    const log = steps.slice(0, record.seq + 1).map((step) => JSON.stringify(step.record));
    expect(engine, `engine and oracle differ at the last record of\n${log.join("\n")}`).toStrictEqual(reading);
  }
}

describe("an independent oracle reads every log as the engine does: facts, effects, queues", () => {
  test.prop([programArb(["strict"])], { numRuns: runs(500) })("strict, own queues", expectAgreement);
  test.prop([programArb(["pi-1.6"])], { numRuns: runs(500) })("pi-1.6, own queues", expectAgreement);
  test.prop([programOf(mixedPolicy)], { numRuns: runs(500) })("any mixture of flags, own queues", expectAgreement);
  test.prop([programOf(loopPolicy)], { numRuns: runs(500) })("raw loops, the host's queues", expectAgreement);
  test.prop([programArb(["pi-1.6"], ["host"])], { numRuns: runs(500) })("pi-1.6, the host's queues", expectAgreement);
  test.prop([programArb(["strict"], ["host"])], { numRuns: runs(500) })("strict, the host's queues", expectAgreement);
});
