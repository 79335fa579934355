import { Agent, type AgentEvent, type AgentMessage, type AgentOptions } from "@earendil-works/pi-agent-core";
import type { Implementation } from "./implementation.ts";
import { PI } from "./implementation-pi.ts";
import { interpret } from "./interpreter.ts";
import type { Program } from "./program.ts";

interface Insides {
  steeringQueue: { drain(): AgentMessage[] };
  followUpQueue: { drain(): AgentMessage[] };
  processEvents(event: AgentEvent): Promise<void>;
}

/** Counts in how many programs the situations come up that the rules speak of. */
export class Coverage {
  readonly #programs = new Map<string, number>();
  readonly #seen = new Set<string>();
  readonly #probe: Implementation = { ...PI, name: "pi, watched", createAgent: (options) => this.#watch(options) };

  /** Runs the program on the real Pi and notes what came up. */
  async add(program: Program): Promise<void> {
    this.#seen.clear();
    for (const { trace, outcomes, final } of await interpret(this.#probe, program)) {
      for (const { what, data } of trace) if (what.startsWith("refused")) this.#saw(`${what}: ${data}`);
      for (const { what, data } of outcomes) {
        const refusal = /^"rejected: (.*)"$/.exec(data)?.[1];
        if (refusal !== undefined) this.#saw(`${what.replace(/\d+/, "")}refused: ${refusal}`);
      }
      if (final.some(({ what, data }) => what === "settled" && data === "false")) this.#saw("never settles");
    }
    this.#saw(program.kind === "loop" ? program.run : program.kind);
    for (const situation of this.#seen) this.#programs.set(situation, (this.#programs.get(situation) ?? 0) + 1);
  }

  /** Situations with the number of programs that had them. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#programs].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #saw(situation: string): void {
    this.#seen.add(situation);
  }

  #watch(options: AgentOptions): Agent {
    const agent = new Agent(options);
    const watched = new WatchedRun((situation) => this.#saw(situation));
    const insides = agent as unknown as Insides;
    const { steeringQueue, followUpQueue } = insides;
    const [drainSteering, drainFollowUp] = [
      steeringQueue.drain.bind(steeringQueue),
      followUpQueue.drain.bind(followUpQueue),
    ];
    steeringQueue.drain = () => watched.drained("steer", agent.signal !== undefined, drainSteering());
    followUpQueue.drain = () => watched.drained("follow-up", agent.signal !== undefined, drainFollowUp());
    const [emit, abort] = [insides.processEvents.bind(insides), agent.abort.bind(agent)];
    insides.processEvents = (event) => {
      watched.heard(event);
      return emit(event);
    };
    agent.abort = () => {
      watched.aborted(agent.signal !== undefined);
      abort();
    };
    return agent;
  }
}

/** Reads the situation of one agent off its events and its drains. */
class WatchedRun {
  readonly #saw: (situation: string) => void;
  #turn = 0;
  #drains = 0;
  #last = "agent_end";
  #ended = 0;
  #started = new Set<string>();
  #injected = 0;

  constructor(saw: (situation: string) => void) {
    this.#saw = saw;
  }

  drained<Message>(queue: string, running: boolean, messages: Message[]): Message[] {
    this.#drains++;
    if (messages.length > 0) {
      const point = queue === "steer" ? this.#steeringPoint(running) : running ? "P3" : "P4";
      this.#saw(`drain ${point} ${queue}${messages.length > 1 ? " several" : ""}`);
    }
    return messages;
  }

  aborted(running: boolean): void {
    this.#saw(running ? `abort after ${this.#last}` : "abort while idle");
  }

  heard(event: AgentEvent): void {
    this.#last = event.type;
    switch (event.type) {
      case "agent_start":
        this.#turn = 0;
        break;
      case "turn_start":
        this.#turn++;
        this.#injected = 0;
        this.#started.clear();
        if (this.#turn > 1) this.#saw(`turn ${Math.min(this.#turn, 6)}`);
        break;
      case "message_end":
        this.#heardMessage(event.message);
        break;
      case "tool_execution_start":
        if (this.#started.has(event.toolCallId)) this.#saw("batch repeats an id");
        this.#started.add(event.toolCallId);
        break;
      case "tool_execution_update":
        this.#saw("tool update");
        break;
      case "tool_execution_end":
        this.#heardEnd(event.durationMs !== undefined, event.result);
        break;
      case "turn_end":
        this.#drains = 0;
        if (event.toolResults.length > 1) this.#saw("batch of several");
        break;
    }
  }

  #steeringPoint(running: boolean): string {
    if (!running || this.#last === "agent_end") return "P4";
    if (this.#last === "turn_end") return this.#drains === 1 ? "P1" : "P2";
    return "P0";
  }

  #heardMessage(message: AgentMessage): void {
    if (message.role === "assistant") {
      this.#saw(`assistant stops: ${message.stopReason}`);
      if (this.#turn > 1 && this.#injected === 0) this.#saw("turn without injected messages");
      if (message.usage.totalTokens === 0) this.#saw(`failure: ${message.errorMessage}`);
      return;
    }
    if (message.role !== "toolResult") this.#injected++;
    if (message.role === "system" && (message.toolsAdded || message.toolsRemoved)) this.#saw("tools declared in a run");
    if (message.role === "system" && message.sections) this.#saw("prompt sections in a run");
  }

  #heardEnd(ran: boolean, result: { content?: { text?: string }[]; terminate?: boolean }): void {
    const text = result.content?.[0]?.text ?? "";
    if (result.terminate === true) this.#saw("result terminates");
    if (!ran) this.#saw(`not run: ${text.replace(/"[^"]*"|ghost|work|read|edit/g, "…").split("\n")[0]}`);
    if (!ran) return;
    if (this.#ended > 0) this.#saw("parallel ends in one tick");
    this.#ended++;
    setImmediate(() => this.#ended--);
  }
}
