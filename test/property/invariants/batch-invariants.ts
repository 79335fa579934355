import type { Fact } from "../../../src/protocol/fact.ts";
import type { Invariant } from "./invariant.ts";
import { type Moment, type Situation, situationsOf } from "./moment.ts";
import { addBefore, alter, ask, double, drop, swap } from "./mutations.ts";
import { callsOf, isOver, replyOf, type Told, type Turn, tracesOf, turnsOf } from "./turns.ts";

type CallFact = "tool.started" | "tool.ended" | "tool.resulted";

/** The places of the calls that facts of one type tell of, in order. */
function callsTold(told: readonly Told[], type: CallFact): readonly number[] {
  return told.flatMap(({ fact }) => (fact.type === type ? [fact.call] : []));
}

/** Where a fact of a call stands among the facts of its turn; -1: nowhere. */
function placeOf({ told }: Turn, type: CallFact, call: number): number {
  return told.findIndex(({ fact }) => fact.type === type && fact.call === call);
}

/** What is wrong with the batches of the turns that have calls. */
function inBatches(check: (turn: Turn) => readonly string[]) {
  return (moments: readonly Moment[]) =>
    turnsOf(moments).flatMap((turn) => {
      const faults = callsOf(turn).length > 0 || turn.told.some(({ fact }) => isOfCall(fact)) ? check(turn) : [];
      return faults.map((fault) => `${turn.place}: ${fault}`);
    });
}

const isOfCall = (fact: Fact) =>
  fact.type === "tool.started" || fact.type === "tool.ended" || fact.type === "tool.resulted";

function isSequential(turn: Turn): boolean {
  const byAgent = turn.told.some(({ at }) => at.toolExecution === "sequential");
  return byAgent || hasSequentialTool(turn) || replyOf(turn)?.stopReason === "length";
}

function hasSequentialTool(turn: Turn): boolean {
  return callsOf(turn).some((call) => call.mode === "sequential");
}

/** Each call starts after the result of the one before. */
function sequenceFaults(turn: Turn): readonly string[] {
  return callsTold(turn.told, "tool.started").flatMap((call) =>
    call > 0 && !isBetween(turn, call) ? [`call ${call} starts before the result of ${call - 1}`] : [],
  );
}

function isBetween(turn: Turn, call: number): boolean {
  const result = placeOf(turn, "tool.resulted", call - 1);
  return result >= 0 && result < placeOf(turn, "tool.started", call);
}

const T1: Invariant = {
  id: "INV-T1",
  statement: "calls start in source order, each once",
  violations: inBatches((turn) => {
    const starts = callsTold(turn.told, "tool.started");
    const calls = callsOf(turn).map((_, call) => call);
    const due = isOver(turn) ? calls : calls.slice(0, starts.length);
    return `${starts}` === `${due}` ? [] : [`starts ${starts} of ${calls.length}`];
  }),
  broken: [drop("tool.started"), double("tool.started"), alter("tool.started", () => ({ call: 1 }))],
};

const T2: Invariant = {
  id: "INV-T2",
  statement: "every call that starts ends exactly once, after its start",
  violations: inBatches((turn) => {
    const starts = callsTold(turn.told, "tool.started");
    const ends = callsTold(turn.told, "tool.ended");
    const early = ends.filter((call) => placeOf(turn, "tool.ended", call) < placeOf(turn, "tool.started", call));
    const double = ends.filter((call, n) => ends.indexOf(call) !== n || !starts.includes(call));
    const missing = isOver(turn) ? starts.filter((call) => !ends.includes(call)) : [];
    return [...early, ...double, ...missing].map((call) => `call ${call}`);
  }),
  broken: [drop("tool.ended"), double("tool.ended"), swap("tool.started", "tool.ended")],
};

const T3: Invariant = {
  id: "INV-T3",
  statement: "results come in source order, one per call, each after the call's end",
  violations: inBatches((turn) => {
    const results = callsTold(turn.told, "tool.resulted");
    const due = results.map((_, call) => call);
    const early = results.filter((call) => {
      const end = placeOf(turn, "tool.ended", call);
      return end < 0 || end > placeOf(turn, "tool.resulted", call);
    });
    const order = `${results}` === `${due}` ? [] : [`results ${results}`];
    return [...order, ...early.map((call) => `result ${call} before its end`)];
  }),
  broken: [double("tool.resulted"), swap("tool.ended", "tool.resulted"), swap("tool.resulted", "tool.resulted")],
};

