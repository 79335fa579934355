import { describe, expect, test } from "vitest";
import { runScenario } from "../../src/testing/run-scenario.ts";
import { turnwrightAgent } from "../../src/testing/turnwright-agent.ts";
import { recordedCases } from "./recordings.ts";

describe.each([
  ["handwritten", 36],
  ["generated", 300],
] as const)("profile pi-1.6 does what Pi did in the %s recordings", (name, count) => {
  const cases = recordedCases(name);

  test(`there are ${count}`, () => {
    expect(cases).toHaveLength(count);
  });

  test.each(cases)("$scenario.name", async ({ scenario, expected }) => {
    expect(expected).toBeDefined();
    expect(await runScenario(turnwrightAgent({ profile: "pi-1.6" }), scenario)).toStrictEqual(expected);
  });
});
