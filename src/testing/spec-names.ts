import type { State } from "../engine/state.ts";
import type { StepResult } from "../engine/step.ts";
import { messageId } from "../protocol/ids.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import { messageText } from "../replay/message-text.ts";

/** What messages are called in expectations: by their text, results by their call's id. Unique names only. */
export type MessageNames = ReadonlyMap<string, string>;

/** The names with those of the messages that one step brought. */
export function namesAfter(names: MessageNames, record: LogRecord, { state, facts }: StepResult): MessageNames {
  const named = new Map(names);
  for (const [id, name] of namesOf(record, state)) if (name !== "") named.set(id, name);
  for (const fact of facts) if (fact.type === "tool.resulted") named.set(fact.message, `result of ${fact.callId}`);
  return named;
}

/** A message's name where no other message has it, else its id. */
export function nameOf(id: unknown, names: MessageNames): unknown {
  const name = names.get(id as string);
  if (name === undefined) return id;
  const isUnique = [...names.values()].filter((other) => other === name).length === 1;
  return isUnique ? name : id;
}

function namesOf(record: LogRecord, { trace }: State): readonly (readonly [id: string, name: string])[] {
  switch (record.type) {
    case "steer":
    case "followUp":
    case "run.failed":
      return [[messageId(record.seq, 0), messageText(record.message)]];
    case "model.started":
    case "model.replied":
      return [[trace.context.reply, messageText(record.message)]];
    case "prompt":
    case "queue.polled":
    case "turn.prepared":
      return (record.messages ?? []).map((message, n) => [messageId(record.seq, n), messageText(message)]);
    case "tools.declared":
      return (record.messages ?? []).flatMap(({ id, message }, n) =>
        message ? [[id ?? messageId(record.seq, n), messageText(message)] as const] : [],
      );
    default:
      return [];
  }
}
