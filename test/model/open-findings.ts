import type { ProgramStep } from "../support/programs.ts";

const isStrict = ({ before }: ProgramStep) => before.trace.context.policy.onAbort === "boundary";
const asks = ({ before }: ProgramStep, id: string) => before.outstanding.some((effect) => effect.id.includes(id));

export const OPEN_FINDINGS: readonly ((step: ProgramStep) => boolean)[] = [
  (step) => step.record.type === "abort" && isStrict(step) && asks(step, "/prepareRequest"),
  (step) =>
    step.record.type === "abort" &&
    isStrict(step) && asks(step, "/declare#") &&
    step.before.trace.context.pending.length > 0,
  (step) =>
    step.record.type === "run.failed" &&
    step.before.trace.context.policy.onFailure === "reject" &&
    step.before.trace.context.prepared.length + step.before.trace.context.pending.length > 0,
  (step) => step.before.trace.context.policy.queues === "host" && isStrict(step) && step.before.trace.context.aborted,
  (step) =>
    step.record.type === "run.failed" &&
    step.before.trace.context.policy.onFailure === "turn" &&
    step.before.trace.context.policy.queues === "host" &&
    /\/P[123]#/.test(step.record.id),
];
