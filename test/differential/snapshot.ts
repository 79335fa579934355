/** Times that the code under test read from the wall clock: later than any time that a program can name. */
const FIRST_CLOCK_TIME = 1_000_000_000_000;

/**
 * A value as JSON text, at this moment, with a mark for what JSON cannot say (a field that is there and undefined, a
 * function, an error). Only wall-clock times are replaced: `timestamp` read from the clock, and `durationMs`.
 */
export function snapshot(value: unknown): string {
  return JSON.stringify(sayable(value));
}

/** The value itself where JSON can say all of it, else a copy with marks. */
function sayable(value: unknown): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value)) return value;
  if (typeof value === "function") return "«function»";
  if (typeof value !== "object") return `«${String(value)}»`;
  if (Array.isArray(value)) return sayableItems(value);
  if (value instanceof AbortSignal) return `«signal ${value.aborted ? "aborted" : "open"}»`;
  if (value instanceof Error) return `«${value.name}: ${value.message}»`;
  return sayableFields(value as Record<string, unknown>);
}

function sayableItems(items: unknown[]): unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const said = sayable(items[index]);
    if (said === items[index]) continue;
    copy ??= items.slice();
    copy[index] = said;
  }
  return copy ?? items;
}

function sayableFields(fields: Record<string, unknown>): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const key in fields) {
    const said = isClockTime(key, fields[key]) ? "«clock»" : sayable(fields[key]);
    if (said === fields[key]) continue;
    copy ??= { ...fields };
    copy[key] = said;
  }
  return copy ?? fields;
}

function isClockTime(key: string, value: unknown): boolean {
  if (typeof value !== "number") return false;
  return key === "durationMs" || (key === "timestamp" && value >= FIRST_CLOCK_TIME);
}
