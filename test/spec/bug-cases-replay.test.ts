import { describe, expect, test } from "vitest";
import { step } from "../../src/engine/step.ts";
import { decodeLog, encodeRecord } from "../../src/log/codec.ts";
import { Agent } from "../../src/pi/agent.ts";
import type { LogRecord } from "../../src/protocol/log-record.ts";
import { fold, replay } from "../../src/replay/replay.ts";
import { given } from "../../src/testing/given-when-then.ts";
import { until } from "../../src/testing/spec-answers.ts";
import { prompt, reply, toolFinished } from "../../src/testing/spec-inputs.ts";
import { notingTool, ourHost, resumedHost, user } from "./host.ts";

const call = (id: string, more: object = {}) => ({ id, tool: "work", ...more });
const MODEL = [{ calls: [call("c1")] }];

const recorded = async (runs: unknown[] = []) => {
  const h = ourHost("strict", { tools: [notingTool(runs)], model: MODEL });
  h.agent.followUp(user("f"));
  await h.prompt();
  return h;
};
const thrown = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};
const options = { streamFn: (() => {}) as never };

describe("public bug reports: checkpoint-replay", () => {
  test("B167: a tool's result is in the log before anything that follows from it, and after it the tool runs no more", async () => {
    const records = [...(await recorded()).agent.log];
    const finished = records.findIndex(({ type }) => type === "tool.finished");
    const runs: unknown[] = [];
    for (let length = finished + 1; length <= records.length; length++) {
      const h = resumedHost(records.slice(0, length), { tools: [{ ...notingTool(runs), replay: "safe" }] });
      await h.until(h.agent.resume());
      expect(h.transcript).toContain("toolResult(c1):c1 ok");
    }
    expect(runs).toEqual([]);
  });

  test("B169: replaying asks nobody; resuming asks again", async () => {
    const runs: unknown[] = [];
    const original = await recorded(runs);
    const records = [...original.agent.log];
    const asked = records.findIndex(({ type }) => type === "model.replied");
    expect(
      [...replay(records)].flatMap(({ effects }) => effects).filter(({ type }) => type === "model.request"),
    ).toHaveLength(3);
    expect([original.requests.length, runs.length]).toEqual([3, 1]);
    const h = resumedHost(records.slice(0, asked), { tools: [notingTool(runs)] });
    expect(h.requests).toEqual([]);
    await h.until(h.agent.resume());
    expect(h.requests[0]).toEqual(["user:p"]);
  });

  test("B170: with several questions open an answer must name its own: another id or another question is ignored", () => {
    const open = given("strict").and(prompt("p"), until("model.request"), reply("", ["c1", "c2"]), until("tool.run"));
    open.when({ ...toolFinished(0), id: "t1/n1/call7/run#1" }).then("outcome.ignored");
    open.when({ ...toolFinished(0), id: "7" }).then("outcome.ignored");
    open.when({ ...toolFinished(1), id: "t1/n1/call0/run#1" }).then("outcome.ignored");
    open.when({ type: "turn.closed", id: "t1/n1/call0/run#1" }).then("outcome.ignored");
    const answered = open.and(toolFinished(0));
    answered.when({ ...toolFinished(0), id: "t1/n1/call0/run#1" }).then("outcome.ignored");
  });

  test("B172: the rules of a log are those that it was opened with, whatever the new owner asks for", async () => {
    const h = ourHost("pi-1.6", { policy: { drained: "reserved" } });
    const resumed = Agent.resume([...h.agent.log], { ...options, profile: "strict" });
    expect(resumed.log.at(0)).toMatchObject({
      policy: { profile: "pi-1.6", drained: "reserved", onFailure: "suffix" },
    });
    expect(fold([...resumed.log]).trace.context.policy).toEqual(fold([...h.agent.log]).trace.context.policy);
  });

  test("B173: a log of machines with another shape is refused by name", async () => {
    const [opened, ...records] = (await recorded()).agent.log;
    const error = thrown(() => Agent.resume([{ ...opened, machines: "of another version" }, ...records], options));
    expect(error).toMatchObject({ code: "machine-mismatch", details: { recorded: "of another version" } });
  });

  test("B175: folding on from a state applies no record twice and leaves none out", async () => {
    const records = [...(await recorded()).agent.log];
    const whole = fold(records);
    for (let length = 1; length <= records.length; length++) {
      const state = records
        .slice(length)
        .reduce((before, record) => step(before, record).state, fold(records.slice(0, length)));
      expect(state).toEqual(whole);
    }
    expect(() => step(whole, records.at(-1) as LogRecord)).toThrow(expect.objectContaining({ code: "sequence-gap" }));
  });

  test("B176: the transcript changes only through the log: what a host does to it becomes a record", async () => {
    const h = await recorded();
    h.agent.state.messages = [user("kept by hand")];
    h.agent.state.messages.push(user("pushed by hand"));
    await h.prompt("next");
    h.agent.state.messages.splice(1, 1);
    await h.prompt("last");
    h.agent.reset();
    await h.prompt("fresh");
    expect(resumedHost([...h.agent.log]).transcript).toEqual(h.transcript);
    const before = resumedHost(
      [...h.agent.log].slice(
        0,
        [...h.agent.log].findIndex(({ type }) => type === "reset"),
      ),
    );
    expect(before.transcript[0]).toBe("user:kept by hand");
    expect(before.transcript).not.toContain("user:pushed by hand");
  });
});

