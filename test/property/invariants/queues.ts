import type { QueueName } from "../../../src/protocol/queue-mode.ts";
import type { Moment } from "./moment.ts";

export const QUEUES = ["steering", "followUp"] as const;

/** Which queue accepted a message; undefined for prompts and the like. */
export function queueOf(moments: readonly Moment[]): ReadonlyMap<string, QueueName> {
  const accepted = moments.flatMap(({ facts }) => facts.filter((fact) => fact.type === "input.accepted"));
  return new Map(accepted.map(({ message, queue }) => [message, queue]));
}

/** Messages that continue() took as its prompt (P4): they leave their queue before they are delivered. */
export function promptsOf(moments: readonly Moment[]): ReadonlySet<string> {
  const drained = moments.flatMap(({ facts }) => facts.filter((fact) => fact.type === "input.drained"));
  return new Set(drained.flatMap(({ poll, messages }) => (poll === "P4" ? messages : [])));
}

/** Ids that facts of one type name, in order. */
export function ids(
  moments: readonly Moment[],
  type: "input.accepted" | "input.delivered" | "input.returned" | "input.lost",
) {
  return moments.flatMap(({ facts }) =>
    facts.flatMap((fact): readonly string[] => {
      if (fact.type !== type) return [];
      return "messages" in fact ? fact.messages : [fact.message];
    }),
  );
}
