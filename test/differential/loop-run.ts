import type { AgentContext, AgentEvent, AgentLoopConfig, AgentMessage } from "@earendil-works/pi-agent-core";
import { VirtualTime } from "../../src/testing/virtual-time.ts";
import { carried } from "./agent-options.ts";
import { objectsOf } from "./agent-view.ts";
import { briefs } from "./brief.ts";
import { loopHooks } from "./hook-sets.ts";
import { Hooks } from "./hooks.ts";
import type { Implementation } from "./implementation.ts";
import { buildMessage, modelAt } from "./messages.ts";
import { scriptedModel } from "./model-script.ts";
import type { LoopProgram } from "./program.ts";
import { Recorder } from "./recorder.ts";
import { settles } from "./settles.ts";
import { textOfThrown } from "./thrown.ts";
import { type Stage, Toolbox } from "./tools.ts";
import { Triggers } from "./triggers.ts";
import { catchUnhandled } from "./unhandled.ts";

/** One run of a stateless function of the loop. */
export class LoopRun implements Stage {
  readonly time = new VirtualTime();
  readonly recorder = new Recorder();
  readonly #implementation: Implementation;
  readonly #program: LoopProgram;
  readonly #triggers: Triggers<LoopProgram["steps"][number]["act"]>;
  readonly #toolbox: Toolbox;
  readonly #context: AgentContext;
  readonly #controller = new AbortController();

  constructor(implementation: Implementation, program: LoopProgram) {
    this.#implementation = implementation;
    this.#program = program;
    this.#triggers = new Triggers(program.steps);
    this.#toolbox = new Toolbox(program, this);
    const { messages, tools } = program.context;
    this.#context = {
      messages: messages.map((spec) => buildMessage(spec, this.#toolbox.declare)),
      ...(tools ? { tools: this.#toolbox.pick(tools) } : {}),
    };
  }

  async run(): Promise<void> {
    let settled = false;
    const unhandled = catchUnhandled((reason) => this.recorder.outcome("unhandled rejection", textOfThrown(reason)));
    this.#arm();
    this.#start().then(
      (messages) => {
        this.recorder.outcome("resolved", messages);
        settled = true;
      },
      (reason: unknown) => {
        this.recorder.outcome("rejected", textOfThrown(reason));
        settled = true;
      },
    );
    this.recorder.final("settled", await settles(this.time, () => settled));
    unhandled.stop();
    this.recorder.final("context", this.#context.messages, this.#context.messages);
  }

  fire(point: string): void {
    for (const act of this.#triggers.at(point)) this.#perform(act);
  }

  #arm(): void {
    for (const { ticks, act } of this.#triggers.ticks(0)) void this.time.sleep(ticks).then(() => this.#perform(act));
    for (const act of this.#triggers.idle(0)) this.#perform(act);
  }

  #perform(act: LoopProgram["steps"][number]["act"]): void {
    if (act.do === "abort") this.#controller.abort();
    else this.#context.messages.push(buildMessage(act.message, this.#toolbox.declare));
    this.recorder.note(`did ${act.do}`, briefs(this.#context.messages));
  }

  async #start(): Promise<AgentMessage[]> {
    const { run, prompts } = this.#program;
    const config = this.#config();
    const signal = this.#program.signal ? this.#controller.signal : undefined;
    const model = scriptedModel(this.#program.replies, this);
    const first = prompts.map((spec) => buildMessage(spec, this.#toolbox.declare));
    const { runAgentLoop, runAgentLoopContinue, agentLoop, agentLoopContinue } = this.#implementation;
    switch (run) {
      case "runAgentLoop":
        return runAgentLoop(first, this.#context, config, this.#emit, signal, model);
      case "runAgentLoopContinue":
        return runAgentLoopContinue(this.#context, config, this.#emit, signal, model);
      case "agentLoop":
        return this.#consume(agentLoop(first, this.#context, config, signal, model));
      case "agentLoopContinue":
        return this.#consume(agentLoopContinue(this.#context, config, signal, model));
    }
  }

  readonly #emit = (event: AgentEvent): Promise<void> | void => {
    this.recorder.note(`emit ${event.type}`, event, objectsOf(event));
    this.fire(event.type);
    const sleeps = this.#program.emit.sleeps[event.type];
    if (sleeps !== undefined) return sleeps === 0 ? Promise.resolve() : this.time.sleep(sleeps);
  };

  /** Reads a stream to its end. It may lag behind the loop, so its events are put with the outcomes. */
  async #consume(stream: AsyncIterable<AgentEvent> & { result(): Promise<AgentMessage[]> }): Promise<AgentMessage[]> {
    for await (const event of stream) this.recorder.outcome(`stream ${event.type}`, event);
    return stream.result();
  }

  #config(): AgentLoopConfig {
    const { model, thinking, apiKey, extras = {}, toolExecution, hooks } = this.#program;
    return {
      model: modelAt(model),
      ...carried(extras),
      ...(thinking === undefined || thinking === "off" ? {} : { reasoning: thinking }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(toolExecution === undefined ? {} : { toolExecution }),
      ...loopHooks(new Hooks(hooks, this, this.#toolbox)),
    };
  }
}
