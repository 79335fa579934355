import { factTokens } from "./fact-tokens.ts";
import { grammarFault } from "./grammar.ts";
import type { Invariant } from "./invariant.ts";
import { isFailed } from "./moment.ts";
import { addBefore, alter, double, drop, swap } from "./mutations.ts";
import { isOver, lifecycle, tracesOf, turnsOf } from "./turns.ts";

const G1: Invariant = {
  id: "INV-G1",
  statement: "the facts of every Trace match the grammar of 2.3",
  violations: (moments) => {
    const fault = grammarFault(factTokens(moments));
    return fault === undefined ? [] : [fault];
  },
  broken: [
    drop("turn.started"),
    drop("tool.ended"),
    double("tool.resulted"),
    swap("tool.started", "tool.ended"),
    swap("input.delivered", "message.started"),
    double("turn.ended"),
  ],
};

const G2: Invariant = {
  id: "INV-G2",
  statement: "a Trace has one start and one end, first and last",
  violations: (moments) =>
    tracesOf(moments).flatMap(({ place, told }, n, all) => {
      const types = told.map(({ fact }) => fact.type);
      const starts = types.filter((type) => type === "trace.started").length;
      const ends = types.filter((type) => type === "trace.ended").length;
      const over = n < all.length - 1 || !moments.at(-1)?.busy;
      if (starts !== 1 || types[0] !== "trace.started") return [`${place}: ${starts} starts, first ${types[0]}`];
      if (ends > 1 || (over && ends === 0)) return [`${place}: ${ends} ends`];
      return ends === 1 && types.at(-1) !== "trace.ended" ? [`${place}: ${types.at(-1)} after the end`] : [];
    }),
  broken: [drop("trace.started"), double("trace.started"), drop("trace.ended"), double("trace.ended")],
};

const G3: Invariant = {
  id: "INV-G3",
  statement: "turn starts and turn ends alternate, inside the Trace",
  violations: (moments) => {
    let inTurn = false;
    return lifecycle(moments).flatMap(({ fact }) => {
      const { type } = fact;
      if (type === "trace.started" || type === "trace.ended")
        return inTurn ? [`${fact.seq}: ${type} inside a turn`] : [];
      if (type === "turn.started" || type === "turn.ended") {
        const opens = type === "turn.started";
        if (opens === inTurn) return [`${fact.seq}: ${type} twice`];
        inTurn = opens;
        return [];
      }
      return inTurn ? [] : [`${fact.seq}: ${type} outside a turn`];
    });
  },
  broken: [drop("turn.started"), drop("turn.ended"), double("turn.ended"), swap("turn.ended", "trace.ended")],
};

const G4: Invariant = {
  id: "INV-G4",
  statement: "a message that starts ends before another one starts",
  violations: (moments) => {
    let open: string | undefined;
    return lifecycle(moments).flatMap(({ fact }) => {
      if (fact.type === "message.ended") {
        const matches = open === fact.message;
        open = undefined;
        return matches ? [] : [`${fact.seq}: the end of ${fact.message} without its start`];
      }
      const fault = open === undefined ? [] : [`${fact.seq}: ${fact.type} while ${open} is open`];
      if (fact.type === "message.started") open = fact.message;
      return fault;
    });
  },
  broken: [
    drop("message.ended"),
    drop("message.started"),
    alter("message.ended", () => ({ message: "another" })),
    swap("message.started", "message.ended"),
  ],
};

const G5: Invariant = {
  id: "INV-G5",
  statement: "a Turn has exactly one assistant message, the last message before its batch",
  violations: (moments) =>
    turnsOf(moments).flatMap((turn) => {
      const types = turn.told.map(({ fact }) => fact.type);
      const messages = types.filter((type) => type === "message.started").length;
      const ends = types.indexOf("message.ended");
      const late = types.lastIndexOf("input.delivered") > types.indexOf("message.started");
      const early = types.indexOf("tool.started");
      const faults = messages > 1 || (isOver(turn) && messages === 0) ? [`${turn.place}: ${messages} messages`] : [];
      if (messages > 0 && late) faults.push(`${turn.place}: a delivery after the assistant message`);
      if (early >= 0 && early < ends) faults.push(`${turn.place}: the batch before the message`);
      return faults;
    }),
  broken: [double("message.started"), drop("message.started"), swap("input.delivered", "message.started")],
};

const G6: Invariant = {
  id: "INV-G6",
  statement: "a Turn ends with the assistant message that ended in it",
  violations: (moments) =>
    turnsOf(moments).flatMap(({ place, told }) => {
      const ended = told.flatMap(({ fact }) => (fact.type === "message.ended" ? [fact.message] : []));
      return told.flatMap(({ fact }) =>
        fact.type === "turn.ended" && fact.message !== ended.at(-1) ? [`${place}: ends with ${fact.message}`] : [],
      );
    }),
  broken: [alter("turn.ended", () => ({ message: "another" })), drop("message.ended")],
};

const G7: Invariant = {
  id: "INV-G7",
  statement: "after a reply that failed the Turn and the Trace end at once, without a batch",
  violations: (moments) =>
    lifecycle(moments).flatMap(({ fact, at }, n, all) => {
      const { record } = at.moment;
      if (fact.type !== "message.ended" || record.type !== "model.replied" || !isFailed(record.stopReason)) return [];
      const after = all.slice(n + 1, n + 3).map((next) => next.fact.type);
      const right = ["turn.ended", "trace.ended"].slice(0, after.length);
      return `${after}` === `${right}` ? [] : [`${fact.seq}: ${after}`];
    }),
  broken: [
    drop("turn.ended", (_fact, { facts }) => facts.some((fact) => fact.type === "trace.ended")),
    addBefore("trace.ended", { type: "turn.started" }),
    addBefore("turn.ended", { type: "tool.started", call: 0, callId: "c1", name: "work" }),
  ],
};

/** Section 9.1, over facts. INV-G8 speaks of Pi's events and is held over the real agent. */
export const GRAMMAR_INVARIANTS: readonly Invariant[] = [G1, G2, G3, G4, G5, G6, G7];
