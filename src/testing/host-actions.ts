import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { ScenarioAgent } from "./agent-under-test.ts";
import type { Step } from "./scenario.ts";

/** What a scenario's host can do with its agent; a `throw` step does nothing with it. */
export type HostAction = Exclude<Step["do"], "throw">;

type Act = (agent: ScenarioAgent, step: Step) => unknown;

/** How each action is done. */
export const HOST_ACTIONS: Readonly<Record<HostAction, Act>> = {
  prompt: (agent, step) => agent.prompt(userMessage(step)),
  continue: (agent) => agent.continue(),
  steer: (agent, step) => agent.steer(userMessage(step)),
  followUp: (agent, step) => agent.followUp(userMessage(step)),
  abort: (agent) => agent.abort(),
  clearSteering: (agent) => agent.clearSteeringQueue(),
  clearFollowUp: (agent) => agent.clearFollowUpQueue(),
  clearAll: (agent) => agent.clearAllQueues(),
  steeringMode: (agent, { mode }) => {
    if (mode) agent.steeringMode = mode;
  },
  followUpMode: (agent, { mode }) => {
    if (mode) agent.followUpMode = mode;
  },
  reset: (agent) => agent.reset(),
};

function userMessage({ text = "" }: Step): AgentMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: 0 };
}
