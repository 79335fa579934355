import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { decodeLog } from "../../src/log/codec.ts";
import { replay } from "../../src/replay/replay.ts";
import { turnwright } from "./captured-shell.ts";
import { Workspace } from "./workspace.ts";

const SCENARIO = {
  name: "one-turn",
  about: "the smallest Trace",
  model: [{ text: "hi" }],
  host: [
    { when: "start", do: "prompt", text: "go" },
    { when: { event: "agent_end" }, do: "prompt", text: "too early" },
    { when: { event: "agent_end" }, do: "followUp", text: "late" },
  ],
};
const BUSY =
  "prompt: Agent is already processing a prompt. Use steer() or followUp() to queue messages, or wait for completion.";
const RESULT = {
  events: [
    "agent_start",
    "turn_start",
    "message_start user:go",
    "message_end user:go",
    "message_start assistant[stop]:hi",
    "message_end assistant[stop]:hi",
    "turn_end stop 0",
    "agent_end 2",
  ],
  requests: [["user:go"]],
  errors: [BUSY],
  final: { messages: ["user:go", "assistant[stop]:hi"], steering: [], followUp: ["late"] },
};
const WRONG = { ...RESULT, events: [...RESULT.events.slice(0, 7), "agent_end 3"] };

const recordings = (name: string) => fileURLToPath(new URL(`../conformance/recordings/${name}.jsonl`, import.meta.url));

describe("turnwright run", () => {
  test("a bare scenario is printed for a reader, Trace and Turn indented", async () => {
    const file = new Workspace().file("s.jsonl", [SCENARIO]);
    expect(await turnwright("run", file)).toEqual({
      code: 0,
      err: "",
      out: `one-turn: the smallest Trace
  agent_start
    turn_start
      message_start user:go
      message_end user:go
      message_start assistant[stop]:hi
      message_end assistant[stop]:hi
    turn_end stop 0
  agent_end 2
  requests:
    user:go
  refused:
    ${BUSY}
  transcript:
    user:go
    assistant[stop]:hi
  left in the follow-up queue:
    late
`,
    });
  });

  test("a case that does what is expected passes", async () => {
    const file = new Workspace().file("s.jsonl", [{ scenario: SCENARIO, expected: RESULT }]);
    expect(await turnwright("run", file)).toEqual({
      code: 0,
      err: "",
      out: "pass  one-turn\n1 compared, 1 as expected, 0 not (profile pi-1.6)\n",
    });
  });

  test("a case that does something else tells where first, and exits with 1", async () => {
    const file = new Workspace().file("s.jsonl", [SCENARIO, { scenario: SCENARIO, expected: WRONG }]);
    const { code, out } = await turnwright("run", "--profile", "pi-1.6", file);
    expect(code).toBe(1);
    expect(out.slice(out.indexOf("FAIL"))).toBe(`FAIL  one-turn  (${file}:2)
      first difference at events[7]
      expected  agent_end 3
      got       agent_end 2
1 compared, 0 as expected, 1 not (profile pi-1.6)
`);
  });

  test("under the strict profile a difference points to Pi's own profile", async () => {
    const file = new Workspace().file("s.jsonl", [{ scenario: SCENARIO, expected: WRONG }]);
    expect((await turnwright("run", "--profile", "strict", file)).err).toBe(
      "Recordings of the real Pi hold in its own profile: --profile pi-1.6\n",
    );
  });

  test("--json prints one object per scenario on standard output and nothing else there", async () => {
    const space = new Workspace();
    const first = space.file("a.jsonl", [SCENARIO, { scenario: SCENARIO, expected: WRONG }]);
    const second = space.file("b.json", JSON.stringify({ scenario: { ...SCENARIO, name: "again" } }, null, 2));
    const { code, out, err } = await turnwright("run", "--json", first, second);
    expect(code).toBe(1);
    expect(out).toBe(
      ["one-turn", "one-turn", "again"].map((name) => `${JSON.stringify({ name, ...RESULT })}\n`).join(""),
    );
    expect(err).toContain(`FAIL  one-turn  (${first}:2)\n      first difference at events[7]`);
  });

  test("all recordings of the real Pi hold in profile pi-1.6, byte for byte", async () => {
    const files = ["handwritten", "generated"].map(recordings);
    const { code, out, err } = await turnwright("run", "--json", "--profile", "pi-1.6", ...files);
    expect(err).toBe("336 compared, 336 as expected, 0 not (profile pi-1.6)\n");
    expect(code).toBe(0);
    const cases = files
      .flatMap((file) => readFileSync(file, "utf8").trim().split("\n"))
      .map((line) => JSON.parse(line));
    const expected = cases.map((one) => `${JSON.stringify({ name: one.scenario.name, ...one.expected })}\n`);
    expect(out).toBe(expected.join(""));
  });

  test("remarks go to standard error", async () => {
    const file = new Workspace().file("s.jsonl", [{ scenario: SCENARIO, seed: 3 }]);
    const { code, err } = await turnwright("run", "--json", file);
    expect(code).toBe(0);
    expect(err).toBe(`note: ${file}:1: $.seed: is not a field of a case and is ignored\n`);
  });
});