describe("public bug reports: xstate-persistence", () => {
  test("B178: restoring in the middle of a tool decides per effect: the finished and the uncertain do not run again", async () => {
    const both = { calls: [call("c1"), call("c2", { takes: 5 })] };
    const runs: unknown[] = [];
    const h = ourHost("strict", { tools: [notingTool(runs)], model: [both] });
    await h.prompt();
    const records = [...h.agent.log];
    const first = records.findIndex(({ type }) => type === "tool.finished");
    const resumed = resumedHost(records.slice(0, first + 1), { tools: [notingTool(runs)] });
    await resumed.until(resumed.agent.resume());
    expect(runs).toEqual(["c1", "c2"]);
    expect(resumed.transcript.slice(2, 4)).toEqual([
      "toolResult(c1):c1 ok",
      expect.stringMatching(/^toolResult\(c2\)!:/),
    ]);
  });

  test("B182: a restored agent tells its listeners", async () => {
    const h = resumedHost([...(await recorded()).agent.log]);
    await h.prompt("next");
    expect(h.only("agent_start", "agent_end")).toEqual(["agent_start", "agent_end 2"]);
  });

  test("B184: a record that this version does not know is refused with its place and its name", async () => {
    const records: unknown[] = [...(await recorded()).agent.log];
    records[3] = { ...(records[3] as object), type: "trace.renamed" };
    const error = thrown(() => Agent.resume(records, options));
    expect(error).toMatchObject({ code: "record-invalid", details: { record: 3, field: "/type" } });
    expect((error as Error).message).toContain("trace.renamed");
  });

  test("B185: restoring does nothing again: no event, no request, no tool, no record", async () => {
    const runs: unknown[] = [];
    const { agent } = await recorded();
    for (let length = 1; length <= agent.log.length; length++) {
      const h = resumedHost([...agent.log].slice(0, length), { tools: [notingTool(runs)] });
      await h.until(h.time.sleep(1));
      expect([h.lines, h.requests, h.agent.log.length]).toEqual([[], [], length]);
    }
    expect(runs).toEqual([]);
  });

  test("B187: an error in the log is plain data and survives the way to a file and back", async () => {
    const h = ourHost("strict", { model: [{ throws: "broke" }] });
    await h.prompt();
    const lines = [...h.agent.log].map(encodeRecord).join("\n");
    const records = decodeLog(lines, "log.jsonl");
    expect(records.find(({ type }) => type === "run.failed")).toMatchObject({ error: "broke" });
    expect(resumedHost(records).transcript).toEqual(h.transcript);
    expect(resumedHost(records).agent.digest()).toBe(h.agent.digest());
  });

  test("B188: inputs that were accepted and not yet taken are in the log, and are taken after it is restored", async () => {
    const h = ourHost("strict");
    for (const name of ["s1", "s2"]) h.agent.steer(user(name));
    h.agent.followUp(user("f1"));
    h.agent.steeringMode = "all";
    const resumed = resumedHost(JSON.parse(JSON.stringify(h.agent.log)));
    await resumed.prompt();
    expect(resumed.transcript.filter((line) => line.startsWith("user:"))).toEqual([
      "user:p",
      "user:s1",
      "user:s2",
      "user:f1",
    ]);
  });
});
