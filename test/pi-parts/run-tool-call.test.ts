import { runToolCall as runInPi } from "@earendil-works/pi-agent-core";
import { test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { runToolCall } from "../../src/pi/run-tool-call.ts";
import { hop, hopsUntilSettled } from "./hops.ts";
import { assistantMessage, toolCall } from "./messages.ts";
import { type CallProgram, CallStage, callProgramArb } from "./tool-call-programs.ts";

/** All that can be seen of a call, the microtask in which it settles included. */
async function observe(run: typeof runInPi, program: CallProgram): Promise<unknown> {
  const stage = new CallStage(program);
  const running = run(stage.toolCall, stage.options);
  const hops = await hopsUntilSettled(running);
  const outcome = stage.brief(await running);
  await hop(8);
  return { hops, outcome, seen: stage.seen };
}

describe("T2, T3, T7, T8: runToolCall", () => {
  test.prop([callProgramArb], { numRuns: 2500 })(
    "does what Pi does and settles in the same microtask",
    async (program) => {
      expect(await observe(runToolCall, program)).toStrictEqual(await observe(runInPi, program));
    },
  );

  test.prop([callProgramArb], { numRuns: 500 })(
    "settles before or after Pi's by who was started first, and by nothing else",
    async (program) => {
      for (const runners of [
        [runToolCall, runInPi],
        [runInPi, runToolCall],
      ]) {
        const settled: typeof runners = [];
        const running = runners.map((run) => {
          const stage = new CallStage(program);
          return run(stage.toolCall, stage.options).then(() => settled.push(run));
        });
        await Promise.all(running);
        expect(settled).toEqual(runners);
      }
    },
  );

  it("takes the tools of the context when it is given none", async () => {
    const stage = new CallStage(PLAIN);
    const { tools: _, ...withoutTools } = stage.options;
    const outcome = await runToolCall(stage.toolCall, withoutTools as typeof stage.options);
    expect(outcome.result.content).toEqual([{ type: "text", text: "done" }]);
  });

  it("calls a tool and its hooks as methods, as Pi does", async () => {
    const receivers: unknown[] = [];
    const tool = {
      name: "work",
      label: "",
      description: "",
      parameters: {},
      async execute() {
        receivers.push(this);
        return { content: [], details: undefined };
      },
    };
    const options = {
      tools: [tool],
      assistantMessage: assistantMessage(),
      context: { messages: [] },
      async beforeToolCall() {
        receivers.push(this);
        return undefined;
      },
      async afterToolCall() {
        receivers.push(this);
        return undefined;
      },
    };
    await runToolCall(toolCall(), options);
    expect(receivers).toEqual([options, tool, options]);
  });
});

const PLAIN: CallProgram = {
  name: "work",
  args: { n: 1 },
  argumentsError: undefined,
  signal: "none",
  prepareArguments: undefined,
  tool: {
    isAsync: true,
    hops: 1,
    updates: 0,
    lateUpdates: false,
    aborts: undefined,
    returns: "plain",
    throws: undefined,
  },
  sink: { given: false, hops: undefined },
  before: undefined,
  after: undefined,
};
