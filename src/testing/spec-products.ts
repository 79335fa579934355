import { canonicalJson } from "../protocol/canonical.ts";
import type { Effect, EffectBody, EffectType } from "../protocol/effect.ts";
import type { Fact, FactBody, FactType, Place } from "../protocol/fact.ts";
import { SpecError } from "./spec-error.ts";
import { type MessageNames, nameOf } from "./spec-names.ts";

/**
 * One fact or effect that is expected: its type alone, or its whole body. Place and effect id count where they are given.
 * Messages are named by their text, or by their id.
 */
export type Expected = FactType | EffectType | (FactBody & Partial<Place>) | (EffectBody & Partial<Pick<Effect, "id">>);

type Product = Fact | Effect;

/**
 * Holds what came against what was expected: all of it, in order.
 *
 * @throws SpecError with both lists, difference by difference.
 */
export function expectProducts(products: readonly Product[], expected: readonly Expected[], names: MessageNames): void {
  const fits = products.map((product) => expected.map((wanted) => matches(product, wanted, names)));
  if (products.length === expected.length && fits.every((row, n) => row[n])) return;
  const lines = differenceLines(products, expected, fits, names);
  throw new SpecError(`The outcome is another one (- expected, + came):\n${lines.join("\n")}`);
}

/** What came as one line: its type and, in JSON, its body without its place. */
export function productLine(product: Product, names: MessageNames): string {
  return lineOf(bodyOf(product, {}), names);
}

function lineOf(product: object, names: MessageNames): string {
  const { type, ...body } = named(product, names);
  return Object.keys(body).length === 0 ? `${type}` : `${type} ${canonicalJson(body)}`;
}

function matches(product: Product, expected: Expected, names: MessageNames): boolean {
  if (typeof expected === "string") return product.type === expected;
  return canonicalJson(named(bodyOf(product, expected), names)) === canonicalJson(named(expected, names));
}

const PLACE = ["seq", "trace", "turn"];

/** The product without those parts of its place that the expectation says nothing of. */
function bodyOf(product: Product, expected: object): Record<string, unknown> {
  const unsaid = ["seq" in product ? PLACE : ["id"]].flat().filter((key) => !(key in expected));
  return Object.fromEntries(Object.entries(product).filter(([key]) => !unsaid.includes(key)));
}

function named(body: object, names: MessageNames): Record<string, unknown> {
  const record: Record<string, unknown> = { ...body };
  for (const key of ["message", "failure"]) if (key in record) record[key] = nameOf(record[key], names);
  if (Array.isArray(record.messages)) record.messages = record.messages.map((id) => nameOf(id, names));
  return record;
}

/** Both lists as one, with as many lines in common as there can be. */
function differenceLines(
  products: readonly Product[],
  expected: readonly Expected[],
  fits: readonly (readonly boolean[])[],
  names: MessageNames,
): string[] {
  const common = commonLengths(fits, products.length, expected.length);
  const length = (i: number, j: number) => common[i]?.[j] ?? 0;
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < products.length || j < expected.length) {
    const product = products[i];
    const wanted = expected[j];
    if (product && wanted && fits[i]?.[j]) {
      lines.push(`  ${productLine(product, names)}`);
      i++;
      j++;
    } else if (wanted && (!product || length(i, j + 1) >= length(i + 1, j))) {
      lines.push(`- ${typeof wanted === "string" ? wanted : lineOf(wanted, names)}`);
      j++;
    } else if (product) {
      lines.push(`+ ${productLine(product, names)}`);
      i++;
    }
  }
  return lines;
}

function commonLengths(fits: readonly (readonly boolean[])[], rows: number, columns: number): number[][] {
  const lengths = Array.from({ length: rows + 1 }, () => new Array<number>(columns + 1).fill(0));
  for (let i = rows - 1; i >= 0; i--) {
    const row = lengths[i] as number[];
    const below = lengths[i + 1] as number[];
    for (let j = columns - 1; j >= 0; j--) {
      row[j] = fits[i]?.[j] ? 1 + (below[j + 1] ?? 0) : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}
