import { describe, expect, test } from "vitest";
import { RefusedError } from "../../src/protocol/errors.ts";
import { brief } from "../../src/testing/brief.ts";
import { given } from "../../src/testing/given-when-then.ts";
import { until } from "../../src/testing/spec-answers.ts";
import { followUp, prompt, reply, steer } from "../../src/testing/spec-inputs.ts";
import { OURS, ourHost, resumedHost, user } from "./host.ts";

const call = (id: string, more: object = {}) => ({ id, tool: "work", ...more });
const refusal = (act: () => unknown): RefusedError => {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(RefusedError);
    return error as RefusedError;
  }
  throw new Error("it was not refused");
};

describe.each(OURS)("law 5: receipts and idempotency keys, in %s", (kind) => {
  test("a receipt tells what became of a command: started, queued or applied", async () => {
    const h = ourHost(kind);
    const { agent } = h;
    expect(agent.steer(user("s"))).toEqual({
      seq: 1,
      outcome: "queued",
      traceId: null,
      messages: ["1.0"],
      returned: [],
    });
    expect(agent.clearAllQueues()).toMatchObject({ seq: 2, outcome: "applied", messages: [], returned: [user("s")] });
    await h.until(agent.prompt("p", undefined, { key: "k" }));
    expect(agent.receipt("k")).toEqual({
      seq: 3,
      outcome: "started",
      traceId: "t1",
      messages: ["3.0"],
      returned: [],
    });
    expect(agent.receipt("other")).toBe(undefined);
  });

  test("repeating a command with its key gives the same receipt and does nothing more", async () => {
    const h = ourHost(kind);
    const first = h.agent.steer(user("s"), { key: "k" });
    expect(h.agent.steer(user("s"), { key: "k" })).toEqual(first);
    expect(h.agent.followUp(user("f"), { key: "l" })).not.toEqual(first);
    expect(h.leftovers).toEqual(["s", "f"]);
    expect(h.agent.log.length).toBe(3);
    await h.prompt();
    expect(h.agent.steer(user("s"), { key: "k" })).toEqual(first);
    expect(h.leftovers).toEqual([]);
  });

  test("repeating a prompt with its key waits for its run, and starts none", async () => {
    const h = ourHost(kind, { model: [{ text: "a", takes: 5 }] });
    const run = h.agent.prompt("p", undefined, { key: "k" });
    let ended = false;
    void run.then(() => {
      ended = true;
    });
    await h.until(
      h.agent.prompt("p", undefined, { key: "k" }).then(() => expect(h.agent.state.isStreaming).toBe(false)),
    );
    await run;
    expect(ended).toBe(true);
    await h.until(h.agent.prompt("p", undefined, { key: "k" }));
    expect(h.transcript).toEqual(["user:p", "assistant[stop]:a"]);
    expect(h.only("agent_start")).toHaveLength(1);
  });

  test("repeating a continue with its key starts no second run", async () => {
    const h = ourHost(kind, { messages: [user("p")] });
    await h.until(h.agent.continue({ key: "k" }));
    await h.until(h.agent.continue({ key: "k" }));
    expect(h.requests).toHaveLength(1);
  });

  test("repeating a reset with its key leaves alone what was said since", async () => {
    const h = ourHost(kind);
    await h.prompt("before");
    h.agent.reset({ key: "k" });
    await h.prompt("after");
    const { length } = h.agent.log;
    h.agent.reset({ key: "k" });
    expect(h.transcript).toEqual(["user:after", "assistant[stop]:(script exhausted)"]);
    expect(h.agent.log.length).toBe(length);
  });

  test("repeating a clear with its key hands back the same messages: whoever lost the answer loses nothing", () => {
    const { agent } = ourHost(kind);
    agent.steer(user("s"));
    const first = agent.clearAllQueues({ key: "k" });
    expect(first.returned.map(brief)).toEqual(["user:s"]);
    expect(agent.clearAllQueues({ key: "k" })).toEqual(first);
  });

  test("a refused command is not remembered: its key may be used again", async () => {
    const h = ourHost(kind);
    const run = h.agent.prompt("p");
    await expect(h.agent.prompt("second", undefined, { key: "k" })).rejects.toMatchObject({ code: "busy-prompt" });
    await h.until(run);
    await h.until(h.agent.prompt("second", undefined, { key: "k" }));
    expect(h.transcript[2]).toBe("user:second");
  });

  test("receipts outlive the process: a resumed agent knows the keys of its log", async () => {
    const h = ourHost(kind);
    const steered = h.agent.steer(user("s"), { key: "k" });
    await h.until(h.agent.prompt("p", undefined, { key: "l" }));
    const resumed = resumedHost([...h.agent.log]);
    expect(resumed.agent.steer(user("s"), { key: "k" })).toEqual(steered);
    await resumed.until(resumed.agent.prompt("p", undefined, { key: "l" }));
    expect(resumed.requests).toEqual([]);
    expect(resumed.leftovers).toEqual([]);
    expect(resumed.agent.log.length).toBe(h.agent.log.length);
  });

  test("a key may be any text, also one that looks like the id of an effect", async () => {
    const h = ourHost(kind, { model: [{ text: "a", takes: 5 }] });
    const run = h.agent.prompt("p");
    void h.time.sleep(1).then(() => h.agent.steer(user("s"), { key: "t1/n1/model#1" }));
    await h.until(run);
    expect(h.told).toEqual(["user:p", "assistant[stop]:a", "user:s", "assistant[stop]:(script exhausted)"]);
    expect(h.agent.state.isStreaming).toBe(false);
  });

  test("a key that is no text, or an empty one, is refused before anything is logged", () => {
    for (const key of ["", 7, null]) {
      const { agent } = ourHost(kind);
      expect(() => agent.steer(user("s"), { key: key as string })).toThrow(
        expect.objectContaining({ code: "command-invalid" }),
      );
      expect(agent.log.length).toBe(1);
    }
  });
});

