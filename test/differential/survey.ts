import { type CheckOptions, differenceOf, visitPrograms } from "./check.ts";
import { type Difference, kindOf } from "./compare.ts";
import type { Implementation } from "./implementation.ts";
import type { Program } from "./program.ts";

/** All differences of one kind that a survey met, with the smallest program that shows it. */
export interface Finding {
  kind: string;
  count: number;
  program: Program;
  difference: Difference;
}

/** Runs random programs to the end and groups their differences, where `checkSame` stops at the first. */
export async function survey(
  expected: Implementation,
  actual: Implementation,
  options: CheckOptions,
): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  await visitPrograms(options, async (program) => {
    const difference = await differenceOf(expected, actual, program);
    if (difference === undefined) return;
    const kind = kindOf(difference);
    const known = findings.get(kind);
    const smaller = known === undefined || size(program) < size(known.program);
    const shown = smaller ? { program, difference } : { program: known.program, difference: known.difference };
    findings.set(kind, { kind, count: (known?.count ?? 0) + 1, ...shown });
  });
  return [...findings.values()].sort((a, b) => b.count - a.count);
}

function size(program: Program): number {
  return JSON.stringify(program).length;
}
