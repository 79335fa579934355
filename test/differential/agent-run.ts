import type { AgentEvent } from "@earendil-works/pi-agent-core";
import type { VirtualTime } from "../../src/testing/virtual-time.ts";
import { type Hand, perform } from "./acts.ts";
import { agentOptions } from "./agent-options.ts";
import { look, objectsOf } from "./agent-view.ts";
import { type AgentHooks, agentHooks } from "./hook-sets.ts";
import { Hooks } from "./hooks.ts";
import type { AgentPort, Implementation } from "./implementation.ts";
import type { Act, AgentScript, ListenerSpec } from "./program.ts";
import { Recorder } from "./recorder.ts";
import { textOfThrown } from "./thrown.ts";
import { type Stage, Toolbox } from "./tools.ts";
import { Triggers } from "./triggers.ts";

type Listener = Parameters<AgentPort["subscribe"]>[0];

/**
 * A promise that settles while another run goes on does so some promise reactions into that run. How many is nobody's
 * promise, so what follows waits until nothing else can run, and meets no sleeper there.
 */
const BETWEEN_TICKS = 0.5;

/** One agent that lives through its script. */
export class AgentRun implements Stage, Hand {
  readonly time: VirtualTime;
  readonly recorder = new Recorder();
  readonly agent: AgentPort;
  readonly toolbox: Toolbox;
  readonly hooks: AgentHooks;
  readonly #triggers: Triggers<Act>;
  readonly #listeners: Listener[];
  readonly #unsubscribe = new Map<number, () => void>();
  #operations = 0;
  #unsettled = 0;

  constructor(implementation: Implementation, script: AgentScript, time: VirtualTime) {
    this.time = time;
    this.#triggers = new Triggers(script.steps);
    this.toolbox = new Toolbox(script, this);
    this.hooks = agentHooks(new Hooks(script.hooks, this, this.toolbox), () => this.agent);
    this.agent = implementation.createAgent(agentOptions(script, this, this.toolbox, this.hooks));
    this.#listeners = script.listeners.map((spec, index) => this.#listener(spec, index));
    for (const index of script.subscribed) this.subscribe(index);
  }

  get lastPhase(): number {
    return this.#triggers.lastPhase;
  }

  get settled(): boolean {
    return this.#unsettled === 0 && !this.agent.state.isStreaming;
  }

  fire(point: string): void {
    for (const act of this.#triggers.at(point)) this.#perform(act);
  }

  startPhase(phase: number): void {
    this.recorder.note(`phase ${phase}`, look(this.agent), this.agent.state.messages);
    for (const { ticks, act } of this.#triggers.ticks(phase))
      void this.time.sleep(ticks).then(() => this.#perform(act));
    for (const act of this.#triggers.idle(phase)) this.#perform(act);
  }

  /** Writes down what is left, emptying the queues to see all of both. */
  finish(settled: boolean): void {
    const { agent, recorder } = this;
    recorder.final("settled", settled);
    recorder.final("state", look(agent), agent.state.messages);
    recorder.final("messages", agent.state.messages);
    agent.steeringMode = "all";
    agent.followUpMode = "all";
    recorder.final("queue, steering first", agent.peekQueuedMessages());
    agent.clearSteeringQueue();
    recorder.final("queue, follow-ups", agent.peekQueuedMessages());
    agent.clearAllQueues();
    recorder.final("queue, cleared", agent.hasQueuedMessages());
  }

  subscribe(index: number): void {
    const listener = this.#listeners[index % this.#listeners.length];
    if (listener !== undefined) this.#unsubscribe.set(index, this.agent.subscribe(listener));
  }

  unsubscribe(index: number): void {
    this.#unsubscribe.get(index)?.();
  }

  watch(label: string, promise: Promise<void>, after: readonly Act[] = []): void {
    const name = `${label} ${++this.#operations}`;
    this.#unsettled++;
    const settle = async (outcome: string) => {
      if (this.agent.state.isStreaming) await this.time.sleep(BETWEEN_TICKS);
      this.recorder.outcome(name, outcome);
      for (const act of after) this.#perform(act);
      this.#unsettled--;
    };
    promise.then(
      () => settle("resolved"),
      (reason: unknown) => settle(`rejected: ${textOfThrown(reason)}`),
    );
  }

  #listener(spec: ListenerSpec, index: number): Listener {
    return (event, signal) => {
      this.#hear(index, event, signal);
      const sleeps = spec.sleeps[event.type];
      if (sleeps === undefined) return undefined;
      return this.#answerLater(`L${index} answers ${event.type}`, sleeps);
    };
  }

  #hear(index: number, event: AgentEvent, signal: AbortSignal): void {
    const seen = { event, aborted: signal.aborted, own: signal === this.agent.signal, state: look(this.agent) };
    this.recorder.note(`L${index} ${event.type}`, seen, objectsOf(event));
    for (const act of this.#triggers.at(event.type, index)) this.#perform(act, event);
  }

  async #answerLater(label: string, ticks: number): Promise<void> {
    if (ticks === 0) return;
    await this.time.sleep(ticks);
    this.recorder.note(label, {});
  }

  #perform(act: Act, event?: AgentEvent): void {
    try {
      perform(this, act, event);
      this.recorder.note(`did ${act.do}`, look(this.agent));
    } catch (refusal) {
      this.recorder.note(`refused ${act.do}`, textOfThrown(refusal));
    }
  }
}
