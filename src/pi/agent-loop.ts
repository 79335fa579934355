import type {
  AgentContext,
  AgentEvent,
  AgentEventSink,
  AgentLoopConfig,
  AgentMessage,
  StreamFn,
} from "@earendil-works/pi-agent-core";
import type { EventStream as PiEventStream } from "@earendil-works/pi-ai";
import type { Command } from "../protocol/command.ts";
import { policyOf } from "../protocol/policy.ts";
import { systemClock } from "../runtime/clock.ts";
import { Driver } from "../runtime/driver.ts";
import { getDefaultStreamFn } from "./default-stream-fn.ts";
import { EventStream } from "./event-stream.ts";
import { failedReply } from "./failure-message.ts";
import { runConfigOf } from "./loop-config.ts";
import { openLog } from "./open-log.ts";
import { Run } from "./run.ts";
import { errorText } from "./texts.ts";

/** A loop without an Agent: the host owns the queues and answers the polls; an exception goes to the caller (spec L15). */
const LOOP_POLICY = policyOf("pi-1.6", { onFailure: "reject", queues: "host" });

/**
 * Runs one Trace with prompts. Resolves with the messages that it created.
 *
 * @throws whatever a hook, the stream function or `emit` threw.
 */
export async function runAgentLoop(
  prompts: AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  emit: AgentEventSink,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
): Promise<AgentMessage[]> {
  const command: Command = { type: "prompt", messages: [...prompts], run: runConfigOf(config) };
  return runLoop(command, { ...context, messages: [...context.messages] }, config, emit, signal, streamFn);
}

/**
 * Runs one Trace from the context as it is; what is created is appended to the caller's own array, as in Pi.
 *
 * @throws Error `Cannot continue: no messages in context`, `Cannot continue from message role: assistant`; and as
 *   `runAgentLoop`.
 */
export async function runAgentLoopContinue(
  context: AgentContext,
  config: AgentLoopConfig,
  emit: AgentEventSink,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
): Promise<AgentMessage[]> {
  checkContinuable(context);
  const run = runConfigOf(config);
  const command: Command = { type: "continue", run, lastRole: "user", hasConversation: true };
  return runLoop(command, { ...context }, config, emit, signal, streamFn);
}

/** `runAgentLoop` as a stream of events. It ends also when the run fails: with the failure suffix (spec E11). */
export function agentLoop(
  prompts: AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
): PiEventStream<AgentEvent, AgentMessage[]> {
  return streamOf(config, signal, (emit) => runAgentLoop(prompts, context, config, emit, signal, streamFn));
}

/**
 * `runAgentLoopContinue` as a stream of events.
 *
 * @throws Error as `runAgentLoopContinue`, at once.
 */
export function agentLoopContinue(
  context: AgentContext,
  config: AgentLoopConfig,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
): PiEventStream<AgentEvent, AgentMessage[]> {
  checkContinuable(context);
  return streamOf(config, signal, (emit) => runAgentLoopContinue(context, config, emit, signal, streamFn));
}

function checkContinuable(context: AgentContext): void {
  const last = context.messages.at(-1);
  if (!last) throw new Error("Cannot continue: no messages in context");
  if (last.role === "assistant") throw new Error("Cannot continue from message role: assistant");
}

async function runLoop(
  command: Command,
  context: AgentContext,
  config: AgentLoopConfig,
  emit: AgentEventSink,
  signal: AbortSignal | undefined,
  streamFn: StreamFn,
): Promise<AgentMessage[]> {
  const { log, state, projection } = openLog(LOOP_POLICY, {}, [], systemClock);
  const driver = new Driver({
    state,
    log,
    clock: systemClock,
    digests: false,
    surroundings: { learn: (record, result) => projection.learn(record, result), abort: () => {} },
  });
  const abort = () => {
    driver.apply({ type: "abort" }, `${driver.state.seq + 1}`);
  };
  const run = new Run({
    context,
    config,
    signal,
    streamFn: streamFn ?? getDefaultStreamFn(),
    emit,
    projection,
    state: () => driver.state,
    clock: systemClock,
    failureModel: () => config.model,
  });
  const first = driver.apply(command, "1");
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    await driver.run(first, run);
    return projection.traceMessages;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

function streamOf(
  config: AgentLoopConfig,
  signal: AbortSignal | undefined,
  run: (emit: AgentEventSink) => Promise<AgentMessage[]>,
): PiEventStream<AgentEvent, AgentMessage[]> {
  const stream = new EventStream<AgentEvent, AgentMessage[]>(
    (event) => event.type === "agent_end",
    (event) => (event.type === "agent_end" ? event.messages : []),
  );
  const emit = (event: AgentEvent) => stream.push(event);
  run(emit).then(
    (messages) => stream.end(messages),
    (error: unknown) => {
      const message = failedReply(undefined, config.model, errorText(error), signal?.aborted === true, systemClock);
      emit({ type: "message_start", message });
      emit({ type: "message_end", message });
      emit({ type: "turn_end", message, toolResults: [] });
      emit({ type: "agent_end", messages: [message] });
    },
  );
  return stream as unknown as PiEventStream<AgentEvent, AgentMessage[]>;
}
