import type { AgentLoopConfig, AgentOptions } from "@earendil-works/pi-agent-core";
import type { Hooks } from "./hooks.ts";
import type { AgentPort } from "./implementation.ts";
import type { HookName } from "./program.ts";

export type AgentHooks = Pick<
  AgentOptions,
  | "beforeToolCall"
  | "afterToolCall"
  | "finishTurn"
  | "prepareRequest"
  | "prepareNextTurn"
  | "prepareNextTurnWithContext"
  | "transformContext"
  | "convertToLlm"
  | "getApiKey"
>;

/** The hooks that the script sets, in the shapes that `Agent` takes. `agentOf` gives the agent that will call them. */
export function agentHooks(hooks: Hooks, agentOf: () => AgentPort): AgentHooks {
  const { beforeToolCall, afterToolCall, finishTurn, prepareRequest, prepareNextTurnWithContext } = hooks;
  const { transformContext, convertToLlm, getApiKey } = hooks;
  const prepareNextTurn: NonNullable<AgentOptions["prepareNextTurn"]> = (signal) => {
    const { messages, tools } = agentOf().state;
    return hooks.prepareNextTurn({ messages: messages.slice(), tools: tools.slice() }, signal);
  };
  return onlySet(hooks, {
    ...{ beforeToolCall, afterToolCall, finishTurn, prepareRequest, prepareNextTurn, prepareNextTurnWithContext },
    ...{ transformContext, convertToLlm, getApiKey },
  });
}

/** The hooks that the script sets, in the shapes that the loop functions take. They cannot do without `convertToLlm`. */
export function loopHooks(hooks: Hooks): Partial<AgentLoopConfig> & Pick<AgentLoopConfig, "convertToLlm"> {
  const { beforeToolCall, afterToolCall, finishTurn, prepareRequest, convertToLlm } = hooks;
  const { transformContext, getApiKey, getSteeringMessages, getFollowUpMessages } = hooks;
  return {
    ...onlySet(hooks, { beforeToolCall, afterToolCall, finishTurn, prepareRequest }),
    ...onlySet(hooks, { transformContext, getApiKey, getSteeringMessages, getFollowUpMessages }),
    ...(hooks.has("prepareNextTurnWithContext")
      ? { prepareNextTurn: (turn) => hooks.prepareNextTurnWithContext(turn) }
      : {}),
    convertToLlm,
  };
}

function onlySet<All extends { [name in HookName]?: unknown }>(hooks: Hooks, all: All): Partial<All> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => hooks.has(name as HookName))) as Partial<All>;
}
