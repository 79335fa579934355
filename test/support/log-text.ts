import type { LogRecord } from "../../src/protocol/log-record.ts";

/** The records of steps, one a line: what a failing property shows beside its seed. */
export function logText(steps: readonly { readonly record: LogRecord }[]): string {
  return steps.map(({ record }) => JSON.stringify(record)).join("\n");
}
