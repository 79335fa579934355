import type { Thrown } from "./program.ts";

/** The value that a scripted failure throws: not always an Error. */
export function thrownValue({ as, text }: Thrown): unknown {
  if (as === "error") return new Error(text);
  return as === "string" ? text : { text };
}

/** The text of what was caught, as Pi reports it. */
export function textOfThrown(caught: unknown): string {
  return caught instanceof Error ? caught.message : String(caught);
}
