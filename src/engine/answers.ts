import type { HookName } from "../protocol/command.ts";
import type { Effect } from "../protocol/effect.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import type { OutcomeType } from "../protocol/outcome.ts";

const HOOK_OUTCOMES: Readonly<Record<HookName, OutcomeType>> = {
  prepareRequest: "request.prepared",
  finishTurn: "turn.finished",
  prepareNextTurn: "turn.prepared",
};

/** Whether a record is an outcome of this effect: its id names it, and it is of the kind that was asked for. */
export function answers(record: LogRecord, effect: Effect): boolean {
  if (record.id !== effect.id) return false;
  if (record.type === "run.failed") return true;
  switch (effect.type) {
    case "listeners.settle":
      return record.type === effect.then;
    case "queue.poll":
      return record.type === "queue.polled";
    case "tools.declare":
      return record.type === "tools.declared";
    case "hook.run":
      return record.type === HOOK_OUTCOMES[effect.hook];
    case "model.request":
      return record.type === "model.started" || record.type === "model.replied";
    case "tool.prepare":
      return record.type === "tool.prepared" && record.call === effect.call;
    case "tool.run":
    case "tool.skip":
      return record.type === "tool.finished" && record.call === effect.call;
    case "signal.abort":
      return false;
  }
}
