import type { Fact, FactBody } from "../../../src/protocol/fact.ts";
import type { Invariant } from "./invariant.ts";
import { isFailed, type Moment, type Situation, situationsOf } from "./moment.ts";
import { addBefore, alter, ask, double, drop, see } from "./mutations.ts";
import { ids, promptsOf, QUEUES, queueOf } from "./queues.ts";
import { told } from "./turns.ts";

const Q6: Invariant = {
  id: "INV-Q6",
  statement: "a follow-up is drained only when no steering waits and the Turn has no further tool work",
  violations: (moments) =>
    told(moments).flatMap(({ fact, at }) => {
      if (fact.type !== "input.drained" || fact.queue !== "followUp") return [];
      const work = fact.poll === "P3" && hasToolWork(at) ? [`${fact.seq}: tool results wait for the model`] : [];
      return at.moment.steering.length === 0 ? work : [`${fact.seq}: ${at.moment.steering} waits`];
    }),
  broken: [
    see("turn.closed", () => ({ steering: ["1000.0"] })),
    see("continue", () => ({ steering: ["1000.0"] })),
    alter("input.drained", () => ({ queue: "followUp", poll: "P3" })),
  ],
};

/** The last reply had calls and not every result asked to terminate (T10). */
function hasToolWork({ reply, terminating }: Situation): boolean {
  if (!reply || isFailed(reply.stopReason)) return false;
  return reply.calls.length > 0 && terminating.size < reply.calls.length;
}

const Q7: Invariant = {
  id: "INV-Q7",
  statement: "steering that waits when the listeners of turn_end have settled is drained then, and opens the next Turn",
  violations: (moments) => {
    const situations = situationsOf(moments);
    return situations.flatMap((at, n) => {
      const { moment, before, taken, aborted, decision, modes } = at;
      const waiting = before?.steering ?? [];
      if (moment.record.type !== "turn.closed" || !taken || aborted || decision === "end") return [];
      if (waiting.length === 0) return [];
      const due = modes.steering === "all" ? waiting : waiting.slice(0, 1);
      const drained = moment.facts.find((fact) => fact.type === "input.drained");
      if (drained?.poll !== "P1" || `${drained.messages}` !== `${due}`) return [`${moment.record.seq}: not drained`];
      const missing = missingFromNextTurn(situations.slice(n), due);
      return missing.length === 0 ? [] : [`${moment.record.seq}: ${missing} not delivered in the next turn`];
    });
  },
  broken: [
    drop("input.drained", (fact) => fact.type === "input.drained" && fact.poll === "P1"),
    alter(
      "input.drained",
      () => ({ messages: ["1000.0"] }),
      (fact) => fact.type === "input.drained" && fact.poll === "P1",
    ),
    drop("input.delivered", (fact) => fact.type === "input.delivered" && fact.from === "steering"),
  ],
};

/** What of `due` the next turn does not deliver although nobody took it back, nothing failed and nobody aborted. */
function missingFromNextTurn(situations: readonly Situation[], due: readonly string[]): readonly string[] {
  const settled = new Set<string>();
  for (const { moment } of situations) {
    for (const id of [...ids([moment], "input.delivered"), ...ids([moment], "input.returned")]) settled.add(id);
    const excused = moment.facts.some(({ type }) => type === "abort.requested" || type === "trace.ended");
    if (excused) return [];
    if (moment.facts.some(({ type }) => type === "message.started")) return due.filter((id) => !settled.has(id));
  }
  return [];
}

const Q8: Invariant = {
  id: "INV-Q8",
  statement: "nothing is delivered between the assistant message and the end of the Turn",
  violations: (moments) => {
    let open = false;
    return told(moments).flatMap(({ fact }) => {
      if (fact.type === "message.started") open = true;
      if (fact.type === "turn.ended") open = false;
      return open && fact.type === "input.delivered" ? [`${fact.seq}: ${fact.message}`] : [];
    });
  },
  broken: [
    addBefore("tool.started", { type: "input.delivered", message: "1000.0", from: "steering" }),
    addBefore("message.ended", { type: "input.delivered", message: "1000.0", from: "steering" }),
  ],
};

