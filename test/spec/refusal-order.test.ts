import { describe, expect, test } from "vitest";
import { runScenario } from "../../src/testing/run-scenario.ts";
import type { Scenario, Step } from "../../src/testing/scenario.ts";
import { turnwrightAgent } from "../../src/testing/turnwright-agent.ts";
import { PI_AGENT } from "../conformance/pi-agent.ts";

const EVENTS = ["agent_start", "turn_start", "message_start", "message_end", "turn_end", "agent_end"] as const;
const PROMPT: Step = { when: "start", do: "prompt", text: "p1" };
const SECONDS: readonly Step[] = [
  { when: "start", do: "prompt", text: "p2" },
  { when: "start", do: "continue" },
];

describe.each(SECONDS)("a second $do in the tick of the first prompt (A2, A3)", (second) => {
  test.each(EVENTS)("is refused as soon as in Pi: before or after a reset in %s alike", async (event) => {
    const reset: Step = { when: { event }, do: "reset" };
    const scenario: Scenario = { name: "refusal-order", model: [], host: [PROMPT, second, reset] };
    const pi = await runScenario(PI_AGENT, scenario);
    expect(pi.errors).toHaveLength(2);
    expect(await runScenario(turnwrightAgent({ profile: "pi-1.6" }), scenario)).toEqual(pi);
  });
});
