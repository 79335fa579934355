import {
  type AgentEvent,
  type AgentMessage,
  type AgentTool,
  Agent as PiAgent,
  type StreamFn,
} from "@earendil-works/pi-agent-core";
import { Agent } from "../../src/pi/agent.ts";
import type { AgentOptions } from "../../src/pi/agent-options.ts";
import { createAssistantMessageEventStream } from "../../src/pi/event-stream.ts";
import { briefs, textOf } from "../../src/testing/brief.ts";
import { eventLine } from "../../src/testing/event-line.ts";
import { SCRIPTED_MODEL } from "../../src/testing/model-info.ts";
import type { Reply } from "../../src/testing/scenario.ts";
import { playReply } from "../../src/testing/scripted-reply.ts";
import { scriptedTools } from "../../src/testing/scripted-tools.ts";
import { VirtualTime } from "../../src/testing/virtual-time.ts";

/** Whose agent: the real Pi's, or ours in one of its profiles. */
export type Kind = "Pi" | "pi-1.6" | "strict";

/** Rules that all keep are tried on Pi, too: a test that Pi itself fails states the rule wrongly. */
export const ALL: readonly Kind[] = ["Pi", "pi-1.6", "strict"];
/** Rules of our own, and rules that Pi breaks. */
export const OURS: readonly Exclude<Kind, "Pi">[] = ["pi-1.6", "strict"];

/** What Pi's agent and ours have in common. */
export type AnyAgent = Pick<
  Agent,
  Exclude<keyof PiAgent, "steer" | "followUp" | "abort" | "reset" | `clear${string}`>
> &
  Record<"steer" | "followUp", (message: AgentMessage) => unknown> &
  Record<"abort" | "reset" | "clearSteeringQueue" | "clearFollowUpQueue" | "clearAllQueues", () => unknown>;

export interface HostOptions extends Omit<AgentOptions, "streamFn" | "initialState" | "profile"> {
  /** The k-th request gets the k-th reply, past the end `(script exhausted)`; or what follows from the conversation. */
  readonly model?: readonly (Reply | StreamFn)[] | ((conversation: readonly string[]) => Reply);
  /** Default: one tool, `work`, that does what the replies say of its calls. */
  readonly tools?: readonly AgentTool[];
  readonly messages?: readonly AgentMessage[];
  readonly systemPrompt?: string;
}

/** A program that embeds an agent: it writes down what it hears, and acts when it is told to. */
export class Host<A extends AnyAgent = AnyAgent> {
  readonly agent: A;
  readonly time: VirtualTime;
  /** Every event as a line. */
  readonly lines: string[] = [];
  readonly events: AgentEvent[] = [];
  /** For each request, what the model was given. */
  readonly requests: readonly string[][];
  readonly #queued: (agent: A) => AgentMessage[];
  readonly #acts: { type: AgentEvent["type"]; left: number; act: () => unknown }[] = [];

  constructor(agent: A, queued: (agent: A) => AgentMessage[], time: VirtualTime, requests: readonly string[][]) {
    this.agent = agent;
    this.#queued = queued;
    this.time = time;
    this.requests = requests;
    agent.subscribe((event) => this.#hear(event));
  }

  /** Acts inside the listener at the nth event of a type from now on, and lets the agent wait for it. */
  on(type: AgentEvent["type"], act: () => unknown, nth = 1): this {
    this.#acts.push({ type, left: nth, act });
    return this;
  }

  /** Lets virtual time pass until this is done. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    await this.time.drive(() => isDone);
    return work;
  }

  prompt(text = "p"): Promise<void> {
    return this.until(this.agent.prompt(user(text)));
  }

  /** The lines of these event types. */
  only(...types: readonly AgentEvent["type"][]): string[] {
    return this.lines.filter((line) => types.some((type) => line === type || line.startsWith(`${type} `)));
  }

  /** The messages that were told, in order, at their ends. */
  get told(): string[] {
    return this.only("message_end").map((line) => line.slice("message_end ".length));
  }

  /** The transcript. */
  get transcript(): string[] {
    return briefs(this.agent.state.messages);
  }

  /** What is queued: first steering, then follow-ups. */
  get leftovers(): string[] {
    return this.#queued(this.agent).map(textOf);
  }

  async #hear(event: AgentEvent): Promise<void> {
    this.events.push(event);
    this.lines.push(eventLine(event));
    const due = this.#acts.filter(({ type }) => type === event.type);
    for (const act of due) act.left -= 1;
    await Promise.all(due.filter(({ left }) => left === 0).map(({ act }) => act()));
  }
}

