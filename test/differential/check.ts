import fc from "fast-check";
import { programs } from "./arbitrary.ts";
import { compare, type Difference, describe } from "./compare.ts";
import type { Features } from "./features.ts";
import type { Implementation } from "./implementation.ts";
import { interpret } from "./interpreter.ts";
import type { Program } from "./program.ts";

export interface CheckOptions {
  seed: number;
  runs: number;
  features: Features;
  /** Where in the shrinking of a known failure to start. */
  path?: string;
}

/** Runs one program on both sides. Undefined: nobody could tell them apart. */
export async function differenceOf(
  expected: Implementation,
  actual: Implementation,
  program: Program,
): Promise<Difference | undefined> {
  return compare(await interpret(expected, program), await interpret(actual, program));
}

/** Calls `visit` with each of the random programs in turn, none of which is kept. */
export async function visitPrograms(
  { seed, runs, features }: CheckOptions,
  visit: (program: Program) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(programs(features), visit), { seed, numRuns: runs });
}

class DifferenceError extends Error {
  constructor(difference: Difference) {
    super(describe(difference));
    this.name = "DifferenceError";
  }
}

/** Runs random programs on both sides. Throws with the seed, the shrunken program and its first difference. */
export async function checkSame(
  expected: Implementation,
  actual: Implementation,
  options: CheckOptions,
): Promise<void> {
  const property = fc.asyncProperty(programs(options.features), async (program) => {
    const difference = await differenceOf(expected, actual, program);
    if (difference !== undefined) throw new DifferenceError(difference);
  });
  const result = await fc.check(property, {
    seed: options.seed,
    numRuns: options.runs,
    endOnFailure: false,
    ...(options.path === undefined ? {} : { path: options.path }),
  });
  if (!result.failed) return;
  const [program] = result.counterexample ?? [];
  const cause = result.errorInstance;
  throw new Error(
    [
      `${expected.name} and ${actual.name} differ. Again: --seed ${result.seed} --path ${result.counterexamplePath}`,
      `(program ${result.numRuns}, shrunken ${result.numShrinks} times)`,
      cause instanceof DifferenceError
        ? cause.message
        : `the harness failed: ${cause instanceof Error ? cause.stack : cause}`,
      JSON.stringify(program),
    ].join("\n"),
  );
}
