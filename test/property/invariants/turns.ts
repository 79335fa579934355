import type { Fact } from "../../../src/protocol/fact.ts";
import { isFailed, type Moment, type Situation, situationsOf } from "./moment.ts";

/** A fact with the situation that it came from. */
export interface Told {
  readonly fact: Fact;
  readonly at: Situation;
}

/** Facts that one Turn of one Trace has told, in order. */
export interface Turn {
  readonly place: string;
  readonly told: readonly Told[];
}

const LIFECYCLE: ReadonlySet<Fact["type"]> = new Set([
  "trace.started",
  "turn.started",
  "input.delivered",
  "message.started",
  "message.ended",
  "tool.started",
  "tool.ended",
  "tool.resulted",
  "turn.ended",
  "trace.ended",
]);

/** All facts in order. */
export function told(moments: readonly Moment[]): readonly Told[] {
  return situationsOf(moments).flatMap((at) => at.moment.facts.map((fact) => ({ fact, at })));
}

/** The facts that listeners hear as events, in order. */
export function lifecycle(moments: readonly Moment[]): readonly Told[] {
  return told(moments).filter(({ fact }) => LIFECYCLE.has(fact.type));
}

/** Lifecycle facts by Trace. */
export function tracesOf(moments: readonly Moment[]): readonly Turn[] {
  return groupBy(lifecycle(moments), ({ fact }) => `${fact.trace}`);
}

/** Lifecycle facts by Turn. */
export function turnsOf(moments: readonly Moment[]): readonly Turn[] {
  return groupBy(lifecycle(moments), ({ fact }) => `${fact.trace}/n${fact.turn}`);
}

/** The calls of a turn's batch: those of its reply, unless the reply failed (E4). */
export function callsOf(turn: Turn) {
  const reply = replyOf(turn);
  return reply && !isFailed(reply.stopReason) ? reply.calls : [];
}

/** The whole reply of a turn; undefined while there is none, and when the turn failed without one. */
export function replyOf(turn: Turn) {
  const ended = turn.told.find(({ fact }) => fact.type === "message.ended")?.at.moment.record;
  return ended?.type === "model.replied" ? ended : undefined;
}

export function isOver(turn: Turn): boolean {
  return turn.told.some(({ fact }) => fact.type === "turn.ended");
}

function groupBy(all: readonly Told[], keyOf: (one: Told) => string): readonly Turn[] {
  const groups = new Map<string, Told[]>();
  for (const one of all) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].map(([place, group]) => ({ place, told: group }));
}