const T4: Invariant = {
  id: "INV-T4",
  statement: "in a parallel batch no result comes before all ends",
  violations: inBatches((turn) => {
    if (isSequential(turn)) return [];
    const first = turn.told.findIndex(({ fact }) => fact.type === "tool.resulted");
    const late = turn.told.slice(first).filter(({ fact }) => fact.type === "tool.ended");
    return first < 0 ? [] : late.map(() => "an end after the first result");
  }),
  broken: [swap("tool.ended", "tool.resulted")],
};

const T5: Invariant = {
  id: "INV-T5",
  statement: "in a sequential batch a call starts after the result of the one before",
  violations: inBatches((turn) => (isSequential(turn) ? sequenceFaults(turn) : [])),
  broken: [swap("tool.resulted", "tool.started"), drop("tool.resulted")],
};

const T6: Invariant = {
  id: "INV-T6",
  statement: "one sequential tool makes the whole batch sequential",
  violations: inBatches((turn) => (hasSequentialTool(turn) ? sequenceFaults(turn) : [])),
  broken: [swap("tool.resulted", "tool.started")],
};

const NEVER_RUN: ReadonlySet<string> = new Set(["refused", "unknown", "truncated"]);

const T7: Invariant = {
  id: "INV-T7",
  statement: "calls that are blocked, unknown, invalid, aborted or truncated do not run, and their result is an error",
  violations: (moments) => {
    const runs = new Set<string>();
    return moments.flatMap(({ facts, effects, record }) => {
      for (const effect of effects) if (effect.type === "tool.run") runs.add(placeId(effect.id));
      return facts.flatMap((fact) => {
        if (fact.type !== "tool.ended" || fact.outcome === "finished") return [];
        const place = `${fact.trace}/n${fact.turn}/call${fact.call}`;
        const prepared = NEVER_RUN.has(fact.outcome) || record.type === "tool.prepared";
        const ran = prepared && runs.has(place) ? [`${place} runs`] : [];
        return fact.isError ? ran : [...ran, `${place}: no error`];
      });
    });
  },
  broken: [
    alter("tool.ended", () => ({ isError: false })),
    alter("tool.ended", () => ({ outcome: "unknown", isError: true })),
    alter("tool.ended", () => ({ outcome: "refused", isError: true })),
  ],
};

/** `t1/n2/call0` of `t1/n2/call0/run#1`. */
function placeId(effectId: string): string {
  return effectId.slice(0, effectId.lastIndexOf("/"));
}

/** A turn with calls has ended and nothing but its results decides what follows. */
function isDecidedByResults({ moment, taken, aborted, decision, reply }: Situation): boolean {
  const calls = reply?.calls.length ?? 0;
  return moment.record.type === "turn.closed" && taken && !aborted && decision !== "end" && calls > 0;
}

const T8: Invariant = {
  id: "INV-T8",
  statement: "a batch ends the work of its turn if and only if every result asks to terminate",
  violations: (moments) =>
    situationsOf(moments).flatMap((at) => {
      if (!isDecidedByResults(at)) return [];
      const { moment, before, terminating, reply, decision } = at;
      const ends = moment.facts.some((fact) => fact.type === "trace.ended");
      const looksFurther = moment.facts.some((fact) => fact.type === "input.drained" && fact.poll === "P3");
      if (terminating.size < (reply?.calls.length ?? 0)) {
        return ends || looksFurther ? [`${moment.record.seq}: the results never reach the model`] : [];
      }
      const alone = before?.steering.length === 0 && before.followUp.length === 0 && decision === undefined;
      return alone && !ends ? [`${moment.record.seq}: the Trace goes on`] : [];
    }),
  broken: [
    drop("trace.ended", (_fact, { record }) => record.type === "turn.closed"),
    addBefore("turn.started", { type: "trace.ended" }),
    alter("input.drained", () => ({ poll: "P3" })),
  ],
};

