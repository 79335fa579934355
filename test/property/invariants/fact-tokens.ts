import type { Batch, Token } from "./grammar.ts";
import { isFailed, type Moment } from "./moment.ts";
import { lifecycle, type Told } from "./turns.ts";

const FAILED: Batch = { failed: true, calls: [], mode: "parallel" };

/** The lifecycle facts of a run as tokens of the grammar. */
export function factTokens(moments: readonly Moment[]): readonly Token[] {
  return lifecycle(moments).map(tokenOf);
}

function tokenOf(one: Told): Token {
  const { fact } = one;
  switch (fact.type) {
    case "trace.started":
      return { kind: "trace<" };
    case "turn.started":
      return { kind: "turn<" };
    case "input.delivered":
      return { kind: "injected" };
    case "message.started":
      return { kind: "message<" };
    case "message.ended":
      return { kind: "message>", batch: batchOf(one) };
    case "tool.started":
      return { kind: "call<", call: fact.callId };
    case "tool.ended":
      return { kind: "call>", call: fact.callId };
    case "tool.resulted":
      return { kind: "result", call: fact.callId };
    case "turn.ended":
      return { kind: "turn>" };
    default:
      return { kind: "trace>" };
  }
}

/** What the reply of this record calls for; every other message that ends tells of a failure. */
function batchOf({ at: { moment, toolExecution } }: Told): Batch {
  const { record } = moment;
  if (record.type !== "model.replied") return FAILED;
  const sequential = toolExecution === "sequential" || record.calls.some((call) => call.mode === "sequential");
  return {
    failed: isFailed(record.stopReason),
    calls: record.calls.map((call) => call.id),
    mode: record.stopReason === "length" ? "truncated" : sequential ? "sequential" : "parallel",
  };
}
