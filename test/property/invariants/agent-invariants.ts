import type { Invariant } from "./invariant.ts";
import { situationsOf } from "./moment.ts";
import { addBefore, drop, see } from "./mutations.ts";

const A1: Invariant = {
  id: "INV-A1",
  statement: "at most one run is active, and Traces are numbered one after another",
  violations: (moments) => {
    let trace = 0;
    return situationsOf(moments).flatMap(({ moment, before }) =>
      moment.facts.flatMap((fact) => {
        if (fact.type !== "trace.started") return [];
        trace += 1;
        const busy = before?.busy ? [`${fact.seq}: starts while another runs`] : [];
        return fact.trace === `t${trace}` ? busy : [...busy, `${fact.seq}: ${fact.trace} is number ${trace}`];
      }),
    );
  },
  broken: [
    addBefore("turn.started", { type: "trace.started", continuation: false }),
    addBefore("input.refused", { type: "trace.started", continuation: false }),
    drop("trace.started"),
  ],
};

const A2: Invariant = {
  id: "INV-A2",
  statement: "busy from the start of a run until the listeners of its end have settled, and at no other time",
  violations: (moments) => {
    let busy = false;
    return situationsOf(moments).flatMap(({ moment, taken }) => {
      if (moment.facts.some((fact) => fact.type === "trace.started")) busy = true;
      if (taken && moment.record.type === "trace.closed") busy = false;
      return moment.busy === busy ? [] : [`after ${moment.record.seq}: ${moment.busy ? "busy" : "idle"}`];
    });
  },
  broken: [
    see("prompt", () => ({ busy: false })),
    see("trace.closed", () => ({ busy: true })),
    see("turn.closed", () => ({ busy: false })),
    drop("trace.started"),
  ],
};

/** Section 9.4, over facts. INV-A3 to A5 speak of promises and are held over the real agent. */
export const AGENT_INVARIANTS: readonly Invariant[] = [A1, A2];
