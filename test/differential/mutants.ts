import { Agent, type AgentEvent, type AgentMessage, type AgentOptions } from "@earendil-works/pi-agent-core";
import type { Implementation } from "./implementation.ts";
import { PI } from "./implementation-pi.ts";

/** The parts of Pi's agent that the mutants break. */
interface Insides {
  steeringQueue: Queue;
  followUpQueue: Queue;
  processEvents(event: AgentEvent): Promise<void>;
  runPromptMessages(messages: AgentMessage[], options?: object): Promise<void>;
}
interface Queue {
  messages: AgentMessage[];
  mode: string;
  drain(): AgentMessage[];
}

/** One fault in an otherwise real Pi. */
export interface Mutant {
  /** What it does wrong, with the rule that forbids it. */
  fault: string;
  implementation: Implementation;
}

function mutant(fault: string, breakIt: (agent: Agent, insides: Insides) => void): Mutant {
  const createAgent = (options: AgentOptions) => {
    const agent = new Agent(options);
    breakIt(agent, agent as unknown as Insides);
    return agent;
  };
  return { fault, implementation: { ...PI, name: "mutant", createAgent } };
}

function mutantOfEvents(fault: string, change: (event: AgentEvent) => AgentEvent | undefined): Mutant {
  return mutant(fault, (_agent, insides) => {
    const emit = insides.processEvents.bind(insides);
    insides.processEvents = async (event) => {
      const changed = change(event);
      if (changed !== undefined) await emit(changed);
    };
  });
}

/** Faults that the comparison has to find: wrong order, lost and extra work, stale state, copies where Pi shares. */
export const MUTANTS: readonly Mutant[] = [
  mutant("the newest steer is delivered first (A9)", (_agent, { steeringQueue }) => {
    const drain = steeringQueue.drain.bind(steeringQueue);
    steeringQueue.drain = () => {
      steeringQueue.messages.reverse();
      return drain();
    };
  }),
  mutant("follow-ups ignore their queue mode (G7)", (_agent, { followUpQueue }) => {
    followUpQueue.drain = () => followUpQueue.messages.splice(0);
  }),
  mutant("the continuation with steers polls again at once (P4)", (_agent, insides) => {
    const run = insides.runPromptMessages.bind(insides);
    insides.runPromptMessages = (messages) => run(messages);
  }),
  mutant("abort clears the steering queue (A10)", (agent) => {
    const abort = agent.abort.bind(agent);
    agent.abort = () => {
      abort();
      agent.clearSteeringQueue();
    };
  }),
  mutant("reset keeps the follow-ups (A4)", (agent, insides) => {
    const reset = agent.reset.bind(agent);
    agent.reset = () => {
      const { messages } = insides.followUpQueue;
      reset();
      insides.followUpQueue.messages = messages;
    };
  }),
  mutant("a listener that is subscribed twice is called twice (A7)", (agent) => {
    const subscribe = agent.subscribe.bind(agent);
    agent.subscribe = (listener) => subscribe((event, signal) => listener(event, signal));
  }),
  mutant("images of a text prompt are lost (A2)", (agent) => {
    const prompt = agent.prompt.bind(agent) as (input: string, images?: unknown) => Promise<void>;
    agent.prompt = ((input: string) => prompt(input)) as Agent["prompt"];
  }),
  mutant("a busy prompt is refused with another text (A2)", (agent) => {
    const prompt = agent.prompt.bind(agent) as (...input: unknown[]) => Promise<void>;
    const refuse = () => Promise.reject(new Error("busy"));
    agent.prompt = ((...input: unknown[]) =>
      agent.state.isStreaming ? refuse() : prompt(...input)) as Agent["prompt"];
  }),
  mutant("a run sees tools that were changed after it began (L14)", (agent) => {
    agent.prepareRequest = ({ context }) => ({ context: { ...context, tools: agent.state.tools } });
  }),
  mutantOfEvents("message_end of an empty aborted reply is dropped (E9)", (event) =>
    event.type === "message_end" && event.message.role === "assistant" && event.message.stopReason === "aborted"
      ? undefined
      : event,
  ),
  mutantOfEvents("tool_execution_start shows a copy of the arguments (E8)", (event) =>
    event.type === "tool_execution_start" ? { ...event, args: structuredClone(event.args) } : event,
  ),
  mutantOfEvents("agent_end forgets the last message of the run (2.1)", (event) =>
    event.type === "agent_end" ? { ...event, messages: event.messages.slice(0, -1) } : event,
  ),
];
