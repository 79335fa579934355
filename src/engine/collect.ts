import type { Produced, Product } from "../../machines/product.ts";

/** Appends what an action returned. */
export function collect(produced: Produced, products: Product[]): void {
  if (produced === undefined) return;
  if (isList(produced)) products.push(...produced);
  else products.push(produced);
}

function isList(produced: Product | readonly Product[]): produced is readonly Product[] {
  return Array.isArray(produced);
}
