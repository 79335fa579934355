import type { QueueMode } from "../src/protocol/queue-mode.ts";

/** A queue of message ids, oldest first. */
export type Queue = readonly string[];

/** What one drain takes and what it leaves (spec G8, INV-Q2..Q4). */
export function drain(queue: Queue, mode: QueueMode): { readonly taken: Queue; readonly left: Queue } {
  if (mode === "all") return { taken: queue, left: EMPTY };
  return { taken: queue.slice(0, 1), left: queue.slice(1) };
}

/** The queue with the message at its end (spec A9). */
export function enqueue(queue: Queue, message: string): Queue {
  return [...queue, message];
}

/** The queue as it was before a drain whose messages were not delivered. */
export function undrain(taken: Queue, queue: Queue): Queue {
  return taken.length === 0 ? queue : [...taken, ...queue];
}

export const EMPTY: Queue = [];
