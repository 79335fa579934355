import { describe, expect, test } from "vitest";
import { runScenario, ScenarioRun } from "../../src/testing/run-scenario.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { StalledError } from "../../src/testing/stalled-error.ts";
import { PI_AGENT } from "../conformance/pi-agent.ts";

const PROMPT = { when: "start", do: "prompt", text: "go" } as const;

describe("the runner, where the recordings say nothing", () => {
  test("past the end of the script the model says so", async () => {
    const { final } = await runScenario(PI_AGENT, { name: "n", model: [], host: [PROMPT] });
    expect(final.messages).toEqual(["user:go", "assistant[stop]:(script exhausted)"]);
  });

  test("a repeated call id does what its last call says", async () => {
    const scenario: Scenario = {
      name: "n",
      model: [
        {
          calls: [
            { id: "c", tool: "work", result: "one" },
            { id: "c", tool: "work", result: "two", isError: true },
          ],
        },
        { text: "done" },
      ],
      host: [PROMPT],
    };
    const { final } = await runScenario(PI_AGENT, scenario);
    expect(final.messages.slice(2, 4)).toEqual(["toolResult(c)!:two", "toolResult(c)!:two"]);
  });

  test("names that every object has are names like others", async () => {
    const scenario: Scenario = {
      name: "n",
      model: [
        {
          calls: [
            { id: "constructor", tool: "work" },
            { id: "__proto__", tool: "work" },
          ],
        },
        { text: "done" },
      ],
      hooks: { beforeToolCall: {}, afterToolCall: {} },
      host: [PROMPT],
    };
    const { final } = await runScenario(PI_AGENT, scenario);
    expect(final.messages.slice(2, 4)).toEqual([
      "toolResult(constructor):constructor ok",
      "toolResult(__proto__):__proto__ ok",
    ]);
  });

  test("a listener that throws has done the other steps of its moment, those after the throw too", async () => {
    const when = { event: "agent_end" } as const;
    const host: Scenario["host"] = [PROMPT, { when, do: "throw", text: "boom" }, { when, do: "steer", text: "late" }];
    const { final } = await runScenario(PI_AGENT, { name: "n", model: [{ text: "a" }], host });
    expect(final.steering).toEqual(["late"]);
    expect(final.messages).toContain("assistant[error]:");
  });

  test("an agent that waits for ever is stalled, and the run tells how far it came", async () => {
    const deaf = { ...PI_AGENT, createStream: () => Object.assign(PI_AGENT.createStream(), { push() {}, end() {} }) };
    const run = new ScenarioRun(deaf, { name: "n", model: [{ text: "unheard", takes: 3 }], host: [PROMPT] });
    const error = await run.play().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StalledError);
    expect(error).toMatchObject({ code: "stalled", tick: 3 });
    expect(run.result()).toMatchObject({
      events: ["agent_start", "turn_start", "message_start user:go", "message_end user:go"],
      requests: [["user:go"]],
    });
  });
});