/** A host with an agent of this kind. */
export function host(kind: Kind, options: HostOptions = {}): Host {
  if (kind !== "Pi") return ourHost(kind, options) as unknown as Host;
  const { agentOptions, time, requests } = parts(options);
  const agent = new PiAgent(agentOptions) as unknown as AnyAgent & PiQueues;
  const queued = () => [...agent.steeringQueue.messages, ...agent.followUpQueue.messages];
  return new Host<AnyAgent>(agent, queued, time, requests);
}

/** A host with an agent of ours. */
export function ourHost(kind: Exclude<Kind, "Pi">, options: HostOptions = {}): Host<Agent> {
  const { agentOptions, time, requests } = parts(options);
  return new Host(new Agent({ ...agentOptions, profile: kind, clock: time.asClock() }), ourQueues, time, requests);
}

/** A host that takes over a log. */
export function resumedHost(records: Iterable<unknown>, options: HostOptions = {}): Host<Agent> {
  const { agentOptions, time, requests } = parts(options);
  const agent = Agent.resume(records, { ...agentOptions, clock: time.asClock() });
  return new Host(agent, ourQueues, time, requests);
}

/** Pi's queues cannot be read from outside: its own fields are. */
type PiQueues = Record<"steeringQueue" | "followUpQueue", { readonly messages: AgentMessage[] }>;

function ourQueues(agent: Agent): AgentMessage[] {
  const { steering, followUp } = agent.queued();
  return [...steering, ...followUp].map(({ message }) => message);
}

export function user(text: string): AgentMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: 0 };
}

/** A real tool that does this. */
export function tool(
  name: string,
  execute: AgentTool["execute"],
  more: Partial<Omit<AgentTool, "name" | "execute">> = {},
): AgentTool {
  return { name, label: name, description: name, parameters: { type: "object", properties: {} }, execute, ...more };
}

/** A tool that writes its calls down, and does nothing else. */
export function notingTool(calls: unknown[], noted: (id: string, args: unknown) => unknown = (id) => id): AgentTool {
  return tool("work", async (id, args) => {
    calls.push(noted(id, args));
    return text(`${id} ok`);
  });
}

/** What a tool gives back. */
export function text(content: string) {
  return { content: [{ type: "text" as const, text: content }], details: {} };
}

function parts({ model = [], tools, messages = [], systemPrompt, ...options }: HostOptions) {
  const time = new VirtualTime();
  const requests: string[][] = [];
  const streamFn: StreamFn = (modelInfo, context, streamOptions) => {
    const conversation = briefs(context.messages as readonly AgentMessage[]);
    const scripted = typeof model === "function" ? model(conversation) : model[requests.length];
    const reply = scripted ?? { text: "(script exhausted)" };
    requests.push(conversation);
    if (typeof reply === "function") return reply(modelInfo, context, streamOptions);
    if (reply.throws) throw new Error(reply.throws);
    const stream = createAssistantMessageEventStream(time.asClock());
    void playReply({ reply, time, stream, signal: streamOptions?.signal });
    return stream;
  };
  const replies = typeof model === "function" ? [] : model.filter((reply) => typeof reply !== "function");
  const initialState = {
    model: SCRIPTED_MODEL,
    tools: tools ? [...tools] : scriptedTools({ name: "", model: replies, host: [] }, time),
    messages: [...messages],
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
  };
  return { agentOptions: { ...options, initialState, streamFn }, time, requests };
}
