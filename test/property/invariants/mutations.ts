import type { EffectBody } from "../../../src/protocol/effect.ts";
import type { Fact, FactBody } from "../../../src/protocol/fact.ts";
import type { Moment } from "./moment.ts";

/** A way to break a run: gives one broken run for each place where it can be done. */
export interface Mutation {
  readonly name: string;
  readonly apply: (moments: readonly Moment[]) => Iterable<readonly Moment[]>;
}

type Which = (fact: Fact, moment: Moment) => boolean;

/** One fact is missing. */
export function drop(type: Fact["type"], which: Which = () => true): Mutation {
  return { name: `without a ${type}`, apply: (moments) => replaced(moments, type, which, () => []) };
}

/** One fact is told twice. */
export function double(type: Fact["type"], which: Which = () => true): Mutation {
  return { name: `with a ${type} twice`, apply: (moments) => replaced(moments, type, which, (fact) => [fact, fact]) };
}

/** One fact says something else. */
export function alter(type: Fact["type"], change: (fact: Fact) => object, which: Which = () => true): Mutation {
  return {
    name: `with another ${type}`,
    apply: (moments) => replaced(moments, type, which, (fact) => [{ ...fact, ...change(fact) } as Fact]),
  };
}

/** A fact is told that nothing called for, before one of this type. */
export function addBefore(type: Fact["type"], added: FactBody): Mutation {
  return {
    name: `with ${added.type} before a ${type}`,
    apply: (moments) =>
      replaced(
        moments,
        type,
        () => true,
        (fact) => [{ ...added, seq: fact.seq, trace: fact.trace, turn: fact.turn }, fact],
      ),
  };
}

/** Two neighbours of the fact stream are told in the other order. */
export function swap(first: Fact["type"], second: Fact["type"]): Mutation {
  return {
    name: `with ${first} and ${second} swapped`,
    *apply(moments) {
      const all = moments.flatMap(({ facts }, at) => facts.map((fact, n) => ({ fact, at, n })));
      for (const [index, one] of all.entries()) {
        const next = all[index + 1];
        if (one.fact.type !== first || next?.fact.type !== second) continue;
        const changed = withFacts(moments, one.at, (facts) => facts.with(one.n, next.fact));
        yield withFacts(changed, next.at, (facts) => facts.with(next.n, one.fact));
      }
    },
  };
}

/** A record of this type asks for something that it must not ask for. */
export function ask(type: Moment["record"]["type"], effect: EffectBody, which: Which = () => true): Mutation {
  return {
    name: `where ${type} asks for ${effect.type}`,
    *apply(moments) {
      for (const [at, moment] of moments.entries()) {
        const fits = moment.record.type === type && moment.facts.every((fact) => which(fact, moment));
        if (fits)
          yield moments.with(at, { ...moment, effects: [...moment.effects, { ...effect, id: "t0/n0/added#1" }] });
      }
    },
  };
}

/** Something else can be seen after a record of this type. */
export function see(type: Moment["record"]["type"], change: (moment: Moment) => Partial<Moment>): Mutation {
  return {
    name: `where ${type} leaves something else behind`,
    *apply(moments) {
      for (const [at, moment] of moments.entries()) {
        if (moment.record.type === type) yield moments.with(at, { ...moment, ...change(moment) });
      }
    },
  };
}

function* replaced(
  moments: readonly Moment[],
  type: Fact["type"],
  which: Which,
  by: (fact: Fact) => readonly Fact[],
): Iterable<readonly Moment[]> {
  for (const [at, moment] of moments.entries()) {
    for (const [n, fact] of moment.facts.entries()) {
      if (fact.type === type && which(fact, moment)) {
        yield withFacts(moments, at, (facts) => facts.toSpliced(n, 1, ...by(fact)));
      }
    }
  }
}

function withFacts(moments: readonly Moment[], at: number, change: (facts: readonly Fact[]) => readonly Fact[]) {
  const moment = moments[at] as Moment;
  return moments.with(at, { ...moment, facts: change(moment.facts) });
}
