import type { Queue } from "../../machines/queue.ts";
import type { QueueName } from "../protocol/queue-mode.ts";
import type { State } from "./state.ts";

/**
 * The ids of the messages that wait in a queue, oldest first. Under policy `drained: "reserved"` a message stays in its
 * queue until it is delivered (INV-Q1); under `limbo` it has left with the drain (spec L10).
 */
export function queued(state: State, queue: QueueName): Queue {
  const { context } = state.trace;
  const reserved = context.policy.drained === "reserved" && context.pendingFrom === queue;
  return reserved && context.pending.length > 0 ? [...context.pending, ...context[queue]] : context[queue];
}

/** What the next drain would take: steering first, by its mode, else follow-ups by theirs (spec A9). */
export function nextDrain(state: State): Queue {
  const { steeringMode, followUpMode } = state.trace.context;
  const steering = queued(state, "steering");
  const [queue, mode] = steering.length > 0 ? [steering, steeringMode] : [queued(state, "followUp"), followUpMode];
  return mode === "all" ? queue : queue.slice(0, 1);
}

/** The messages that the next injection delivers: first those of prepareNextTurn, then what was drained (spec E7). */
export function pendingInjection(state: State): Queue {
  const { prepared, pending } = state.trace.context;
  return prepared.length === 0 ? pending : [...prepared, ...pending];
}