describe.each(OURS)("law 5: expect: { traceId }, in %s", (kind) => {
  test("a command for the running Trace is taken", async () => {
    const h = ourHost(kind, { model: [{ calls: [call("c1")] }] });
    h.on("tool_execution_start", () => h.agent.steer(user("s"), { expect: { traceId: "t1" } }));
    await h.prompt();
    expect(h.told).toContain("user:s");
  });

  test("a command for another Trace is refused with the actual id; nothing is consumed, the run is untouched", async () => {
    const h = ourHost(kind, { model: [{ text: "a" }, { text: "b", takes: 5 }] });
    await h.prompt();
    const stale = { expect: { traceId: "t1" } };
    const refusals: RefusedError[] = [];
    h.on("turn_start", () => {
      refusals.push(
        refusal(() => h.agent.steer(user("s"), stale)),
        refusal(() => h.agent.followUp(user("f"), stale)),
        refusal(() => h.agent.clearAllQueues(stale)),
        refusal(() => h.agent.abort(stale)),
      );
    });
    await h.prompt("second");
    expect(refusals.map(({ code, details }) => [code, details.traceId, details.expected])).toEqual(
      Array.from({ length: 4 }, () => ["trace-mismatch", "t2", "t1"]),
    );
    expect(h.transcript.slice(2)).toEqual(["user:second", "assistant[stop]:b"]);
    expect(h.leftovers).toEqual([]);
  });

  test("when no Trace runs the actual id is null", async () => {
    const h = ourHost(kind);
    const { details } = refusal(() => h.agent.abort({ expect: { traceId: "t1" } }));
    expect(details).toMatchObject({ traceId: null, expected: "t1", command: "abort" });
    await expect(h.agent.prompt("p", undefined, { expect: { traceId: "t1" } })).rejects.toMatchObject({
      code: "trace-mismatch",
    });
    expect(h.lines).toEqual([]);
  });

  test("every refusal has Pi's text where Pi has one, a code and a first fix", () => {
    const error = refusal(() => ourHost(kind).agent.abort({ expect: { traceId: "t9" } }));
    expect(error).toMatchObject({ name: "RefusedError", code: "trace-mismatch" });
    expect(error.message.length * error.fix.length).toBeGreaterThan(0);
  });

  test("in the log a refusal changes nothing: prompt, continue, reset, and any command for another Trace", () => {
    const running = given(kind).and(prompt("p"), until("model.request"));
    const stale = { expect: { traceId: "t0" } };
    running.when(prompt("p2")).thenRefusedWith("busy-prompt");
    running.when({ type: "reset" }).thenRefusedWith("busy-reset");
    running
      .when({
        type: "continue",
        run: { hooks: [], toolExecution: "parallel" },
        lastRole: "user",
        hasConversation: true,
      })
      .thenRefusedWith("busy-continue");
    running.when(steer("s", stale)).thenRefusedWith("trace-mismatch");
    running.when(followUp("f", stale)).thenRefusedWith("trace-mismatch");
    running.when({ type: "abort", ...stale }).thenRefusedWith("trace-mismatch");
    running.when(reply("a"), until("listeners.settle")).thenAmong(["message.ended"], "message.ended");
  });

  test("a command whose key is the id of what is outstanding does not answer it", () => {
    const running = given(kind).and(prompt("p"), until("model.request"), steer("s", { key: "t1/n1/model#1" }));
    running.when(reply("a")).thenAmong(["message.ended", "outcome.ignored"], { type: "message.ended", message: "a" });
  });
});
