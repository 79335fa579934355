import type { Fact } from "../../../src/protocol/fact.ts";
import type { QueueName } from "../../../src/protocol/queue-mode.ts";
import type { Invariant } from "./invariant.ts";
import type { Moment } from "./moment.ts";
import { alter, double, drop, see, swap } from "./mutations.ts";
import { ids, promptsOf, QUEUES, queueOf } from "./queues.ts";
import { told, turnsOf } from "./turns.ts";

const isQueued = (fact: Fact) =>
  fact.type === "input.delivered" && (fact.from === "steering" || fact.from === "followUp");

const Q1: Invariant = {
  id: "INV-Q1",
  statement: "at every moment each accepted message is in exactly one of: delivered once, still queued, handed back",
  violations: (moments) => {
    const whereabouts = new Map<string, string[]>();
    const faults: string[] = [];
    const prompts = promptsOf(moments);
    for (const moment of moments) {
      const one = [moment];
      for (const id of ids(one, "input.accepted")) whereabouts.set(id, []);
      for (const type of ["input.delivered", "input.returned", "input.lost"] as const) {
        for (const id of ids(one, type)) whereabouts.get(id)?.push(type);
      }
      const queued = [...moment.steering, ...moment.followUp];
      for (const [id, places] of whereabouts) {
        const now = [...places, ...queued.filter((other) => other === id).map(() => "queued")];
        const onItsWay = now.length === 0 && prompts.has(id);
        if ((now.length !== 1 && !onItsWay) || now[0] === "input.lost") {
          faults.push(`after ${moment.record.seq}: ${id} is ${now.join(" and ") || "nowhere"}`);
        }
      }
    }
    return faults;
  },
  broken: [
    drop("input.delivered", isQueued),
    double("input.delivered", isQueued),
    drop("input.returned"),
    alter("input.returned", () => ({ type: "input.lost" })),
    see("steer", () => ({ steering: [] })),
  ],
};

const Q2: Invariant = {
  id: "INV-Q2",
  statement:
    "each queue is first in, first out: what was delivered and then what is left are in the order of acceptance",
  violations: (moments) => {
    const order = new Map(ids(moments, "input.accepted").map((id, n) => [id, n]));
    const owner = queueOf(moments);
    const delivered: Record<QueueName, string[]> = { steering: [], followUp: [] };
    return moments.flatMap((moment) => {
      for (const id of ids([moment], "input.delivered")) delivered[owner.get(id) ?? "steering"].push(id);
      return QUEUES.flatMap((queue) => {
        const life = [...delivered[queue].filter((id) => order.has(id)), ...moment[queue]];
        const numbers = life.map((id) => order.get(id) ?? -1);
        const sorted = numbers.toSorted((a, b) => a - b);
        return `${numbers}` === `${sorted}` ? [] : [`after ${moment.record.seq}, ${queue}: ${life}`];
      });
    });
  },
  broken: [
    swap("input.delivered", "input.delivered"),
    see("steer", ({ steering }) => ({ steering: steering.toReversed() })),
    see("followUp", ({ followUp }) => ({ followUp: followUp.toReversed() })),
  ],
};

const Q3: Invariant = {
  id: "INV-Q3",
  statement: "in mode one-at-a-time a drain takes one message, and a Turn delivers one of that queue",
  violations: (moments) => {
    const drains = told(moments).flatMap(({ fact, at }) =>
      fact.type === "input.drained" && at.modes[fact.queue] === "one-at-a-time" && fact.messages.length !== 1
        ? [`${fact.seq}: ${fact.messages.length} drained`]
        : [],
    );
    const drained = new Map(
      told(moments).flatMap(({ fact }) =>
        fact.type === "input.drained" ? fact.messages.map((id) => [id, fact.seq] as const) : [],
      ),
    );
    const owner = queueOf(moments);
    const turns = turnsOf(moments).flatMap(({ place, told: facts }) => {
      const delivered = facts.flatMap(({ fact }) =>
        fact.type === "input.delivered" && owner.has(fact.message) ? [fact.message] : [],
      );
      const drains = new Set(delivered.map((id) => drained.get(id)));
      return drains.size > 1 ? [`${place}: ${delivered} from ${drains.size} drains`] : [];
    });
    return [...drains, ...turns];
  },
  broken: [
    alter("input.drained", (fact) => ({ messages: [...messagesIn(fact), "1000.0"] })),
    alter("input.drained", () => ({ messages: [] })),
    { name: "with deliveries of two turns in one", apply: inOneTurn },
  ],
};

const messagesIn = (fact: Fact) => (fact.type === "input.drained" ? fact.messages : []);

/** Everything that was delivered is told to be of turn 1. */
function* inOneTurn(moments: readonly Moment[]): Iterable<readonly Moment[]> {
  const inTurnOne = (fact: Fact): Fact => (fact.type === "input.delivered" ? { ...fact, turn: 1 } : fact);
  yield moments.map((moment) => ({ ...moment, facts: moment.facts.map(inTurnOne) }));
}

const Q4: Invariant = {
  id: "INV-Q4",
  statement: "in mode all a drain leaves the queue empty",
  violations: (moments) =>
    told(moments).flatMap(({ fact, at }) => {
      if (fact.type !== "input.drained" || at.modes[fact.queue] !== "all") return [];
      const left = at.moment[fact.queue].filter((id) => !fact.messages.includes(id));
      return left.length === 0 ? [] : [`${fact.seq}: left ${left}`];
    }),
  broken: [
    alter("input.drained", (fact) => ({ messages: messagesIn(fact).slice(1) })),
    see("turn.closed", ({ steering }) => ({ steering: [...steering, "1000.0"] })),
  ],
};

const Q5: Invariant = {
  id: "INV-Q5",
  statement: "a Turn delivers from at most one queue",
  violations: (moments) => {
    const owner = queueOf(moments);
    return turnsOf(moments).flatMap(({ place, told: facts }) => {
      const from = new Set(
        facts.flatMap(({ fact }) => (fact.type === "input.delivered" ? (owner.get(fact.message) ?? []) : [])),
      );
      return from.size > 1 ? [`${place}: both`] : [];
    });
  },
  broken: [{ name: "with deliveries of two turns in one", apply: inOneTurn }],
};

/** Section 9.2: what becomes of queued messages. */
export const CONSERVATION_INVARIANTS: readonly Invariant[] = [Q1, Q2, Q3, Q4, Q5];
