import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { replay } from "../../src/replay/replay.ts";
import type { ProgramStep } from "../support/programs.ts";
import { runs } from "../support/runs.ts";
import { agentProgramArb } from "./agent/agent-program.ts";
import { type AgentRun, runAgent } from "./agent/agent-run.ts";
import { EVENT_INVARIANTS } from "./agent/event-invariants.ts";
import { LIFE_INVARIANTS } from "./agent/life-invariants.ts";
import { INVARIANTS } from "./invariants/all.ts";
import { momentsOf } from "./moments.ts";

/** The log of a run as steps. */
function stepsOf({ log }: AgentRun): readonly ProgramStep[] {
  const replayed = [...replay(log)];
  return replayed.map((step, n) => ({ ...step, before: replayed[n - 1]?.state ?? step.state }));
}

describe("the agent of profile strict, also when listeners, hooks, tools or streams throw", () => {
  test.prop([agentProgramArb], { numRuns: runs(300) })("keeps every invariant over its log", async (program) => {
    const moments = momentsOf(stepsOf(await runAgent(program)));
    const kept = INVARIANTS.map(({ id, violations }) => ({ id, violations: violations(moments) }));
    expect(kept).toEqual(INVARIANTS.map(({ id }) => ({ id, violations: [] })));
  });
});

const SAMPLE: AgentRun[] = [];

beforeAll(async () => {
  for (const program of fc.sample(agentProgramArb, { numRuns: 100, seed: 1 })) SAMPLE.push(await runAgent(program));
});

for (const { id, statement, violations, broken } of [...EVENT_INVARIANTS, ...LIFE_INVARIANTS]) {
  describe(`${id} over the agent: ${statement}`, () => {
    test.prop([agentProgramArb], { numRuns: runs(100) })("in every run", async (program) => {
      expect(violations(await runAgent(program))).toEqual([]);
    });

    it.each(broken)("is missed in a run $name", ({ apply }) => {
      expect(SAMPLE.some((run) => apply(run).some((one) => violations(one).length > 0))).toBe(true);
    });
  });
}
