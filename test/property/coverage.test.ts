import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { toolBatchMachine } from "../../machines/tool-batch.ts";
import type { ToolBatchContext, ToolBatchEvent } from "../../machines/tool-batch-context.ts";
import { traceMachine } from "../../machines/trace.ts";
import type { TraceContext, TraceEvent } from "../../machines/trace-context.ts";
import type { Chart } from "../../src/engine/chart.ts";
import type { State } from "../../src/engine/state.ts";
import { stepWith } from "../../src/engine/step.ts";
import type { CommandType } from "../../src/protocol/command.ts";
import { policyOf } from "../../src/protocol/policy.ts";
import { programOf, runProgram } from "../support/programs.ts";
import { coveredMachine } from "./covered-machine.ts";

const PROGRAMS = 15_000;

/** What agents and raw loops run under. */
const policies = fc.constantFrom(
  policyOf("strict"),
  policyOf("pi-1.6"),
  policyOf("pi-1.6", { onFailure: "reject", queues: "host" }),
);

const COMMANDS = {
  prompt: true,
  continue: true,
  steer: true,
  followUp: true,
  clearSteering: true,
  clearFollowUp: true,
  clearAll: true,
  setSteeringMode: true,
  setFollowUpMode: true,
  abort: true,
  reset: true,
  editTranscript: true,
} satisfies Record<CommandType, true>;

const trace = coveredMachine<TraceContext, TraceEvent>(traceMachine as unknown as Chart);
const batch = coveredMachine<ToolBatchContext, ToolBatchEvent>(toolBatchMachine as unknown as Chart);
/** Which inputs came where the machines waited. */
const inputs = new Map<string, Set<string>>();

function placeOf({ trace, batch }: State): string {
  return trace.value === "toolBatch" ? `toolBatch.${batch?.value}` : trace.value;
}

beforeAll(() => {
  const engine = stepWith({ trace: trace.step, batch: batch.step });
  for (const program of fc.sample(programOf(policies), { numRuns: PROGRAMS, seed: 1 })) {
    for (const { before, record } of runProgram(program, engine).slice(1)) {
      const place = placeOf(before);
      inputs.set(place, (inputs.get(place) ?? new Set()).add(record.type));
    }
  }
});

describe("random programs", () => {
  it.each([
    ["the Trace", trace.counts],
    ["the tool batch", batch.counts],
  ])("enter every state and take every transition of %s", (_name, counts) => {
    expect(counts.size).toBeGreaterThan(20);
    expect([...counts].flatMap(([name, count]) => (count === 0 ? [name] : []))).toEqual([]);
  });

  it("give every command, and the resumption of a log, wherever the machines wait", () => {
    expect(inputs.size).toBe(19);
    const wanted = [...Object.keys(COMMANDS), "log.resumed"];
    const missed = [...inputs].flatMap(([place, types]) =>
      wanted.filter((type) => !types.has(type)).map((type) => `${type} in ${place}`),
    );
    // Only a host that owns the queues is polled, and it queues nothing here.
    const polls = ["turn.pollInitial", "checkSteer", "checkFollowUp", "catchUp"];
    const impossible = polls.flatMap((place) => [`steer in ${place}`, `followUp in ${place}`]);
    expect(missed.toSorted()).toEqual(impossible.toSorted());
  });
});
