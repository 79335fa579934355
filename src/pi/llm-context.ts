import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { Message } from "@earendil-works/pi-ai";

/** The messages that a model understands; a host's own kinds are left out. */
export function defaultConvertToLlm(messages: readonly AgentMessage[]): Message[] {
  return messages.filter(isModelMessage);
}

/**
 * What a stream function is given as its context: the first `length` messages that a model understands. The list is made
 * when it is first read, so a request costs nothing that grows with the history until then. `messages` may grow
 * meanwhile; what stands before `length` must not change. A plain object to everybody who reads, spreads, serializes
 * or assigns it.
 */
export function lazyTranscript(messages: readonly AgentMessage[], length: number): { messages: Message[] } {
  let unread: readonly AgentMessage[] | undefined = messages;
  let list: Message[] = [];
  return {
    get messages() {
      if (unread) list = defaultConvertToLlm(unread.slice(0, length));
      unread = undefined;
      return list;
    },
    set messages(assigned) {
      unread = undefined;
      list = assigned;
    },
  };
}

function isModelMessage(message: AgentMessage): message is Message {
  const { role } = message;
  return role === "system" || role === "user" || role === "assistant" || role === "toolResult";
}
