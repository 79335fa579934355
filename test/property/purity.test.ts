import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { freeze } from "immer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toolBatchMachine } from "../../machines/tool-batch.ts";
import { traceMachine } from "../../machines/trace.ts";
import { referenceStep } from "../../src/engine/reference.ts";
import { type Step, step, stepWith } from "../../src/engine/step.ts";
import { logText } from "../support/log-text.ts";
import { programArb, runProgram } from "../support/programs.ts";
import { runs } from "../support/runs.ts";

const anyProgram = programArb(["strict", "pi-1.6"], ["own", "own", "host"]);
const reference = stepWith({ trace: referenceStep(traceMachine), batch: referenceStep(toolBatchMachine) });

/** Sampled before anything is poisoned. */
const SAMPLE = fc.sample(anyProgram, { numRuns: 300, seed: 1 });

describe("law 2: the core is pure", () => {
  describe("it reads no clock and no randomness", () => {
    const { now } = Date;
    const { random } = Math;
    const RealDate = Date;

    beforeEach(() => {
      const poison = () => {
        throw new Error("The core asked for the time or for chance.");
      };
      Math.random = poison;
      globalThis.Date = new Proxy(RealDate, { construct: poison, apply: poison });
      RealDate.now = poison;
    });

    afterEach(() => {
      globalThis.Date = RealDate;
      RealDate.now = now;
      Math.random = random;
    });

    it("(the poison works)", () => {
      expect(() => Date.now()).toThrow();
      expect(() => new Date()).toThrow();
      expect(() => Math.random()).toThrow();
    });

    it.each([
      ["compiled", step, 300],
      ["reference", reference, 40],
    ] as const)("in the %s engine", (_name, engine, programs) => {
      for (const program of SAMPLE.slice(0, programs)) expect(() => runProgram(program, engine)).not.toThrow();
    });
  });

  test.prop([anyProgram], { numRuns: runs(300) })("it changes nothing that it is given", (program) => {
    expect(() => runProgram(program, frozen(step))).not.toThrow();
  });

  test.prop([anyProgram], { numRuns: runs(30) })("nor does the reference engine", (program) => {
    expect(() => runProgram(program, frozen(reference))).not.toThrow();
  });

  test.prop([anyProgram], { numRuns: runs(100) })("the same step again gives an equal result", (program) => {
    const steps = runProgram(program);
    for (const { before, record, state, facts, effects } of steps.slice(1)) {
      expect(step(before, record), logText(steps)).toStrictEqual({ state, facts, effects });
    }
  });
});

/** An engine whose states, records and results are frozen through and through: a write to any of them throws. */
function frozen(engine: Step): Step {
  return (state, record) => freeze(engine(freeze(state, true), freeze(record, true)), true);
}
