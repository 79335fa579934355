import type { HookName } from "../../src/protocol/command.ts";
import { type Program, type ProgramStep, runProgram } from "./programs.ts";

/** A situation in which the engine is known to break a rule. */
export interface OpenFinding {
  readonly about: string;
  readonly shows: (step: ProgramStep) => boolean;
}

const policyOf = ({ before }: ProgramStep) => before.trace.context.policy;
const isAbort = ({ record }: ProgramStep) => record.type === "abort";
const waitsForHook = ({ before }: ProgramStep, hook: HookName) =>
  before.outstanding.some((effect) => effect.type === "hook.run" && effect.hook === hook);
const waitsFor = ({ before }: ProgramStep, type: string) => before.outstanding.some((effect) => effect.type === type);

export const OPEN_FINDINGS: readonly OpenFinding[] = [
  {
    about: "onAbort boundary: an abort while prepareRequest runs asks for the model beside the running hook",
    shows: (step) => isAbort(step) && policyOf(step).onAbort === "boundary" && waitsForHook(step, "prepareRequest"),
  },
  {
    about: "onAbort boundary: what was drained before an abort is delivered after it (INV-Q11)",
    shows: (step) =>
      isAbort(step) &&
      policyOf(step).onAbort === "boundary" &&
      waitsFor(step, "tools.declare") &&
      step.before.trace.context.pendingFrom !== "prompt",
  },
  {
    about: "onFailure reject: what was drained or prepared vanishes without a fact (INV-Q1)",
    shows: ({ record, before }) =>
      record.type === "run.failed" &&
      before.trace.context.policy.onFailure === "reject" &&
      before.trace.context.pending.length + before.trace.context.prepared.length > 0,
  },
];

/** The steps of a program up to the first one that shows an open finding. */
export function soundRun(program: Program): readonly ProgramStep[] {
  return upToOpenFinding(runProgram(program));
}

/** Steps up to the first one that shows an open finding. */
export function upToOpenFinding(steps: readonly ProgramStep[]): readonly ProgramStep[] {
  const end = steps.findIndex((step) => OPEN_FINDINGS.some(({ shows }) => shows(step)));
  return end < 0 ? steps : steps.slice(0, end);
}
