import type { AgentEvent, AgentMessage } from "@earendil-works/pi-agent-core";
import { editInPlace } from "./agent-view.ts";
import type { AgentHooks } from "./hook-sets.ts";
import type { AgentPort } from "./implementation.ts";
import { buildMessage, images, modelAt } from "./messages.ts";
import type { Act, MessageSpec, PromptInput } from "./program.ts";
import type { Recorder } from "./recorder.ts";
import type { Toolbox } from "./tools.ts";

/** What acts work on. */
export interface Hand {
  readonly agent: AgentPort;
  readonly toolbox: Toolbox;
  readonly hooks: AgentHooks;
  readonly recorder: Recorder;
  subscribe(listener: number): void;
  unsubscribe(listener: number): void;
  /** Writes down how the promise settles, then performs `after`. */
  watch(label: string, promise: Promise<void>, after: readonly Act[] | undefined): void;
}

type Doing = { [Name in Act["do"]]: (hand: Hand, act: Extract<Act, { do: Name }>, event?: AgentEvent) => void };

const DOING: Doing = {
  prompt: (hand, { input, after }) => hand.watch("prompt", prompt(hand, input), after),
  continue: (hand, { after }) => hand.watch("continue", hand.agent.continue(), after),
  waitForIdle: (hand, { after }) => hand.watch("waitForIdle", hand.agent.waitForIdle(), after),
  steer: (hand, { message, twice }) => enqueue(hand, "steer", message, twice),
  followUp: (hand, { message, twice }) => enqueue(hand, "followUp", message, twice),
  abort: ({ agent }) => agent.abort(),
  clearSteering: ({ agent }) => agent.clearSteeringQueue(),
  clearFollowUp: ({ agent }) => agent.clearFollowUpQueue(),
  clearAll: ({ agent }) => agent.clearAllQueues(),
  reset: ({ agent }) => agent.reset(),
  peek: ({ agent, recorder }) => recorder.note("peeked", agent.peekQueuedMessages(), agent.peekQueuedMessages()),
  editMessage: (_hand, _act, event) => {
    if (event !== undefined && "message" in event) editInPlace(event.message);
  },
  steeringMode: ({ agent }, { mode }) => {
    agent.steeringMode = mode;
  },
  followUpMode: ({ agent }, { mode }) => {
    agent.followUpMode = mode;
  },
  toolExecution: ({ agent }, { mode }) => {
    agent.toolExecution = mode;
  },
  setTools: ({ agent, toolbox }, { tools }) => {
    agent.state.tools = toolbox.pick(tools);
  },
  pushTool: ({ agent, toolbox }, { tool }) => {
    agent.state.tools.push(toolbox.at(tool));
  },
  setMessages: (hand, { edit, add = [] }) => {
    hand.agent.state.messages = [
      ...kept(hand.agent.state.messages, edit),
      ...add.map((spec) => buildMessage(spec, hand.toolbox.declare)),
    ];
  },
  pushMessage: ({ agent, toolbox }, { message }) => {
    agent.state.messages.push(buildMessage(message, toolbox.declare));
  },
  setModel: ({ agent }, { model }) => {
    agent.state.model = modelAt(model);
  },
  setThinking: ({ agent }, { level }) => {
    agent.state.thinkingLevel = level;
  },
  setHook: ({ agent, hooks }, { hook, on }) => {
    Object.assign(agent, { [hook]: on ? hooks[hook] : undefined });
  },
  setSessionId: ({ agent }, { id }) => {
    agent.sessionId = id;
  },
  subscribe: (hand, { listener }) => hand.subscribe(listener),
  unsubscribe: (hand, { listener }) => hand.unsubscribe(listener),
};

/** Performs one act now. `event` is what the listener hears in which the act is performed. Throws what the agent throws. */
export function perform<Name extends Act["do"]>(hand: Hand, act: Extract<Act, { do: Name }>, event?: AgentEvent): void {
  const doing: (hand: Hand, act: Extract<Act, { do: Name }>, event?: AgentEvent) => void = DOING[act.do as Name];
  doing(hand, act, event);
}

function enqueue({ agent, toolbox }: Hand, queue: "steer" | "followUp", spec: MessageSpec, twice = false): void {
  const message = buildMessage(spec, toolbox.declare);
  agent[queue](message);
  if (twice) agent[queue](message);
}

function prompt({ agent, toolbox }: Hand, input: PromptInput): Promise<void> {
  if ("message" in input) return agent.prompt(buildMessage(input.message, toolbox.declare));
  if ("messages" in input) return agent.prompt(input.messages.map((spec) => buildMessage(spec, toolbox.declare)));
  return input.images === undefined ? agent.prompt(input.text) : agent.prompt(input.text, images(input.images));
}

function kept(messages: AgentMessage[], edit: Extract<Act, { do: "setMessages" }>["edit"]): AgentMessage[] {
  if (edit === "empty") return [];
  if (edit === "systemOnly") return messages.filter((message) => message.role === "system");
  if (edit === "copy") return messages;
  return edit === "dropFirst" ? messages.slice(1) : messages.slice(0, -1);
}