const T9: Invariant = {
  id: "INV-T9",
  statement: "of a truncated batch nothing is prepared or run, every call is an error, and the Trace goes on",
  violations: (moments) =>
    situationsOf(moments).flatMap((at) => {
      const { moment, reply } = at;
      if (reply?.stopReason !== "length" || reply.calls.length === 0 || !moment.busy) return [];
      const faults = moment.effects
        .filter(({ type }) => type.startsWith("tool."))
        .map(({ id }) => `${id} is asked for`);
      const good = moment.facts.flatMap((fact) =>
        fact.type === "tool.ended" && !(fact.outcome === "truncated" && fact.isError)
          ? [`${fact.seq}: not an error`]
          : [],
      );
      const ends = isDecidedByResults(at) && moment.facts.some((fact) => fact.type === "trace.ended");
      return [...faults, ...good, ...(ends ? [`${moment.record.seq}: the Trace ends`] : [])];
    }),
  broken: [
    alter(
      "tool.ended",
      () => ({ isError: false }),
      (fact) => fact.type === "tool.ended" && fact.outcome === "truncated",
    ),
    ask("model.replied", { type: "tool.run", call: 0, attempt: 1 }),
  ],
};

const T10: Invariant = {
  id: "INV-T10",
  statement: "when a Turn ends every call of its message has exactly one result, unless the message failed",
  violations: (moments) =>
    turnsOf(moments).flatMap((turn) => {
      if (!isOver(turn)) return [];
      const results = callsTold(turn.told, "tool.resulted");
      const right = results.length === callsOf(turn).length && new Set(results).size === results.length;
      return right ? [] : [`${turn.place}: ${results.length} results of ${callsOf(turn).length}`];
    }),
  broken: [drop("tool.resulted"), double("tool.resulted")],
};

const T11: Invariant = {
  id: "INV-T11",
  statement: "no call is pending whenever the agent is idle",
  violations: (moments) => {
    const pending = new Set<string>();
    return moments.flatMap(({ facts, busy, record }) => {
      for (const fact of facts) {
        if (fact.type === "tool.started") pending.add(`${fact.trace}/n${fact.turn}/${fact.call}`);
        if (fact.type === "tool.ended") pending.delete(`${fact.trace}/n${fact.turn}/${fact.call}`);
      }
      return !busy && pending.size > 0 ? [`after ${record.seq}: ${[...pending]}`] : [];
    });
  },
  broken: [drop("tool.ended"), swap("tool.started", "tool.ended")],
};

const T12: Invariant = {
  id: "INV-T12",
  statement: "nothing of a Trace is told after its end, or of a call in another Turn",
  violations: (moments) => {
    const order = tracesOf(moments).map(({ told }) => told.map(({ fact }) => fact.seq));
    const overlaps = order.flatMap((seqs, n) => {
      const next = order[n + 1]?.[0];
      return next !== undefined && (seqs.at(-1) ?? 0) > next ? [`a fact of Trace ${n + 1} at ${seqs.at(-1)}`] : [];
    });
    const strangers = turnsOf(moments).flatMap((turn) =>
      callsTold(turn.told, "tool.ended")
        .filter((call) => placeOf(turn, "tool.started", call) < 0)
        .map((call) => `${turn.place}: end of ${call}`),
    );
    return [...overlaps, ...strangers];
  },
  broken: [
    alter("tool.ended", () => ({ turn: 99 })),
    { name: "with the end of an earlier Trace later", apply: lateEnd },
  ],
};

/** A fact of the first Trace is told with the last record. */
function* lateEnd(moments: readonly Moment[]): Iterable<readonly Moment[]> {
  const last = moments.at(-1);
  const early = moments.flatMap(({ facts }) => facts).find((fact) => fact.type === "turn.ended");
  if (last && early) {
    yield moments.with(-1, { ...last, facts: [...last.facts, { ...early, seq: last.record.seq }] });
  }
}

const T13: Invariant = {
  id: "INV-T13",
  statement: "after an abort no further tool body starts in the Trace",
  violations: (moments) =>
    situationsOf(moments).flatMap(({ moment, aborted }) => {
      // A resumed process asks again for what was running; the driver closes such a call without running it.
      if (!aborted || !moment.busy || moment.record.type === "log.resumed") return [];
      return moment.effects.flatMap(({ type, id }) => (type === "tool.run" ? [id] : []));
    }),
  broken: [
    ask("tool.prepared", { type: "tool.run", call: 0, attempt: 1 }),
    ask("tool.finished", { type: "tool.run", call: 0, attempt: 1 }),
  ],
};

/** Section 9.3. */
export const BATCH_INVARIANTS: readonly Invariant[] = [T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13];
