import type { AgentTool, AgentToolResult, AgentToolUpdateCallback } from "@earendil-works/pi-agent-core";
import type { Tool } from "@earendil-works/pi-ai";
import type { VirtualTime } from "../../src/testing/virtual-time.ts";
import { images, USAGE } from "./messages.ts";
import type { Call, Point, ToolSpec, World } from "./program.ts";
import type { Recorder } from "./recorder.ts";
import { thrownValue } from "./thrown.ts";
import { PREPARE, SCHEMAS } from "./tool-catalogue.ts";

/** What scripted tools, hooks and models need of the run that they are part of. */
export interface Stage {
  readonly time: VirtualTime;
  readonly recorder: Recorder;
  /** Runs the steps that wait for this call of this point. */
  fire(point: Point): void;
}

/** The tools of a program: one object per catalogue entry, so that a redefinition is another object with the same name. */
export class Toolbox {
  readonly #tools: AgentTool[];
  readonly #calls: readonly Call[];
  readonly #runs = new Map<string, number>();
  readonly #stage: Stage;

  constructor(world: World, stage: Stage, extraCalls: readonly Call[] = []) {
    this.#stage = stage;
    const scripted = world.replies.flatMap((reply) => reply.blocks.flatMap((b) => (b.type === "call" ? [b.call] : [])));
    this.#calls = [...extraCalls, ...scripted];
    this.#tools = world.catalogue.map((spec) => this.#build(spec));
  }

  pick(indices: readonly number[]): AgentTool[] {
    return indices.map((index) => this.at(index));
  }

  at(index: number): AgentTool {
    const tool = this.#tools[index % this.#tools.length];
    if (tool === undefined) throw new Error("a program needs at least one tool in its catalogue");
    return tool;
  }

  /** A declaration as a host may write it into a system message. */
  readonly declare = (index: number): Tool => {
    const { name, description, parameters } = this.at(index);
    return { name, description, parameters };
  };

  #build(spec: ToolSpec): AgentTool {
    const execute = this.#execute.bind(this);
    const tool: AgentTool = {
      name: spec.name,
      label: spec.name,
      description: spec.description,
      parameters: structuredClone(SCHEMAS[spec.schema]),
      // A tool may be an object of a class, so it has to be called as a method.
      execute(this: unknown, id, args, signal, onUpdate) {
        return execute(spec, this === tool, id, args, signal, onUpdate);
      },
      ...(spec.prepare ? { prepareArguments: PREPARE[spec.prepare] } : {}),
      ...(spec.execution ? { executionMode: spec.execution } : {}),
    };
    return tool;
  }

  #execute(
    spec: ToolSpec,
    asMethod: boolean,
    id: string,
    args: unknown,
    signal: AbortSignal | undefined,
    onUpdate: AgentToolUpdateCallback | undefined,
  ): Promise<AgentToolResult> {
    const call = this.#next(id);
    this.#stage.recorder.note(`tool ${spec.name}`, { id, args, asMethod, aborted: signal?.aborted });
    this.#stage.fire("tool");
    // Pi awaits whatever a tool returns, so a tool written in plain JavaScript need not return a promise.
    if (call.sync) return this.#conclude(call) as unknown as Promise<AgentToolResult>;
    return this.#work(call, signal, onUpdate);
  }

  async #work(call: Call, signal: AbortSignal | undefined, onUpdate: AgentToolUpdateCallback | undefined) {
    const { time } = this.#stage;
    for (let n = 1; n <= (call.updates ?? 0); n++) {
      if (call.updateEvery) await time.sleep(call.updateEvery);
      onUpdate?.({ content: [{ type: "text", text: `${call.id}~${n}` }], details: { n } });
    }
    if (call.takes)
      await (call.honorsAbort ? Promise.race([time.sleep(call.takes), cancelled(signal)]) : time.sleep(call.takes));
    if (call.lateUpdate) {
      void time.sleep(1).then(() => onUpdate?.({ content: [{ type: "text", text: `${call.id} late` }], details: {} }));
    }
    return this.#conclude(call);
  }

  #conclude(call: Call): AgentToolResult {
    this.#stage.fire("toolEnd");
    if (call.throws) throw thrownValue(call.throws);
    return toolResult(call);
  }

  /** The script of this run of the call: ids may repeat, then each run takes the next of them. */
  #next(id: string): Call {
    const run = this.#runs.get(id) ?? 0;
    this.#runs.set(id, run + 1);
    const sameId = this.#calls.filter((call) => call.id === id);
    return sameId[Math.min(run, sameId.length - 1)] ?? { id, tool: "", args: {} };
  }
}

function cancelled(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(new Error("cancelled"));
    else signal?.addEventListener("abort", () => reject(new Error("cancelled")), { once: true });
  });
}

function toolResult(call: Call): AgentToolResult {
  const has = (extra: "details" | "usage" | "structured" | "image") => call.extras?.includes(extra) === true;
  const content = [{ type: "text" as const, text: call.result ?? `${call.id} ok` }, ...(has("image") ? images(1) : [])];
  const whole: AgentToolResult = {
    content,
    details: has("details") ? { of: call.id } : undefined,
    ...(has("usage") ? { usage: USAGE } : {}),
    ...(has("structured") ? { structuredContent: { of: call.id } } : {}),
    ...(call.isError === undefined ? {} : { isError: call.isError }),
    ...(call.terminate === undefined ? {} : { terminate: call.terminate }),
  };
  return misshape(call.shape, whole);
}

/** Results that TypeScript would refuse and plain JavaScript tools return. */
function misshape(shape: Call["shape"], whole: AgentToolResult): AgentToolResult {
  if (shape === undefined) return whole;
  const { content: _content, ...withoutContent } = whole;
  const shapes: Record<NonNullable<Call["shape"]>, unknown> = {
    noContent: withoutContent,
    nothing: undefined,
    string: "done",
  };
  return shapes[shape] as AgentToolResult;
}
