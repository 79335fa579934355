import type { AgentEvent, AgentOptions } from "@earendil-works/pi-agent-core";
import type { AgentUnderTest, ScenarioAgent } from "./agent-under-test.ts";
import { briefs, textOf } from "./brief.ts";
import { eventLine } from "./event-line.ts";
import { HOST_ACTIONS, type HostAction } from "./host-actions.ts";
import { SCRIPTED_MODEL } from "./model-info.ts";
import type { Scenario, Step } from "./scenario.ts";
import type { ScenarioResult } from "./scenario-result.ts";
import { scriptedHooks } from "./scripted-hooks.ts";
import { ScriptedModel } from "./scripted-model.ts";
import { scriptedTools } from "./scripted-tools.ts";
import { VirtualTime } from "./virtual-time.ts";

/**
 * Runs a scenario to its end.
 *
 * @throws StalledError when the agent does not come to rest.
 */
export async function runScenario(subject: AgentUnderTest, scenario: Scenario): Promise<ScenarioResult> {
  const run = new ScenarioRun(subject, scenario);
  await run.play();
  return run.result();
}

/** A scenario on a new agent of its own. */
export class ScenarioRun<A extends ScenarioAgent = ScenarioAgent> {
  readonly agent: A;
  readonly #subject: AgentUnderTest<A>;
  readonly #host: readonly Step[];
  readonly #time = new VirtualTime();
  readonly #model: ScriptedModel;
  readonly #events: string[] = [];
  readonly #errors: string[] = [];
  readonly #counts = new Map<AgentEvent["type"], number>();
  #commandsOpen = 0;

  constructor(subject: AgentUnderTest<A>, scenario: Scenario) {
    this.#subject = subject;
    this.#host = scenario.host;
    this.#model = new ScriptedModel({
      replies: scenario.model,
      time: this.#time,
      createStream: () => subject.createStream(),
    });
    this.agent = subject.create(agentOptions(scenario, this.#model, this.#time), this.#time);
    this.agent.subscribe((event) => this.#hear(event));
  }

  /**
   * Plays the host's steps until nothing more happens. Call it once.
   *
   * @throws StalledError when the agent does not come to rest; `result()` then tells how far it came.
   */
  async play(): Promise<void> {
    const lastPhase = Math.max(0, ...this.#host.map(phaseOf));
    for (let phase = 0; phase <= lastPhase; phase++) {
      this.#actAll(this.#host.filter((step) => phaseOf(step) === phase));
      await this.#time.drive(() => this.#commandsOpen === 0 && !this.agent.state.isStreaming);
    }
  }

  /** What has happened so far. */
  result(): ScenarioResult {
    const { steering, followUp } = this.#subject.queued(this.agent);
    return {
      events: [...this.#events],
      requests: this.#model.requests.map((request) => [...request]),
      errors: [...this.#errors],
      final: {
        messages: briefs(this.agent.state.messages),
        steering: steering.map(textOf),
        followUp: followUp.map(textOf),
      },
    };
  }

  /** The one listener: writes the event down and does the steps of this moment; it throws last, if it is to throw. */
  #hear(event: AgentEvent): void {
    this.#events.push(eventLine(event));
    const nth = (this.#counts.get(event.type) ?? 0) + 1;
    this.#counts.set(event.type, nth);
    const due = this.#host.filter(({ when }) => isEvent(when) && when.event === event.type && (when.nth ?? 1) === nth);
    this.#actAll(due);
    const thrower = due.find((step) => step.do === "throw");
    if (thrower) throw new Error(thrower.text);
  }

  #actAll(steps: readonly Step[]): void {
    for (const step of steps) if (isAction(step)) this.#act(step);
  }

  /** Does a step and writes down what it is refused with. */
  #act(step: Step & { readonly do: HostAction }): void {
    const refuse = (error: unknown) =>
      this.#errors.push(`${step.do}: ${error instanceof Error ? error.message : error}`);
    try {
      const done = HOST_ACTIONS[step.do](this.agent, step);
      if (!(done instanceof Promise)) return;
      this.#commandsOpen += 1;
      done.catch(refuse).finally(() => {
        this.#commandsOpen -= 1;
      });
    } catch (error) {
      refuse(error);
    }
  }
}

function agentOptions(scenario: Scenario, model: ScriptedModel, time: VirtualTime): AgentOptions {
  const { queue = {}, toolExecution } = scenario;
  return {
    initialState: { model: SCRIPTED_MODEL, tools: scriptedTools(scenario, time) },
    streamFn: model.streamFn,
    ...(queue.steering ? { steeringMode: queue.steering } : {}),
    ...(queue.followUp ? { followUpMode: queue.followUp } : {}),
    ...(toolExecution ? { toolExecution } : {}),
    ...scriptedHooks(scenario.hooks),
  };
}

/** The phase in which a step of the host is done: 0 at the start, n after the n-th settling; -1 for steps of events. */
function phaseOf({ when }: Step): number {
  if (when === "start") return 0;
  return "idle" in when ? when.idle : -1;
}

function isEvent(when: Step["when"]): when is Extract<Step["when"], { event: unknown }> {
  return typeof when === "object" && "event" in when;
}

function isAction(step: Step): step is Step & { readonly do: HostAction } {
  return step.do !== "throw";
}
