import type { Effect } from "../protocol/effect.ts";
import type { State } from "./state.ts";

/**
 * Law 4: whoever takes a log over issues again what has no outcome, each as the next attempt under its own id. Whether a
 * tool may run again is the driver's decision; the count is durable, because it follows from the log.
 */
export function reissue(state: State): { state: State; facts: readonly []; effects: readonly Effect[] } {
  const effects = state.outstanding.map(nextAttempt);
  return { state: { ...state, outstanding: effects }, facts: [], effects };
}

function nextAttempt(effect: Effect): Effect {
  const [place = "", attempt = "1"] = effect.id.split("#");
  const next = Number(attempt) + 1;
  return { ...effect, id: `${place}#${next}`, ...("attempt" in effect ? { attempt: next } : {}) };
}