describe("turnwright run --log", () => {
  test("keeps the log of each scenario, one record a line, with digests that replay", async () => {
    const space = new Workspace();
    const logs = join(space.path, "new", "logs");
    const { code } = await turnwright("run", space.file("s.jsonl", [SCENARIO]), "--log", logs);
    expect(code).toBe(0);
    const text = readFileSync(join(logs, "one-turn.jsonl"), "utf8");
    const records = decodeLog(text, "one-turn.jsonl");
    expect(text.split("\n")).toHaveLength(records.length + 1);
    expect(records[0]).toMatchObject({ seq: 0, type: "log.opened" });
    expect(records.slice(1).filter(({ digest }) => digest === undefined)).toEqual([]);
    expect([...replay(records)]).toHaveLength(records.length);
  });

  test("two runs of one scenario write the same bytes", async () => {
    const space = new Workspace();
    const file = space.file("s.jsonl", [{ ...SCENARIO, model: [{ calls: [{ id: "c1", tool: "work", takes: 3 }] }] }]);
    const texts: string[] = [];
    for (const name of ["a", "b"]) {
      const logs = join(space.path, name);
      await turnwright("run", file, "--log", logs);
      texts.push(readFileSync(join(logs, "one-turn.jsonl"), "utf8"));
    }
    expect(texts[0]).toBe(texts[1]);
  });

  test("whatever its name, a log stays in the directory and overwrites no other", async () => {
    const space = new Workspace();
    const names = ["../up", "..", "a/b", "a\\b", "Same", "same", "same", "", "ü 1", `${"x".repeat(300)}`];
    const logs = join(space.path, "logs");
    await turnwright(
      "run",
      space.file(
        "s.jsonl",
        names.map((name) => ({ ...SCENARIO, name })),
      ),
      "--log",
      logs,
    );
    expect(readdirSync(logs).sort()).toEqual(
      ["_up", "scenario", "a_b", "a_b-2", "Same", "same-2", "same-3", "scenario-2", "ü_1", "x".repeat(60)]
        .map((name) => `${name}.jsonl`)
        .sort(),
    );
    expect(readdirSync(space.path).sort()).toEqual(["logs", "s.jsonl"]);
  });

  test("a directory that cannot be made is bad input, and nothing is run", async () => {
    const space = new Workspace();
    const blocked = space.file("taken", "a file");
    const { code, out, err } = await turnwright(
      "run",
      space.file("s.jsonl", [SCENARIO]),
      "--log",
      join(blocked, "logs"),
    );
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^.*taken\/logs: cannot be written: .*\n {2}Give another directory\.\n$/);
  });
});

describe("turnwright run with bad input: exit 2, nothing on standard output", () => {
  test.each([
    [
      "a bad scenario",
      (s: Workspace) => s.file("bad.jsonl", [SCENARIO, { ...SCENARIO, hots: [] }]),
      ':2: $.hots: is not a field here; did you mean "host"?\n  Correct the name or remove the field.\n',
    ],
    [
      "text that is not JSON",
      (s: Workspace) => s.file("bad.json", '{\n"name" 1}'),
      ':2: $: ":" is missing after the field name (column 8)\n',
    ],
    [
      "a replacement scenario",
      (s: Workspace) => s.file("bad.jsonl", [{ name: "r", steps: [] }]),
      ":1: $: is a replacement scenario; this version runs lifecycle scenarios only\n",
    ],
    ["an empty file", (s: Workspace) => s.file("bad.jsonl", ""), ":1: $: there is no scenario in this file\n"],
    [
      "bytes that are not text",
      (s: Workspace) => s.file("bad.jsonl", Uint8Array.of(0xff, 0xfe)),
      ": is not UTF-8 text\n",
    ],
    ["a missing file", (s: Workspace) => join(s.path, "none.jsonl"), ": there is no such file\n"],
    ["a directory", (s: Workspace) => s.path, ": is a directory\n"],
  ])("%s", async (_, bad, text) => {
    const space = new Workspace();
    const path = bad(space);
    const logs = join(space.path, "logs");
    const { code, out, err } = await turnwright("run", space.file("good.jsonl", [SCENARIO]), path, "--log", logs);
    expect(err.startsWith(path + text)).toBe(true);
    expect([code, out]).toEqual([2, ""]);
    expect(existsSync(logs)).toBe(false);
  });
});

describe("turnwright with bad usage: exit 2, nothing on standard output", () => {
  test.each([
    [[], "Usage: turnwright"],
    [["rnu"], "error: unknown command 'rnu'"],
    [["run"], "error: missing required argument 'file'"],
    [["run", "--jsno", "x.jsonl"], "error: unknown option '--jsno'"],
    [["run", "x.jsonl", "--profile", "lax"], "'lax' is invalid. Allowed choices are pi-1.6, strict."],
    [["run", "x.jsonl", "--log"], "error: option '--log <directory>' argument missing"],
  ])("%j", async (args, text) => {
    const { code, out, err } = await turnwright(...args);
    expect(err).toContain(text);
    expect([code, out]).toEqual([2, ""]);
  });

  test.each([[["--help"]], [["--version"]], [["run", "--help"]], [["help", "run"]]])("%j is well", async (args) => {
    const { code, out, err } = await turnwright(...args);
    expect([code, err]).toEqual([0, ""]);
    expect(out).not.toBe("");
  });
});
