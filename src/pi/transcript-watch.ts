import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { Command } from "../protocol/command.ts";

/**
 * Notices what the host did to the transcript behind the log: it is a live array, and Pi's hosts push to it. The edit
 * becomes a command, so that the log still tells the whole transcript.
 */
export class TranscriptWatch {
  #logged: AgentMessage[];

  constructor(messages: readonly AgentMessage[]) {
    this.#logged = [...messages];
  }

  /** The log told of this message. */
  follow(message: AgentMessage): void {
    this.#logged.push(message);
  }

  /** The log told of a whole transcript. */
  restart(messages: readonly AgentMessage[]): void {
    this.#logged = [...messages];
  }

  /** The edit that leads from what the log tells to what is there; undefined when they agree. */
  edit(messages: readonly AgentMessage[]): Extract<Command, { type: "editTranscript" }> | undefined {
    const keep = commonLength(this.#logged, messages);
    if (keep === messages.length && keep === this.#logged.length) return undefined;
    return { type: "editTranscript", keep, messages: messages.slice(keep) };
  }
}

function commonLength(left: readonly AgentMessage[], right: readonly AgentMessage[]): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left[length] === right[length]) length++;
  return length;
}
