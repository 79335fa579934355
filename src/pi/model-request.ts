import type { AgentMessage, AgentTool } from "@earendil-works/pi-agent-core";
import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  SimpleStreamOptions,
  TranscriptContext,
} from "@earendil-works/pi-ai";
import { LifecycleError } from "../protocol/errors.ts";
import { LIMITS } from "../protocol/limits.ts";
import type { Call, Message, StopReason } from "../protocol/message.ts";
import type { Clock } from "../runtime/clock.ts";
import type { OutcomeOf } from "../runtime/ports.ts";
import { DEFAULT_AGENT_IDENTITY, mergeClientIdentity } from "./identity.ts";
import { defaultConvertToLlm, lazyTranscript } from "./llm-context.ts";
import { invalidReplyField } from "./reply-shape.ts";
import type { RunContext } from "./run-context.ts";
import type { RunParts } from "./run-parts.ts";

const UPDATES: ReadonlySet<string> = new Set([
  "text_start",
  "text_delta",
  "text_end",
  "thinking_start",
  "thinking_delta",
  "thinking_end",
  "toolcall_start",
  "toolcall_delta",
  "toolcall_end",
]);

/**
 * One request to the model and its reply, as Pi's loop does it (spec 3.2, steps 5 and 6). `started` is awaited when the
 * reply begins to stream; updates are progress: they are told to listeners and stand in no log.
 */
export async function requestReply(
  parts: RunParts,
  context: RunContext,
  started: (message: Message) => Promise<void>,
): Promise<AssistantMessage> {
  const { config } = context;
  const response = await askModel(parts, context);
  let open = false;
  for await (const event of response) {
    if (event.type === "start") {
      context.append(event.partial);
      open = true;
      await started(event.partial);
    } else if (UPDATES.has(event.type)) {
      if (open) await tellUpdate(parts, context, event);
    } else if (event.type === "done" || event.type === "error") break;
  }
  const reply = await finalReply(response, parts.clock);
  reply.thinkingLevel = config.reasoning ?? "off";
  if (open) context.replaceLast(reply);
  else context.append(reply);
  return reply;
}

/** A reply as an outcome: what the engine decides by, beside the body. */
export function repliedOutcome(reply: AssistantMessage, tools: readonly AgentTool[]): OutcomeOf<"model.replied"> {
  const calls = reply.content.flatMap((block): Call[] => {
    if (block.type !== "toolCall") return [];
    const mode = tools.find((tool) => tool.name === block.name)?.executionMode;
    return [{ id: block.id, name: block.name, ...(mode === "sequential" ? { mode } : {}) }];
  });
  return { type: "model.replied", message: reply, stopReason: reply.stopReason as StopReason, calls };
}

async function askModel(parts: RunParts, context: RunContext): Promise<AssistantMessageEventStream> {
  const { config } = context;
  const { signal, streamFn } = parts;
  const messages = config.transformContext ? await config.transformContext(context.messages, signal) : context.messages;
  const transcript = await transcriptOf(messages, context);
  const options: SimpleStreamOptions = { ...config };
  const apiKey = (config.getApiKey && (await config.getApiKey(config.model.provider))) || config.apiKey;
  if (apiKey !== undefined) options.apiKey = apiKey;
  options.identity = mergeClientIdentity(DEFAULT_AGENT_IDENTITY, config.identity) ?? DEFAULT_AGENT_IDENTITY;
  if (signal) options.signal = signal;
  return streamIn(await streamFn(config.model, transcript, options));
}

function streamIn(response: AssistantMessageEventStream): AssistantMessageEventStream {
  if (typeof response?.[Symbol.asyncIterator] === "function") return response;
  const field = "the stream function returned no stream";
  throw new LifecycleError("model-reply-invalid", { field }, `The model's reply is not valid: ${field}`);
}

/** What the model reads. From the run's own transcript, which only grows, it is made when somebody reads it. */
async function transcriptOf(messages: AgentMessage[], context: RunContext): Promise<TranscriptContext> {
  const { convertToLlm } = context.config;
  const own = messages === context.messages && convertToLlm === defaultConvertToLlm;
  return (
    own ? lazyTranscript(messages, messages.length) : { messages: await convertToLlm(messages) }
  ) as TranscriptContext;
}

async function tellUpdate(parts: RunParts, context: RunContext, event: AssistantMessageEvent): Promise<void> {
  if (!("partial" in event)) return;
  context.replaceLast(event.partial);
  await parts.emit({ type: "message_update", assistantMessageEvent: event, message: { ...event.partial } });
}

/**
 * The final message of a stream that has ended.
 *
 * @throws LifecycleError `model-reply-missing` when none comes in time, `model-reply-invalid` when it is not one.
 */
async function finalReply(response: AssistantMessageEventStream, clock: Clock): Promise<AssistantMessage> {
  const reply = await inTime(response.result(), clock);
  const field = invalidReplyField(reply);
  if (field) throw new LifecycleError("model-reply-invalid", { field }, `The model's reply is not valid: ${field}`);
  return reply;
}

/** A timer for every reply would cost more than the reply: nearly all are there after a few microtasks. */
const FEW_MICROTASKS = 16;

async function inTime<T>(promise: Promise<T>, clock: Clock): Promise<T> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  for (let n = 0; n < FEW_MICROTASKS && !settled; n++) await undefined;
  if (settled) return promise;
  const wait = clock.sleep(LIMITS.finalMessageMs);
  try {
    await Promise.race([promise.then(settle, settle), wait.done]);
  } finally {
    wait.cancel();
  }
  if (!settled) throw new LifecycleError("model-reply-missing", { waitedMs: LIMITS.finalMessageMs });
  return promise;
}
