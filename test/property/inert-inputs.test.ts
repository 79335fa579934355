import { isDeepStrictEqual } from "node:util";
import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBusy } from "../../src/engine/state.ts";
import { runningTrace, step } from "../../src/engine/step.ts";
import type { CommandType, HookName } from "../../src/protocol/command.ts";
import type { Effect } from "../../src/protocol/effect.ts";
import type { RefusalCode } from "../../src/protocol/errors.ts";
import type { FactBody } from "../../src/protocol/fact.ts";
import type { Input, LogRecord } from "../../src/protocol/log-record.ts";
import type { Outcome, OutcomeType } from "../../src/protocol/outcome.ts";
import { policyOf } from "../../src/protocol/policy.ts";
import { logText } from "../support/log-text.ts";
import { type ProgramStep, programArb, runProgram } from "../support/programs.ts";
import { runs } from "../support/runs.ts";

const anyProgram = programArb(["strict", "pi-1.6"], ["own", "own", "host"]);
const assistant = { role: "assistant", content: [] };

const OUTCOMES: { readonly [T in OutcomeType]: Extract<Outcome, { readonly type: T }> } = {
  "trace.opened": { type: "trace.opened" },
  "queue.polled": { type: "queue.polled", messages: [{ role: "user" }] },
  "tools.declared": { type: "tools.declared", messages: [{ message: { role: "system" } }] },
  "request.prepared": { type: "request.prepared" },
  "model.started": { type: "model.started", message: assistant },
  "model.replied": { type: "model.replied", message: assistant, stopReason: "stop", calls: [] },
  "tool.prepared": { type: "tool.prepared", call: 0, verdict: { kind: "ready" } },
  "tool.finished": { type: "tool.finished", call: 0, outcome: { kind: "aborted" } },
  "turn.finished": { type: "turn.finished", decision: "end" },
  "turn.closed": { type: "turn.closed" },
  "turn.prepared": { type: "turn.prepared", messages: [{ role: "user" }] },
  "trace.closed": { type: "trace.closed" },
  "run.failed": { type: "run.failed", message: assistant, error: "boom" },
};

/** Which outcomes an effect may have. */
function answersOf(effect: Effect): readonly OutcomeType[] {
  switch (effect.type) {
    case "listeners.settle":
      return [effect.then, "run.failed"];
    case "queue.poll":
      return ["queue.polled", "run.failed"];
    case "tools.declare":
      return ["tools.declared", "run.failed"];
    case "hook.run":
      return [HOOK_OUTCOMES[effect.hook], "run.failed"];
    case "model.request":
      return ["model.started", "model.replied", "run.failed"];
    case "tool.prepare":
      return ["tool.prepared", "run.failed"];
    default:
      return ["tool.finished", "run.failed"];
  }
}

const HOOK_OUTCOMES: Readonly<Record<HookName, OutcomeType>> = {
  prepareRequest: "request.prepared",
  finishTurn: "turn.finished",
  prepareNextTurn: "turn.prepared",
};

const noRun = { hooks: [], toolExecution: "parallel" } as const;
type Run = readonly ProgramStep[];

const outcome = fc.constantFrom(...Object.values(OUTCOMES));

const refusable = fc.constantFrom<Extract<Input, { readonly type: "prompt" | "continue" | "reset" }>>(
  { type: "prompt", messages: [{ role: "user" }], run: noRun },
  { type: "continue", lastRole: "user", hasConversation: true, run: noRun },
  { type: "reset" },
);
const OTHER_TRACE = { expect: { traceId: "t0" } };
const commandForAnother = fc.constantFrom<Input>(
  { type: "steer", message: { role: "user" }, ...OTHER_TRACE },
  { type: "followUp", message: { role: "user" }, ...OTHER_TRACE },
  { type: "clearAll", ...OTHER_TRACE },
  { type: "abort", ...OTHER_TRACE },
  { type: "setSteeringMode", mode: "all", ...OTHER_TRACE },
  { type: "prompt", messages: [], run: noRun, ...OTHER_TRACE },
  { type: "reset", ...OTHER_TRACE },
);

/** At one place of a run an input comes: nothing changes but the place in the log, nothing is asked, one fact or none tells. */
function expectInert(run: Run, at: ProgramStep, input: Input & { readonly id?: string }, told?: FactBody): void {
  const { state: before } = at;
  const seq = before.seq + 1;
  const record = { seq, at: seq, id: `${seq}`, ...input } as LogRecord;
  expectSame(run, { before, record, ...step(before, record) }, told);
}

