import type { AgentOptions } from "@earendil-works/pi-agent-core";
import type { AgentHooks } from "./hook-sets.ts";
import { buildMessage, modelAt } from "./messages.ts";
import { scriptedModel } from "./model-script.ts";
import type { AgentScript, Extras } from "./program.ts";
import type { Stage, Toolbox } from "./tools.ts";

/** The options of the agent of a script. */
export function agentOptions(script: AgentScript, stage: Stage, toolbox: Toolbox, hooks: AgentHooks): AgentOptions {
  const { initial, extras = {} } = script;
  return {
    initialState: {
      tools: toolbox.pick(initial.tools),
      ...(initial.systemPrompt === undefined ? {} : { systemPrompt: initial.systemPrompt }),
      ...(initial.messages ? { messages: initial.messages.map((spec) => buildMessage(spec, toolbox.declare)) } : {}),
      ...(initial.model === undefined ? {} : { model: modelAt(initial.model) }),
      ...(initial.thinking === undefined ? {} : { thinkingLevel: initial.thinking }),
    },
    streamFn: scriptedModel(script.replies, stage),
    ...(script.steeringMode ? { steeringMode: script.steeringMode } : {}),
    ...(script.followUpMode ? { followUpMode: script.followUpMode } : {}),
    ...(script.toolExecution ? { toolExecution: script.toolExecution } : {}),
    ...carried(extras),
    ...hooks,
  };
}

/** Options that only travel to the stream function. */
export function carried({ callbacks, ...extras }: Extras) {
  const none = () => undefined;
  return { ...extras, ...(callbacks ? { onPayload: none, onResponse: none, onProviderStreamEvent: none } : {}) };
}
