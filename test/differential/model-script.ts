import type { StreamFn } from "@earendil-works/pi-agent-core";
import {
  type AssistantMessage,
  type AssistantMessageEventStream,
  createAssistantMessageEventStream,
} from "@earendil-works/pi-ai";
import { briefs } from "./brief.ts";
import type { Reply } from "./program.ts";
import { ReplyStream } from "./reply-stream.ts";
import { thrownValue } from "./thrown.ts";
import type { Stage } from "./tools.ts";

const EXHAUSTED: Reply = {
  blocks: [{ type: "text", text: "(script exhausted)", chunks: 0 }],
  stream: "none",
  end: "done",
  onAbort: "checks",
};

type Options = Parameters<StreamFn>[2];

/** A stream function that answers the k-th call with the k-th reply of the script and writes down what it was given. */
export function scriptedModel(replies: readonly Reply[], stage: Stage): StreamFn {
  let calls = 0;
  return (model, context, options) => {
    const reply = replies[calls++] ?? EXHAUSTED;
    const { messages } = context;
    stage.recorder.note(
      "request",
      { model: model.id, provider: model.provider, briefs: briefs(messages), context, options: visible(options) },
      messages,
    );
    stage.fire("request");
    const { entry } = reply;
    if (entry?.fails && !entry.async) throw thrownValue(entry.fails);
    const open = () => openStream(reply, model, options?.signal, stage);
    return entry?.async ? later(reply, stage, open) : open();
  };
}

async function later(
  { entry }: Reply,
  { time }: Stage,
  open: () => AssistantMessageEventStream,
): Promise<AssistantMessageEventStream> {
  if (entry?.after) await time.sleep(entry.after);
  if (entry?.fails) throw thrownValue(entry.fails);
  return open();
}

/** The options that a provider reads. */
function visible(options: Options): unknown {
  if (options === undefined) return undefined;
  const { apiKey, reasoning, sessionId, transport, thinkingBudgets, maxRetryDelayMs, identity, signal } = options;
  const { onPayload, onResponse, onProviderStreamEvent, temperature, maxTokens, headers, metadata } = options;
  return {
    ...{ apiKey, reasoning, sessionId, transport, thinkingBudgets, maxRetryDelayMs, identity, signal },
    ...{ onPayload, onResponse, onProviderStreamEvent, temperature, maxTokens, headers, metadata },
  };
}

function openStream(
  reply: Reply,
  model: Parameters<StreamFn>[0],
  signal: AbortSignal | undefined,
  stage: Stage,
): AssistantMessageEventStream {
  const stream = createAssistantMessageEventStream();
  void new ReplyStream(stream, reply, model, signal, stage).play();
  if (reply.end !== "iteratorThrows" && reply.end !== "resultRejects") return stream;
  return failing(stream, reply.end);
}

/** A stream that fails after its last event, by its iterator or by its result. */
function failing(
  inner: AssistantMessageEventStream,
  how: "iteratorThrows" | "resultRejects",
): AssistantMessageEventStream {
  const events = async function* () {
    for await (const event of inner) yield event;
    if (how === "iteratorThrows") throw new Error("connection lost");
  };
  const result = (): Promise<AssistantMessage> =>
    how === "resultRejects" ? Promise.reject(new Error("no result")) : inner.result();
  // The engines use only these two members of a stream.
  return { [Symbol.asyncIterator]: events, result } as unknown as AssistantMessageEventStream;
}