function expectSame(run: Run, { before, record, state, facts, effects }: ProgramStep, told?: FactBody): void {
  const { seq } = record;
  const place = { seq, trace: runningTrace(before), turn: runningTrace(before) ? before.trace.context.turn : 0 };
  const right = { state: { ...before, seq }, effects: [], facts: told ? [{ ...told, ...place }] : [] };
  if (isDeepStrictEqual({ state, effects, facts }, right)) return;
  const log = logText([...run.slice(0, seq), { record }]);
  expect({ state, effects, facts }, `the last record of this log changed something:\n${log}`).toStrictEqual(right);
}

const ignored = (outcome: string, effect: string): FactBody => ({ type: "outcome.ignored", outcome, effect });
const refused = (command: Input, code: RefusalCode): FactBody => ({
  type: "input.refused",
  command: command.type as CommandType,
  code,
});

describe("inputs that the engine does not take change nothing but the place in the log", () => {
  test.prop([anyProgram, outcome], { numRuns: runs(200) })("an outcome that answers nothing", (program, outcome) => {
    const run = runProgram(program);
    const id = "t1/n1/nobody-asked#1";
    for (const at of run) expectInert(run, at, { ...outcome, id }, ignored(outcome.type, id));
  });

  test.prop([anyProgram, outcome], { numRuns: runs(300) })(
    "an outcome of another kind than what is asked under its id",
    (program, outcome) => {
      const run = runProgram(program);
      for (const at of run) {
        for (const effect of at.state.outstanding) {
          if (answersOf(effect).includes(outcome.type)) continue;
          expectInert(run, at, { ...outcome, id: effect.id }, ignored(outcome.type, effect.id));
        }
      }
    },
  );

  test.prop([anyProgram], { numRuns: runs(200) })(
    "the outcome of another call than the one that is asked",
    (program) => {
      const run = runProgram(program);
      for (const at of run) {
        for (const effect of at.state.outstanding) {
          if (!("call" in effect)) continue;
          const outcome = OUTCOMES[effect.type === "tool.prepare" ? "tool.prepared" : "tool.finished"];
          const other = { ...outcome, call: effect.call + 1, id: effect.id };
          expectInert(run, at, other, ignored(outcome.type, effect.id));
        }
      }
    },
  );

  test.prop([anyProgram], { numRuns: runs(200) })("an outcome that comes a second time", (program) => {
    const run = runProgram(program);
    const end = run.at(-1) as ProgramStep;
    const outstanding = end.state.outstanding.map(({ id }) => id);
    for (const { record } of run) {
      if (!(record.type in OUTCOMES) || outstanding.includes(record.id)) continue;
      const { seq: _seq, at: _at, ...outcome } = record;
      expectInert(run, end, outcome as Outcome, ignored(record.type, record.id));
    }
  });

  test.prop([anyProgram, refusable], { numRuns: runs(200) })(
    "a command that needs an idle agent, while busy",
    (program, command) => {
      const run = runProgram(program);
      for (const at of run.filter(({ state }) => isBusy(state))) {
        expectInert(run, at, command, refused(command, `busy-${command.type}`));
      }
    },
  );

  test.prop([anyProgram, commandForAnother], { numRuns: runs(200) })(
    "a command for another Trace",
    (program, command) => {
      const run = runProgram(program);
      for (const at of run) expectInert(run, at, command, refused(command, "trace-mismatch"));
    },
  );

  test.prop([anyProgram], { numRuns: runs(200) })("an abort while idle", (program) => {
    const run = runProgram(program);
    for (const at of run.filter(({ state }) => !isBusy(state))) expectInert(run, at, { type: "abort" });
  });

  test.prop([anyProgram], { numRuns: runs(200) })("whatever a run was told was refused or ignored", (program) => {
    const run = runProgram(program);
    for (const taken of run) {
      const told = taken.facts.find(({ type }) => type === "input.refused" || type === "outcome.ignored");
      if (told) expectSame(run, taken, told);
    }
  });

  it("which a message that is queued is not", () => {
    const run = runProgram({ policy: policyOf("strict"), numbers: [] });
    const steer: Input = { type: "steer", message: { role: "user" } };
    expect(() => expectInert(run, run[0] as ProgramStep, steer, refused(steer, "trace-mismatch"))).toThrow("steer");
  });
});
