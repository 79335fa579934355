import { describe, expect, it } from "vitest";
import { type CheckOptions, checkSame } from "./check.ts";
import { chooseFeatures } from "./features.ts";
import { PI } from "./implementation-pi.ts";
import { MUTANTS } from "./mutants.ts";

const options: CheckOptions = { seed: 20_261_120, runs: 300, features: chooseFeatures() };

async function failureText(check: Promise<void>): Promise<string> {
  return check.then(
    () => "",
    (failure: Error) => failure.message,
  );
}

describe("the differential harness", () => {
  it("sees no difference between Pi and Pi: what it compares is deterministic", async () => {
    await checkSame(PI, { ...PI, name: "pi again" }, options);
  });

  it.each(MUTANTS)("finds and shrinks: $fault", async ({ implementation }) => {
    const text = await failureText(checkSame(PI, implementation, { ...options, runs: 2_000 }));
    const [headline = "", , place = ""] = text.split("\n");
    const program = text.split("\n").at(-1) ?? "";
    expect(headline).toContain(`--seed ${options.seed} --path `);
    expect(place).toMatch(/^agent 0, (trace|outcomes|final)\[\d+\], at /);
    expect(JSON.parse(program)).toMatchObject({ kind: "agents" });
    expect(program.length).toBeLessThan(2_500);
  });
});
