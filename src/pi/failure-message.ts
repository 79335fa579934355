import type { AssistantMessage, Model, Usage } from "@earendil-works/pi-ai";
import type { Clock } from "../runtime/clock.ts";

const NO_USAGE: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** A host may have left the agent without a model; the failure is told all the same. */
const origin = (model: Model<string> | undefined) => ({
  api: model?.api ?? "unknown",
  provider: model?.provider ?? "unknown",
  model: model?.id ?? "unknown",
});

/** The assistant message that tells of an exception (spec E11); a reply that was open keeps what it had said. */
export function failedReply(
  open: AssistantMessage | undefined,
  model: Model<string> | undefined,
  text: string,
  aborted: boolean,
  clock: Clock,
): AssistantMessage {
  const stopReason = aborted ? "aborted" : "error";
  if (open) return { ...open, stopReason, errorMessage: text };
  return {
    role: "assistant",
    content: [{ type: "text", text: "" }],
    ...origin(model),
    usage: NO_USAGE,
    stopReason,
    errorMessage: text,
    timestamp: clock.now(),
  };
}

/** The reply of a request that was not sent, because the run had been aborted (policy `onAbort: "boundary"`). */
export function withheldReply(model: Model<string>, clock: Clock): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    ...origin(model),
    usage: NO_USAGE,
    stopReason: "aborted",
    errorMessage: "Request was aborted",
    timestamp: clock.now(),
  };
}
