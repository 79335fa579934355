import type { AssistantMessage, AssistantMessageEventStream, TextContent, ToolCall } from "@earendil-works/pi-ai";
import { scriptedMessage } from "./model-info.ts";
import type { Reply } from "./scenario.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** One reply on its way into a stream. */
export interface ReplyPlay {
  readonly reply: Reply;
  readonly time: VirtualTime;
  readonly stream: AssistantMessageEventStream;
  readonly signal: AbortSignal | undefined;
}

/**
 * Plays a reply as a provider does, and ends the stream. It looks at the signal before the request and after each wait;
 * when it has fired, the message ends `aborted` with the text so far and no calls.
 */
export async function playReply(play: ReplyPlay): Promise<void> {
  const { reply, signal, stream } = play;
  const texts: TextContent[] = [];
  const spoken =
    !signal?.aborted && (await (reply.chunks ? speakInChunks(play, reply.chunks, texts) : speakAtOnce(play, texts)));
  const message = spoken ? wholeMessage(reply, texts) : scriptedMessage(texts, "aborted", "Request was aborted");
  const { stopReason } = message;
  if (stopReason === "error" || stopReason === "aborted")
    stream.push({ type: "error", reason: stopReason, error: message });
  else if (stopReason !== "pending") stream.push({ type: "done", reason: stopReason, message });
  stream.end(message);
}

/** False: an abort cut it short. `texts` holds what was said until then. */
async function speakAtOnce({ reply, time, signal }: ReplyPlay, texts: TextContent[]): Promise<boolean> {
  await time.sleep(reply.takes ?? 0);
  if (signal?.aborted) return false;
  if (reply.text !== undefined) texts.push({ type: "text", text: reply.text });
  return true;
}

async function speakInChunks(
  { reply, time, stream, signal }: ReplyPlay,
  chunks: number,
  texts: TextContent[],
): Promise<boolean> {
  const partial = () => scriptedMessage([...texts], stopReasonOf(reply));
  const say = (text: string) => {
    texts[0] = { type: "text", text };
    return text;
  };
  stream.push({ type: "start", partial: partial() });
  let text = say("");
  stream.push({ type: "text_start", contentIndex: 0, partial: partial() });
  for (let chunk = 0; chunk < chunks; chunk++) {
    await time.sleep(reply.takes ?? 0);
    if (signal?.aborted) return false;
    const delta = chunk === 0 ? (reply.text ?? "") : "+";
    text = say(text + delta);
    stream.push({ type: "text_delta", contentIndex: 0, delta, partial: partial() });
  }
  stream.push({ type: "text_end", contentIndex: 0, content: text, partial: partial() });
  return true;
}

function wholeMessage(reply: Reply, texts: readonly TextContent[]): AssistantMessage {
  const calls = (reply.calls ?? []).map(
    ({ id, tool, args = {} }): ToolCall => ({
      type: "toolCall",
      id,
      name: tool,
      arguments: args as ToolCall["arguments"],
    }),
  );
  return scriptedMessage([...texts, ...calls], stopReasonOf(reply), reply.error);
}

function stopReasonOf({ stop, calls }: Reply): NonNullable<Reply["stop"]> {
  return stop ?? (calls?.length ? "toolUse" : "stop");
}
