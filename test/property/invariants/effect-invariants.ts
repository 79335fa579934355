import type { Invariant } from "./invariant.ts";
import { type Moment, situationsOf } from "./moment.ts";
import { ask, see } from "./mutations.ts";

interface Open {
  readonly moment: Moment;
  /** What is asked and has no outcome after this moment. */
  readonly open: readonly { readonly id: string; readonly type: string }[];
}

/** What is open after each moment, from what was asked and what was answered. */
function openEffects(moments: readonly Moment[]): readonly Open[] {
  let open: Open["open"] = [];
  return situationsOf(moments).map(({ moment, taken }) => {
    const { record, effects } = moment;
    const replaced = (taken && record.type === "run.failed") || record.type === "log.resumed";
    const answered = taken && record.type !== "model.started" ? record.id : undefined;
    const asked = effects.filter(({ type }) => type !== "signal.abort");
    open = [...(replaced ? [] : open.filter(({ id }) => id !== answered)), ...asked];
    return { moment, open };
  });
}

const BUSY: Invariant = {
  id: "INV-A4",
  statement: "while busy something is asked for, while idle nothing is: no run can wait for nothing",
  violations: (moments) =>
    openEffects(moments).flatMap(({ moment, open }) =>
      open.length > 0 === moment.busy
        ? []
        : [`after ${moment.record.seq}: ${moment.busy ? "busy" : "idle"}, ${open.length} open`],
    ),
  broken: [
    see("turn.closed", () => ({ effects: [] })),
    see("model.replied", () => ({ effects: [] })),
    ask("reset", { type: "tools.declare" }),
  ],
};

const ONE_LANE: Invariant = {
  id: "INV-A1",
  statement: "a run is one lane: one thing is asked for at a time, except the tools of a parallel batch",
  violations: (moments) =>
    openEffects(moments).flatMap(({ moment, open }) => {
      const tools = open.every(({ type }) => type === "tool.run" || type === "tool.skip");
      return open.length < 2 || tools ? [] : [`after ${moment.record.seq}: ${open.map(({ id }) => id)}`];
    }),
  broken: [ask("abort", { type: "model.request", attempt: 1 }), ask("steer", { type: "tools.declare" })],
};

const ONCE: Invariant = {
  id: "law 4",
  statement: "an effect id names one effect: it is asked for once in a log",
  violations: (moments) => {
    const asked = new Set<string>();
    return moments.flatMap(({ effects, record }) =>
      effects.flatMap(({ type, id }) => {
        const again = asked.has(id) && type !== "signal.abort";
        asked.add(id);
        return again ? [`${record.seq}: ${id}`] : [];
      }),
    );
  },
  broken: [
    see("turn.closed", ({ effects }) => ({ effects: [...effects, ...effects] })),
    see("log.resumed", ({ effects }) => ({ effects: [...effects, ...effects] })),
  ],
};

/** Law 4 and section 9.4: what a run asks for. */
export const EFFECT_INVARIANTS: readonly Invariant[] = [BUSY, ONE_LANE, ONCE];