const Q9: Invariant = {
  id: "INV-Q9",
  statement: "a Trace does not end by itself while a queued message could keep it going",
  violations: (moments) =>
    situationsOf(moments).flatMap(({ moment, taken, aborted, decision }) => {
      const { record, facts, steering, followUp } = moment;
      const decides = record.type === "turn.closed" || record.type === "turn.prepared";
      const ends = facts.some((fact) => fact.type === "trace.ended");
      if (!taken || !decides || !ends || aborted || decision === "end") return [];
      return [...steering, ...followUp].map((id) => `${record.seq}: ${id} waits`);
    }),
  broken: [see("turn.closed", () => ({ followUp: ["1000.0"] })), see("turn.closed", () => ({ steering: ["1000.0"] }))],
};

const Q10: Invariant = {
  id: "INV-Q10",
  statement: "a Trace starts by prompt() or continue() only: an abort never sends what is queued into a new one",
  violations: (moments) =>
    situationsOf(moments).flatMap(({ moment: { record, facts }, taken }) => {
      const command = record.type === "prompt" || record.type === "continue";
      const starts = facts.some((fact) => fact.type === "trace.started");
      return starts && !(command && taken) ? [`${record.seq}: ${record.type} starts a Trace`] : [];
    }),
  broken: [addBefore("input.accepted", { type: "trace.started", continuation: false })],
};

const Q11: Invariant = {
  id: "INV-Q11",
  statement: "an abort is queue-neutral: until the Trace has ended nothing is drained and nothing queued is delivered",
  violations: (moments) => {
    const owner = queueOf(moments);
    const prompts = promptsOf(moments);
    return told(moments).flatMap(({ fact, at }) => {
      if (!at.aborted || !at.moment.busy) return [];
      if (fact.type === "input.drained") return [`${fact.seq}: drains ${fact.messages}`];
      const queued = fact.type === "input.delivered" && owner.has(fact.message) && !prompts.has(fact.message);
      return queued ? [`${fact.seq}: delivers ${fact.message}`] : [];
    });
  },
  broken: [
    addBefore("trace.ended", { type: "input.drained", messages: ["1000.0"], queue: "steering", poll: "P1" }),
    addAbort("input.drained"),
  ],
};

/** An abort is told just before the record that tells of this. */
function addAbort(type: Fact["type"]) {
  const abort: FactBody = { type: "abort.requested" };
  return {
    name: `with an abort before a ${type}`,
    *apply(moments: readonly Moment[]): Iterable<readonly Moment[]> {
      for (const [at, moment] of moments.entries()) {
        const earlier = moments[at - 1];
        const [fact] = moment.facts;
        if (!earlier?.busy || !fact || !moment.facts.some((other) => other.type === type)) continue;
        const told: Fact = { ...abort, seq: fact.seq - 1, trace: fact.trace, turn: fact.turn };
        yield moments.with(at - 1, { ...earlier, facts: [...earlier.facts, told] });
      }
    },
  };
}

const Q14: Invariant = {
  id: "INV-Q14",
  statement: "steer and followUp while idle only queue: no Trace starts and nothing is asked for",
  violations: (moments) =>
    situationsOf(moments).flatMap(({ moment, before, taken }) => {
      const { record, facts, effects, busy } = moment;
      if ((record.type !== "steer" && record.type !== "followUp") || before?.busy || !taken) return [];
      const types = facts.map(({ type }) => type);
      return `${types}` === "input.accepted" && effects.length === 0 && !busy ? [] : [`${record.seq}: ${types}`];
    }),
  broken: [
    double("input.accepted"),
    addBefore("input.accepted", { type: "trace.started", continuation: false }),
    ask("steer", { type: "tools.declare" }),
    see("followUp", () => ({ busy: true })),
  ],
};

const Q15: Invariant = {
  id: "INV-Q15",
  statement: "a prompt while busy is refused and changes nothing",
  violations: (moments) =>
    situationsOf(moments).flatMap(({ moment, before }) => {
      const { record, facts, effects } = moment;
      if (record.type !== "prompt" || !before?.busy) return [];
      const refused = facts.length === 1 && facts[0]?.type === "input.refused" && effects.length === 0;
      const same = moment.busy && QUEUES.every((queue) => `${moment[queue]}` === `${before[queue]}`);
      return refused && same ? [] : [`${record.seq}: ${facts.map(({ type }) => type)}`];
    }),
  broken: [
    drop("input.refused"),
    addBefore("input.refused", { type: "turn.started" }),
    ask("prompt", { type: "tools.declare" }, (fact) => fact.type === "input.refused"),
  ],
};

/** Section 9.2: when queues are looked at. The invariants that are missing speak of an Activity. */
export const SCHEDULING_INVARIANTS: readonly Invariant[] = [Q6, Q7, Q8, Q9, Q10, Q11, Q14, Q15];
