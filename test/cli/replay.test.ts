import { describe, expect, test } from "vitest";
import { turnwright } from "./captured-shell.ts";
import { Workspace } from "./workspace.ts";

const SCENARIO = {
  name: "steered",
  model: [{ calls: [{ id: "c1", tool: "work", takes: 2 }] }, { text: "done" }],
  host: [
    { when: "start", do: "prompt", text: "go" },
    { when: { event: "tool_execution_start" }, do: "steer", text: "faster" },
    { when: { event: "tool_execution_start" }, do: "prompt", text: "too early" },
  ],
};

async function loggedRun(): Promise<{ readonly space: Workspace; readonly log: string }> {
  const space = new Workspace();
  const { code } = await turnwright("run", "--log", space.path, space.file("s.json", [SCENARIO]));
  expect(code).toBe(0);
  return { space, log: `${space.path}/steered.jsonl` };
}

describe("turnwright replay", () => {
  test("prints the timeline of a log and what became of each queued message", async () => {
    const { log } = await loggedRun();
    const { code, out, err } = await turnwright("replay", log);
    expect(code).toBe(0);
    for (const line of [
      /Session {4}profile pi-1.6/,
      /Trace t1\n/,
      /Turn 2/,
      /refused {4}prompt: busy-prompt/,
      /Trace t1 ended/,
    ]) {
      expect(out).toMatch(line);
    }
    expect(out).toMatch(
      /steer \d+\.0 "faster": queued #\d+ .*drained #\d+ .* at P1, delivered in t1 turn 2, seen by the model #\d+/,
    );
    expect(err).toMatch(/^\d+ records, digest [0-9a-f]{64}\n$/);
  });

  test("--at prints the state after a record", async () => {
    const { log } = await loggedRun();
    const { code, out } = await turnwright("replay", "--json", "--at", "1", log);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ seq: 1, trace: { value: "turn.declarePrompt" } });
  });

  test("--json prints record, facts and effects, one object a line", async () => {
    const { log } = await loggedRun();
    const { out } = await turnwright("replay", "--json", log);
    const steps = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { record: { seq: number } });
    expect(steps.map(({ record }) => record.seq)).toEqual(steps.map((_, seq) => seq));
  });

  test("--verify passes a log with true digests and fails at the first false one", async () => {
    const { space, log } = await loggedRun();
    expect(await turnwright("replay", "--verify", log)).toMatchObject({
      code: 0,
      err: expect.stringContaining("every record verified"),
    });
    const { readFileSync } = await import("node:fs");
    const lines = readFileSync(log, "utf8").split("\n");
    const changed = lines.map((line, n) => (n === 4 ? line.replace(/"facts":"[0-9a-f]+"/, '"facts":"beef"') : line));
    const { code, err } = await turnwright("replay", "--verify", space.file("bad.jsonl", changed.join("\n")));
    expect(code).toBe(1);
    expect(err).toMatch(/bad\.jsonl: Record 4 \(.+\) replays to other facts: recorded beef/);
  });

  test.each([
    ["a record that is not there", ["--at", "9999"], /has no record 9999/],
    ["a seq that is none", ["--at", "x"], /seq of a record/],
  ])("%s is bad usage", async (_about, flags, message) => {
    const { log } = await loggedRun();
    const { code, err } = await turnwright("replay", ...flags, log);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  test("bad input names file and line", async () => {
    const space = new Workspace();
    const { code, err } = await turnwright("replay", space.file("x.jsonl", "{}\n"));
    expect(code).toBe(2);
    expect(err).toMatch(/x\.jsonl, line 1/);
    expect((await turnwright("replay", space.file("empty.jsonl", ""))).code).toBe(2);
    expect((await turnwright("replay", `${space.path}/none.jsonl`)).code).toBe(2);
  });
});

describe("turnwright demo", () => {
  test("runs a Trace with a steer and a follow-up, and replays its log to the same digest", async () => {
    const { code, out, err } = await turnwright("demo");
    expect(err).toMatch(/Replayed \d+ records: digest [0-9a-f]{64} is the same as the live agent's\./);
    expect(code).toBe(0);
    expect(out).toMatch(/steer \d+\.0 "Answer in one sentence\.": .* at P1, .* seen by the model/);
    expect(out).toMatch(/follow-up \d+\.0 "And under which licence is it\?": .* at P3, .* seen by the model/);
    expect(out).toContain("The licence is: MIT License.");
  });

  test.each([
    ["nope", /nope is not a model/],
    ["nobody/nothing", /knows no model nobody\/nothing/],
  ])("a real model needs a name that pi-ai knows (%s)", async (model, message) => {
    const { code, err } = await turnwright("demo", "--model", model);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  test("a real model needs a key", async () => {
    const { builtinModels } = await import("@earendil-works/pi-ai/providers/all");
    const [first] = builtinModels().getModels("anthropic");
    const key = process.env.ANTHROPIC_API_KEY;
    delete process.env.ANTHROPIC_API_KEY;
    try {
      const { code, err } = await turnwright("demo", "--model", `anthropic/${first?.id}`);
      expect(err).toMatch(/No key is set for anthropic/);
      expect(code).toBe(2);
    } finally {
      if (key !== undefined) process.env.ANTHROPIC_API_KEY = key;
    }
  });
});
