import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { InputLog } from "../log/input-log.ts";
import { parseRecord } from "../log/record-schema.ts";
import { LifecycleError } from "../protocol/errors.ts";
import { replay } from "../replay/replay.ts";
import type { ReplayedStep } from "../replay/replayer.ts";
import { requireSameMachines } from "../replay/same-machines.ts";
import { type LoggedReceipt, receiptOf } from "../runtime/admission.ts";
import type { OpenedLog } from "./open-log.ts";
import { PiProjection } from "./projection.ts";
import { errorText } from "./texts.ts";

/** A log that was read: its state, its transcript and the receipts that it gave. */
export interface RestoredLog extends OpenedLog {
  readonly messages: AgentMessage[];
  readonly receipts: readonly LoggedReceipt[];
}

/**
 * Reads a log: every record checked, replayed and projected.
 *
 * @throws LifecycleError `record-invalid`, `log-not-opened`, `sequence-gap`, `machine-mismatch`, `replay-diverged`.
 */
export function restoreLog(records: Iterable<unknown>): RestoredLog {
  const parsed = Array.from(records, (record, index) => parseRecord(record, { record: index }));
  requireSameMachines(parsed);
  const projection = new PiProjection();
  const receipts: LoggedReceipt[] = [];
  let messages: AgentMessage[] = [];
  let last: ReplayedStep | undefined;
  for (const replayed of replay(parsed)) {
    last = replayed;
    try {
      projection.learn(replayed.record, replayed);
      messages = transcriptAfter(messages, replayed);
      for (const fact of replayed.facts) {
        for (const event of projection.events(fact)) if (event.type === "message_end") messages.push(event.message);
      }
    } catch (error) {
      throw new LifecycleError("record-invalid", { seq: replayed.record.seq, reason: errorText(error) });
    }
    const receipt = receiptOf(replayed.record, replayed, projection.takeReturned());
    if (isAcknowledged(replayed)) receipts.push({ record: replayed.record, receipt });
  }
  if (!last) throw new LifecycleError("log-not-opened", { records: 0 });
  return { log: new InputLog(parsed), state: last.state, projection, messages, receipts };
}

function isAcknowledged({ record, facts }: ReplayedStep): boolean {
  return "key" in record && !facts.some((fact) => fact.type === "input.refused");
}

/** What a record itself makes of the transcript, before its facts add to it. */
function transcriptAfter(messages: AgentMessage[], { record, facts }: ReplayedStep): AgentMessage[] {
  if (facts.some((fact) => fact.type === "input.refused")) return messages;
  if (record.type === "log.opened") return [...record.messages] as AgentMessage[];
  if (record.type === "reset") return record.baseline ? [record.baseline as AgentMessage] : [];
  if (record.type === "editTranscript") {
    const told = messages.length - (record.untold ?? 0);
    const kept = messages.slice(0, Math.min(record.keep, told));
    return [...kept, ...(record.messages as AgentMessage[]), ...messages.slice(told)];
  }
  return messages;
}
