import type { StreamFn } from "@earendil-works/pi-agent-core";
import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  ToolCall,
} from "@earendil-works/pi-ai";
import { USAGE } from "./messages.ts";
import type { Block, Call, Reply } from "./program.ts";
import type { Stage } from "./tools.ts";

type Content = AssistantMessage["content"][number];

/** Plays one scripted reply into a stream, as a provider would. */
export class ReplyStream {
  readonly #stream: AssistantMessageEventStream;
  readonly #reply: Reply;
  readonly #signal: AbortSignal | undefined;
  readonly #stage: Stage;
  /** The message as far as it has come. With `mutated` every event carries this very object. */
  readonly #growing: AssistantMessage;
  #over = false;

  constructor(
    stream: AssistantMessageEventStream,
    reply: Reply,
    model: Parameters<StreamFn>[0],
    signal: AbortSignal | undefined,
    stage: Stage,
  ) {
    this.#stream = stream;
    this.#reply = reply;
    this.#signal = signal;
    this.#stage = stage;
    this.#growing = {
      role: "assistant",
      content: [],
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: USAGE,
      stopReason: "pending" as AssistantMessage["stopReason"],
      timestamp: reply.stampNow ? Date.now() : 0,
    };
  }

  /**
   * Runs to the end. Between two waits nothing is awaited: everything that is said in one tick is said at once, so that
   * what a reader sees of an object that grows does not depend on how many promises the reader goes through.
   */
  async play(): Promise<void> {
    if (this.#reply.onAbort === "listens") this.#signal?.addEventListener("abort", () => this.#abort(), { once: true });
    if (this.#sawAbort()) return;
    for (const _ of this.#reply.stream === "none" ? this.#whole() : this.#piecewise()) {
      this.#stage.fire("chunk");
      if (this.#reply.takes) await this.#stage.time.sleep(this.#reply.takes);
      if (this.#over || this.#sawAbort()) return;
    }
    this.#end();
  }

  *#whole(): Generator<void> {
    yield;
    for (const block of this.#reply.blocks) this.#growing.content.push(finished(block));
  }

  *#piecewise(): Generator<void> {
    if (this.#reply.stream !== "headless") this.#push({ type: "start", partial: this.#partial() });
    for (const block of this.#reply.blocks) yield* this.#playBlock(block);
  }

  /** Waits before each chunk. */
  *#playBlock(block: Block): Generator<void> {
    const contentIndex = this.#growing.content.length;
    const name = block.type === "call" ? "toolcall" : block.type;
    this.#growing.content.push(begun(block));
    this.#push({ type: `${name}_start`, contentIndex, partial: this.#partial() } as AssistantMessageEvent);
    for (let chunk = 0; chunk < block.chunks; chunk++) {
      yield;
      const delta = block.type === "call" ? "{}" : chunk === 0 ? block.text : "+";
      const last = this.#growing.content[contentIndex];
      if (last?.type === "text") last.text += delta;
      if (last?.type === "thinking") last.thinking += delta;
      this.#push({ type: `${name}_delta`, contentIndex, delta, partial: this.#partial() } as AssistantMessageEvent);
    }
    if (block.type === "call") this.#growing.content[contentIndex] = toolCall(block.call);
    const closing = block.type === "call" ? { toolCall: toolCall(block.call) } : { content: block.text };
    this.#push({ type: `${name}_end`, contentIndex, ...closing, partial: this.#partial() } as AssistantMessageEvent);
  }

  #sawAbort(): boolean {
    if (this.#reply.onAbort === "ignores" || !this.#signal?.aborted) return false;
    this.#abort();
    return true;
  }

  #abort(): void {
    if (this.#over) return;
    const content = this.#growing.content.filter((block) => block.type !== "toolCall");
    this.#finish({ ...this.#growing, content, stopReason: "aborted", errorMessage: "Request was aborted" });
  }

  #end(): void {
    const { end, stop, error, blocks } = this.#reply;
    const message = this.#reply.stream === "mutated" ? this.#growing : { ...this.#growing };
    message.stopReason = stop ?? (blocks.some((block) => block.type === "call") ? "toolUse" : "stop");
    if (error !== undefined) message.errorMessage = error;
    if (end === "end") {
      this.#over = true;
      this.#stream.end(message);
    } else if (end === "iteratorThrows" || end === "resultRejects" || end === "silent") {
      this.#over = true;
      this.#stream.end();
    } else this.#finish(message);
  }

  #finish(message: AssistantMessage): void {
    this.#over = true;
    const failed = message.stopReason === "error" || message.stopReason === "aborted";
    const asError = this.#reply.end === "mismatch" ? !failed : failed;
    const last = asError
      ? { type: "error", reason: "error", error: message }
      : { type: "done", reason: message.stopReason, message };
    this.#stream.push(last as AssistantMessageEvent);
    if (this.#reply.end === "trailing") {
      this.#stream.push({ type: "text_delta", contentIndex: 0, delta: "too late", partial: message });
    }
    this.#stream.end(message);
  }

  #push(event: AssistantMessageEvent): void {
    this.#stream.push(event);
  }

  #partial(): AssistantMessage {
    if (this.#reply.stream === "mutated") return this.#growing;
    return { ...this.#growing, content: this.#growing.content.map((block) => ({ ...block })) };
  }
}

function begun(block: Block): Content {
  if (block.type === "text") return { type: "text", text: "" };
  if (block.type === "thinking") return { type: "thinking", thinking: "" };
  return { ...toolCall(block.call), arguments: {} };
}

function finished(block: Block): Content {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type === "thinking") return { type: "thinking", thinking: block.text, thinkingSignature: "signed" };
  return toolCall(block.call);
}

function toolCall({ id, tool, args, argumentsError }: Call): ToolCall {
  const call = { type: "toolCall", id, name: tool, arguments: structuredClone(args) };
  return (argumentsError === undefined ? call : { ...call, argumentsError }) as ToolCall;
}
