import type { AgentContext } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, ToolCall } from "@earendil-works/pi-ai";
import { VirtualTime } from "../../src/testing/virtual-time.ts";
import { Hooks } from "./hooks.ts";
import type { Implementation } from "./implementation.ts";
import { buildMessage } from "./messages.ts";
import type { ToolCallProgram } from "./program.ts";
import { Recorder } from "./recorder.ts";
import { settles } from "./settles.ts";
import { textOfThrown } from "./thrown.ts";
import { type Stage, Toolbox } from "./tools.ts";
import { Triggers } from "./triggers.ts";

/** One run of `runToolCall`. */
export class ToolCallRun implements Stage {
  readonly time = new VirtualTime();
  readonly recorder = new Recorder();
  readonly #implementation: Implementation;
  readonly #program: ToolCallProgram;
  readonly #triggers: Triggers<ToolCallProgram["steps"][number]["act"]>;
  readonly #controller = new AbortController();

  constructor(implementation: Implementation, program: ToolCallProgram) {
    this.#implementation = implementation;
    this.#program = program;
    this.#triggers = new Triggers(program.steps);
  }

  async run(): Promise<void> {
    let settled = false;
    for (const { ticks, act } of this.#triggers.ticks(0)) void this.time.sleep(ticks).then(() => this.#perform(act));
    for (const act of this.#triggers.idle(0)) this.#perform(act);
    this.#start().then(
      (outcome) => {
        this.recorder.outcome("resolved", outcome);
        settled = true;
      },
      (reason: unknown) => {
        this.recorder.outcome("rejected", textOfThrown(reason));
        settled = true;
      },
    );
    this.recorder.final("settled", await settles(this.time, () => settled));
  }

  fire(point: string): void {
    for (const act of this.#triggers.at(point)) this.#perform(act);
  }

  #perform(act: ToolCallProgram["steps"][number]["act"]): void {
    if (act.do === "abort") this.#controller.abort();
    this.recorder.note(`did ${act.do}`, {});
  }

  async #start() {
    const { call, hooks: scripts } = this.#program;
    const toolbox = new Toolbox(this.#program, this, [call]);
    const hooks = new Hooks(scripts, this, toolbox);
    const tools = toolbox.pick(this.#program.tools);
    const toolCall = {
      type: "toolCall",
      id: call.id,
      name: call.tool,
      arguments: structuredClone(call.args),
    } as ToolCall;
    const spec = { role: "assistant" as const, text: "calls", stop: "toolUse" as const };
    const assistantMessage = { ...(buildMessage(spec, toolbox.declare) as AssistantMessage), content: [toolCall] };
    const context: AgentContext = { messages: [assistantMessage], tools };
    return this.#implementation.runToolCall(toolCall, {
      tools,
      assistantMessage,
      context,
      ...(this.#program.signal ? { signal: this.#controller.signal } : {}),
      ...(hooks.has("beforeToolCall") ? { beforeToolCall: hooks.beforeToolCall } : {}),
      ...(hooks.has("afterToolCall") ? { afterToolCall: hooks.afterToolCall } : {}),
      ...(this.#program.onUpdate ? { onUpdate: (partial) => this.recorder.note("update", partial) } : {}),
    });
  }
}
