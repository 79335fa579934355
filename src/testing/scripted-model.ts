import type { AgentMessage, StreamFn } from "@earendil-works/pi-agent-core";
import type { AssistantMessageEventStream } from "@earendil-works/pi-ai";
import { briefs } from "./brief.ts";
import type { Reply } from "./scenario.ts";
import { playReply } from "./scripted-reply.ts";
import type { VirtualTime } from "./virtual-time.ts";

const EXHAUSTED: Reply = { text: "(script exhausted)" };

/** What a scripted model is made of. */
export interface ScriptedModelOptions {
  /** The k-th request gets the k-th reply; past the end it gets `(script exhausted)`. */
  readonly replies: readonly Reply[];
  readonly time: VirtualTime;
  readonly createStream: () => AssistantMessageEventStream;
}

/** A model that says what a script says. */
export class ScriptedModel {
  /** For each request, the briefs of the messages that the model was given. */
  readonly requests: string[][] = [];
  readonly #options: ScriptedModelOptions;

  constructor(options: ScriptedModelOptions) {
    this.#options = options;
  }

  /** Give this to an agent as its `streamFn`. */
  readonly streamFn: StreamFn = (_model, context, options) => {
    const { replies, time, createStream } = this.#options;
    const reply = replies[this.requests.length] ?? EXHAUSTED;
    this.requests.push(briefs(context.messages as readonly AgentMessage[]));
    if (reply.throws) throw new Error(reply.throws);
    const stream = createStream();
    void playReply({ reply, time, stream, signal: options?.signal });
    return stream;
  };
}
