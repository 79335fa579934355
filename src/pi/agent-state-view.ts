import type { AgentState } from "@earendil-works/pi-agent-core";
import type { LiveAgentState } from "./agent-state.ts";

/**
 * The state as Pi's hosts know it: a plain object whose fields are its own, in Pi's order, so that it can be spread,
 * serialized and cloned.
 */
export function agentStateView(live: LiveAgentState): AgentState {
  const view = {
    get systemPrompt() {
      return live.systemPrompt;
    },
    get model() {
      return live.model;
    },
    set model(model) {
      live.model = model;
    },
    get thinkingLevel() {
      return live.thinkingLevel;
    },
    set thinkingLevel(level) {
      live.thinkingLevel = level;
    },
    get tools() {
      return live.tools;
    },
    set tools(tools) {
      live.tools = tools;
    },
    get messages() {
      return live.messages;
    },
    set messages(messages) {
      live.messages = messages;
    },
    get isStreaming() {
      return live.isStreaming;
    },
    get streamingMessage() {
      return live.streamingMessage;
    },
    get pendingToolCalls() {
      return live.pendingToolCalls;
    },
    get errorMessage() {
      return live.errorMessage;
    },
  };
  return view as AgentState;
}
