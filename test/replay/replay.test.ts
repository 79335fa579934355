import { describe, expect, test } from "vitest";
import { stepDigest } from "../../src/engine/step-digest.ts";
import type { LifecycleError } from "../../src/protocol/errors.ts";
import type { LogRecord } from "../../src/protocol/log-record.ts";
import { policyOf } from "../../src/protocol/policy.ts";
import { DivergenceError } from "../../src/replay/divergence-error.ts";
import { fold, replay } from "../../src/replay/replay.ts";
import { advanceTimeline, EMPTY_TIMELINE, type Timeline } from "../../src/replay/timeline.ts";
import { type ProgramStep, runProgram } from "../support/programs.ts";

const numbers = Array.from({ length: 400 }, (_, n) => (n * 7_919 + 13) % 9_973);
const STEPS: readonly ProgramStep[] = runProgram({ policy: policyOf("strict"), numbers });
const RECORDS = STEPS.map(({ record, ...step }): LogRecord => ({ ...record, digest: stepDigest(step) }));

const thrown = (act: () => unknown): LifecycleError => {
  try {
    act();
  } catch (error) {
    return error as LifecycleError;
  }
  throw new Error("nothing was thrown");
};

describe("replay", () => {
  test("gives the same states, facts and effects as the live run, record by record", () => {
    const replayed = [...replay(RECORDS)];
    expect(replayed.map(({ state, facts, effects }) => ({ state, facts, effects }))).toEqual(
      STEPS.map(({ state, facts, effects }) => ({ state, facts, effects })),
    );
    expect(fold(RECORDS)).toEqual(STEPS.at(-1)?.state);
  });

  test.each(["state", "facts", "effects"] as const)("names the first record whose %s differ, and the part", (part) => {
    const seq = 20;
    const records = RECORDS.map((record) =>
      record.seq >= seq && record.digest ? { ...record, digest: { ...record.digest, [part]: "0".repeat(16) } } : record,
    );
    const error = thrown(() => fold(records));
    expect(error).toBeInstanceOf(DivergenceError);
    expect(error).toMatchObject({
      code: "replay-diverged",
      seq,
      part,
      details: { seq, part, recorded: "0".repeat(16) },
    });
    expect(error.message).toContain(`Record ${seq} (${RECORDS[seq]?.type})`);
  });

  test("an input that was changed diverges at its record", () => {
    const seq = RECORDS.findIndex(({ type }) => type === "steer");
    const records = RECORDS.map((record) => (record.seq === seq ? { ...record, type: "followUp" as const } : record));
    expect(thrown(() => fold(records as LogRecord[]))).toMatchObject({ code: "replay-diverged", seq });
  });

  test("a log with a hole, or that starts in the middle, or is empty, is refused", () => {
    expect(thrown(() => fold(RECORDS.toSpliced(5, 1)))).toMatchObject({
      code: "sequence-gap",
      details: { expected: 5, found: 6 },
    });
    expect(thrown(() => fold(RECORDS.slice(1)))).toMatchObject({ code: "log-not-opened", details: { seq: 1 } });
    expect(thrown(() => fold([]))).toMatchObject({ code: "log-not-opened" });
  });
});

describe("the timeline", () => {
  const TIMELINES: Timeline[] = [];
  let timeline = EMPTY_TIMELINE;
  for (const step of replay(RECORDS)) {
    timeline = advanceTimeline(timeline, step);
    TIMELINES.push(timeline);
  }

  test("holds every Trace and Turn that the facts tell of, in order", () => {
    const facts = STEPS.flatMap((step) => step.facts);
    expect(timeline.traces.map(({ id }) => id)).toEqual(
      facts.flatMap((fact) => (fact.type === "trace.started" ? [fact.trace] : [])),
    );
    expect(timeline.traces.flatMap(({ turns }) => turns.map(({ turn }) => turn))).toEqual(
      facts.flatMap((fact) => (fact.type === "turn.started" ? [fact.turn] : [])),
    );
  });

  test("tells of every queued message when it was queued and what became of it", () => {
    const facts = STEPS.flatMap((step) => step.facts);
    const accepted = facts.flatMap((fact) => (fact.type === "input.accepted" ? [fact.message] : []));
    expect(accepted.length).toBeGreaterThan(3);
    expect(timeline.queued.map(({ id }) => id)).toEqual(accepted);
    for (const life of timeline.queued) {
      const delivered = facts.find((fact) => fact.type === "input.delivered" && fact.message === life.id);
      expect(life.delivered?.seq).toBe(delivered?.seq);
      if (life.seen) expect(life.seen.seq).toBeGreaterThanOrEqual(life.delivered?.seq ?? Number.POSITIVE_INFINITY);
      if (life.delivered) expect(life.drained?.seq).toBeLessThan(life.delivered.seq);
    }
  });

  test("an earlier timeline stays as it was", () => {
    expect(EMPTY_TIMELINE).toEqual({ traces: [], queued: [], refused: [], texts: {} });
    const early = TIMELINES[10] as Timeline;
    expect(early.traces.length + early.queued.length).toBeLessThan(timeline.traces.length + timeline.queued.length);
  });
});
