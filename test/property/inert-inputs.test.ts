import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { type Step, step } from "../../src/engine/step.ts";
import type { Input, LogRecord } from "../../src/protocol/log-record.ts";
import type { Outcome, OutcomeType } from "../../src/protocol/outcome.ts";
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

const noRun = { hooks: [], toolExecution: "parallel" } as const;
const refusable = fc.constantFrom<Input>(
  { type: "prompt", messages: [{ role: "user" }], run: noRun },
  { type: "continue", lastRole: "user", hasConversation: true, run: noRun },
  { type: "reset" },
);
const OTHER_TRACE = { expect: { traceId: "t0" } };
const command = fc.constantFrom<Input>(
  { type: "steer", message: { role: "user" }, ...OTHER_TRACE },
  { type: "followUp", message: { role: "user" }, ...OTHER_TRACE },
  { type: "clearAll", ...OTHER_TRACE },
  { type: "abort", ...OTHER_TRACE },
  { type: "setSteeringMode", mode: "all", ...OTHER_TRACE },
  { type: "prompt", messages: [], run: noRun, ...OTHER_TRACE },
  { type: "reset", ...OTHER_TRACE },
);

/** What an input does at the end of these steps. */
function inject(steps: readonly ProgramStep[], input: Input, id?: string, engine: Step = step) {
  const { state: before } = steps.at(-1) as ProgramStep;
  const seq = before.seq + 1;
  const record = { seq, at: seq, ...input, id: id ?? `${seq}` } as LogRecord;
  return { before, record, ...engine(before, record), log: logText([...steps, { record }]) };
}

/** Nothing changed but the place in the log, nothing is asked for, and one fact tells so. */
function expectInert({ before, state, facts, effects, record, log }: ReturnType<typeof inject>, fact: object): void {
  expect(state, log).toStrictEqual({ ...before, seq: record.seq });
  expect(effects, log).toEqual([]);
  expect(facts, log).toMatchObject([fact]);
}

describe("inputs that the engine does not take change nothing but the place in the log", () => {
  test.prop([anyProgram, fc.constantFrom(...Object.values(OUTCOMES))], { numRuns: runs(300) })(
    "an outcome that answers nothing that is asked, at any moment",
    (program, outcome) => {
      const steps = runProgram(program);
      const effect = "t1/n1/nobody-asked#1";
      const fact = { type: "outcome.ignored", outcome: outcome.type, effect };
      expectInert(inject(steps, outcome, effect), fact);
    },
  );

  test.prop([anyProgram], { numRuns: runs(300) })("an outcome that comes a second time", (program) => {
    const steps = runProgram(program);
    const outstanding = (steps.at(-1) as ProgramStep).state.outstanding.map(({ id }) => id);
    for (const { record } of steps) {
      if (!(record.type in OUTCOMES) || outstanding.includes(record.id)) continue;
      const { seq: _seq, at: _at, id, ...outcome } = record;
      const fact = { type: "outcome.ignored", outcome: record.type, effect: id };
      expectInert(inject(steps, outcome as Outcome, id), fact);
    }
  });

  test.prop([anyProgram, refusable], { numRuns: runs(300) })(
    "a command that needs an idle agent, while busy",
    (program, input) => {
      const steps = runProgram(program);
      const busy = steps.filter(({ state }) => state.trace.context.running);
      for (const { state } of busy) {
        const until = steps.slice(0, state.seq + 1);
        expectInert(inject(until, input), { type: "input.refused", command: input.type, code: `busy-${input.type}` });
      }
    },
  );

  test.prop([anyProgram, command], { numRuns: runs(300) })("a command for another Trace", (program, input) => {
    const steps = runProgram(program);
    const fact = { type: "input.refused", command: input.type, code: "trace-mismatch" };
    for (const { state } of steps) expectInert(inject(steps.slice(0, state.seq + 1), input), fact);
  });

  test.prop([anyProgram], { numRuns: runs(300) })("an abort while idle", (program) => {
    const steps = runProgram(program);
    for (const { state } of steps.filter(({ state }) => !state.trace.context.running)) {
      const { before, record, log, ...result } = inject(steps.slice(0, state.seq + 1), { type: "abort" });
      expect(result, log).toStrictEqual({ state: { ...before, seq: record.seq }, facts: [], effects: [] });
    }
  });

  test.prop([anyProgram], { numRuns: runs(300) })("whatever a run was told was refused or ignored", (program) => {
    const steps = runProgram(program);
    for (const { before, record, state, facts, effects } of steps) {
      if (!facts.some(({ type }) => type === "input.refused" || type === "outcome.ignored")) continue;
      expect({ state, count: facts.length, effects }, logText(steps)).toStrictEqual({
        state: { ...before, seq: record.seq },
        count: 1,
        effects: [],
      });
    }
  });
});
