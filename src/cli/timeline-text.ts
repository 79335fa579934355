import type { Fact } from "../protocol/fact.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import { messageText } from "../replay/message-text.ts";
import type { ReplayedStep } from "../replay/replayer.ts";
import type { QueuedLife, Timeline } from "../replay/timeline.ts";

const SOURCES = {
  prompt: "prompt",
  steering: "steer",
  followUp: "follow-up",
  prepared: "prepared",
  declaration: "tools declared",
} as const;

/** The lines of one step: what happened at this record, indented by its scale (Session ⊃ Trace ⊃ Turn). */
export function stepLines(
  { record, facts, effects }: ReplayedStep,
  texts: Readonly<Record<string, string>>,
  start: number,
): readonly string[] {
  const lines = [
    ...recordLines(record),
    ...facts.flatMap((fact) => factLines(fact, texts, record)),
    ...effects.flatMap((effect) => (effect.type === "model.request" ? [`    request    ${effect.id}`] : [])),
  ];
  return lines.map((line) => `${margin(record, start)}${line}`);
}

function margin(record: LogRecord, start: number): string {
  return `${`#${record.seq}`.padStart(5)} ${`${record.at - start} ms`.padStart(8)}  `;
}

function recordLines(record: LogRecord): readonly string[] {
  if (record.type === "log.opened") {
    const { policy, steeringMode, followUpMode } = record;
    return [`Session    profile ${policy.profile}, steering ${steeringMode}, follow-up ${followUpMode}`];
  }
  if (record.type === "log.resumed") return ["Session resumed"];
  if (record.type === "run.failed") return [`    failed     ${record.id}: ${quoted(record.error)}`];
  if (record.type === "model.replied") return [`    model      ${replyText(record)}`];
  return [];
}

function replyText(record: LogRecord & { readonly type: "model.replied" }): string {
  const calls = record.calls.map((call) => call.name).join(", ");
  const text = messageText(record.message);
  const { errorMessage } = record.message as { readonly errorMessage?: string };
  const reason = errorMessage === undefined ? record.stopReason : `${record.stopReason}: ${errorMessage}`;
  return [text && quoted(text), calls && `calls ${calls}`, `(${reason})`].filter(Boolean).join(" ");
}

function factLines(fact: Fact, texts: Readonly<Record<string, string>>, record: LogRecord): readonly string[] {
  switch (fact.type) {
    case "trace.started":
      return [`Trace ${fact.trace}${fact.continuation ? " (continued)" : ""}`];
    case "turn.started":
      return [`  Turn ${fact.turn}`];
    case "input.accepted":
      return [`    queued     ${fact.queue === "steering" ? "steer" : "follow-up"} ${fact.message} ${bodyOf(record)}`];
    case "input.drained":
      return [`    drained    ${fact.messages.join(", ")} at ${fact.poll}`];
    case "input.delivered":
      return [`    delivered  ${SOURCES[fact.from]} ${fact.message} ${quoted(texts[fact.message] ?? "")}`];
    case "input.returned":
      return [`    returned   ${fact.messages.join(", ")}`];
    case "input.lost":
      return [`    lost       ${fact.messages.join(", ")}`];
    case "input.refused":
      return [`    refused    ${fact.command}: ${fact.code}`];
    case "abort.requested":
      return ["    abort      requested"];
    case "tool.started":
      return [`    tool       ${fact.name} ${fact.callId} started`];
    case "tool.ended":
      return [`    tool       ${fact.callId} ended: ${fact.outcome}${fact.isError ? ", error" : ""}`];
    case "trace.ended":
      return [`Trace ${fact.trace} ended`];
    case "transcript.reset":
      return ["Session reset"];
    case "outcome.ignored":
      return [`    ignored    ${fact.outcome} for ${fact.effect}`];
    default:
      return [];
  }
}

function bodyOf(record: LogRecord): string {
  return "message" in record ? quoted(messageText(record.message)) : "";
}

/** The life of every queued message, one line each. */
export function queueLines(timeline: Timeline, start: number): readonly string[] {
  if (timeline.queued.length === 0) return ["No message was queued."];
  return ["Queued messages:", ...timeline.queued.map((life) => `  ${lifeText(life, start)}`)];
}

function lifeText(life: QueuedLife, start: number): string {
  const moment = ({ seq, at }: { readonly seq: number; readonly at: number }) => `#${seq} (${at - start} ms)`;
  const { drained, delivered, seen, returned, lost } = life;
  const parts = [
    `queued ${moment(life.queued)}`,
    drained && `drained ${moment(drained)} at ${drained.poll}`,
    delivered && `delivered in ${delivered.trace} turn ${delivered.turn}`,
    seen && `seen by the model ${moment(seen)} in ${seen.request}`,
    returned && `returned ${moment(returned)}`,
    lost && `lost ${moment(lost)}`,
    !delivered && !returned && !lost && "still queued",
  ];
  const name = life.queue === "steering" ? "steer" : "follow-up";
  return `${name} ${life.id} ${quoted(life.text)}: ${parts.filter(Boolean).join(", ")}`;
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return JSON.stringify(line.length > 100 ? `${line.slice(0, 99)}…` : line);
}
