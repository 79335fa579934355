import type { Produced, Product } from "../../machines/product.ts";
import type { Effect } from "../protocol/effect.ts";
import type { Fact } from "../protocol/fact.ts";

/** What the actions of one step have produced so far, in order. */
export interface Products {
  readonly facts: Fact[];
  readonly effects: Effect[];
}

/** Adds what an action returned: a fact has a place in the log, an effect has an id. */
export function collect(produced: Produced, into: Products): void {
  if (produced === undefined) return;
  if (isList(produced)) for (const product of produced) add(product, into);
  else add(produced, into);
}

function add(product: Product, into: Products): void {
  if ("seq" in product) into.facts.push(product);
  else into.effects.push(product);
}

function isList(produced: Product | readonly Product[]): produced is readonly Product[] {
  return Array.isArray(produced);
}
