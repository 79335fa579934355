import { describe, expect, test } from "vitest";
import { runScenario } from "../../src/testing/run-scenario.ts";
import { PI_AGENT } from "./pi-agent.ts";
import { recordedCases } from "./recordings.ts";

describe.each(["handwritten", "generated"] as const)("the runner on the real Pi gives the %s recordings", (name) => {
  const cases = recordedCases(name);

  test.each(cases.filter(({ deviation }) => !deviation))("$scenario.name", async ({ scenario, expected }) => {
    expect(await runScenario(PI_AGENT, scenario)).toStrictEqual(expected);
  });

  test.each(cases.filter(({ deviation }) => deviation === "listener-isolated"))(
    "law 6: what is expected of $scenario.name is Pi's run without the throw",
    async ({ scenario, expected }) => {
      const calm = { ...scenario, host: scenario.host.filter((step) => step.do !== "throw") };
      expect(await runScenario(PI_AGENT, calm)).toStrictEqual(expected);
    },
  );
});
