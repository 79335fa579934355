import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { toolBatchMachine } from "../../machines/tool-batch.ts";
import { traceMachine } from "../../machines/trace.ts";
import { referenceStep } from "../../src/engine/reference.ts";
import { step, stepWith } from "../../src/engine/step.ts";
import { programArb, runProgram } from "../support/programs.ts";

const reference = stepWith({ trace: referenceStep(traceMachine), batch: referenceStep(toolBatchMachine) });

const programs = fc.oneof(programArb(["strict", "pi-1.6"]), programArb(["pi-1.6"], ["host"]));

test.prop([programs], { numRuns: 300 })(
  "the compiled tables take the same steps as XState's own transition function",
  (program) => {
    for (const { record, before, state, facts, effects } of runProgram(program, step)) {
      if (record.seq > 0) expect(reference(before, record)).toEqual({ state, facts, effects });
    }
  },
);
