import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { describe, expect, test } from "vitest";
import { queued } from "../../src/engine/queue.ts";
import { replay } from "../../src/replay/replay.ts";
import { given } from "../../src/testing/given-when-then.ts";
import { until, untilIdle } from "../../src/testing/spec-answers.ts";
import { followUp, nextTurnPrepared, prompt, reply, steer } from "../../src/testing/spec-inputs.ts";
import { host, ourHost, resumedHost, user } from "./host.ts";

const call = (id: string, more: object = {}) => ({ id, tool: "work", ...more });
const users = (lines: readonly string[]) => lines.filter((line) => line.startsWith("user:"));

describe("public bug reports: steer-delivery", () => {
  test("B01: a steer after the last poll is not lost: it is still queued, and one continuation delivers it once", async () => {
    const h = ourHost("strict");
    h.on("agent_end", () => h.agent.steer(user("late")));
    await h.prompt();
    expect(h.leftovers).toEqual(["late"]);
    await h.until(h.agent.continue());
    expect(users(h.transcript)).toEqual(["user:p", "user:late"]);
    expect(h.only("agent_start")).toHaveLength(2);
    expect(h.leftovers).toEqual([]);
  });

  test("B02: steer and follow-up from an end-of-run handler: one continuation delivers S, then F; nothing stays queued", async () => {
    const h = ourHost("strict");
    h.on("agent_end", () => {
      h.agent.followUp(user("F"));
      h.agent.steer(user("S"));
    });
    await h.prompt();
    await h.until(h.agent.continue());
    expect(users(h.transcript)).toEqual(["user:p", "user:S", "user:F"]);
    expect(h.only("agent_start")).toHaveLength(2);
    expect(h.leftovers).toEqual([]);
  });

  test("B04: after an abort in a turn-end handler no queue is polled; S is delivered later, with a live signal", async () => {
    const h = ourHost("strict", { model: [{ calls: [call("c1")] }] });
    h.on("turn_end", () => {
      h.agent.steer(user("S"));
      h.agent.abort();
    });
    await h.prompt();
    expect(h.leftovers).toEqual(["S"]);
    const signals: boolean[] = [];
    h.agent.subscribe((event, signal) => {
      if (event.type === "message_end" && event.message.role === "user") signals.push(signal.aborted);
    });
    await h.prompt("next");
    expect(users(h.transcript)).toEqual(["user:p", "user:next", "user:S"]);
    expect(signals).toEqual([false, false]);
  });

  test("B07: a leftover steer goes before a follow-up", async () => {
    const h = ourHost("strict", { model: [{ text: "a", stop: "error", error: "broke" }] });
    h.on("message_start", () => h.agent.followUp(user("F")), 2);
    h.on("message_start", () => h.agent.steer(user("S")), 2);
    await h.prompt();
    expect(h.leftovers).toEqual(["S", "F"]);
    await h.until(h.agent.continue());
    expect(users(h.transcript)).toEqual(["user:p", "user:S", "user:F"]);
  });

  test("B08: steering while a follow-up is queued sends the steer at the next boundary; the follow-up keeps its place", () => {
    given("strict")
      .and(prompt("p"), until("model.request"), followUp("F"), steer("S"), reply("a"))
      .when(until("model.request"), reply("b"), until("model.request"))
      .thenAmong(
        ["input.delivered", "turn.started"],
        "turn.started",
        { type: "input.delivered", message: "S", from: "steering" },
        "turn.started",
        { type: "input.delivered", message: "F", from: "followUp" },
      );
  });

  test("B10: the receipt of a steer while idle says that no Trace will take it; one that expects a Trace is refused", () => {
    const { agent } = ourHost("strict");
    expect(agent.steer(user("S"))).toMatchObject({ outcome: "queued", traceId: null });
    expect(() => agent.steer(user("S2"), { expect: { traceId: "t1" } })).toThrow(
      expect.objectContaining({ code: "trace-mismatch" }),
    );
    expect(agent.queued().steering).toHaveLength(1);
  });

  test("B11: a steer while the finished prompt unwinds is taken by exactly one continuation", async () => {
    const h = ourHost("strict");
    h.agent.subscribe(async ({ type }) => {
      if (type === "agent_end") await h.time.sleep(5);
    });
    void h.time.sleep(3).then(() => h.agent.steer(user("S")));
    await h.prompt();
    expect(h.leftovers).toEqual(["S"]);
    await h.until(h.agent.continue());
    expect(users(h.transcript)).toEqual(["user:p", "user:S"]);
    await expect(h.agent.continue()).rejects.toMatchObject({ code: "assistant-is-last" });
  });

  test("B13: admission is one decision, and it stands in the log: a message with an image as busy flips", async () => {
    const image: AgentMessage = {
      role: "user",
      content: [{ type: "image", data: "AA==", mimeType: "image/png" }],
      timestamp: 0,
    };
    const h = ourHost("strict");
    const decisions: string[] = [];
    h.on("agent_end", async () => {
      decisions.push(
        await h.agent.prompt(image).then(
          () => "started",
          (error: { code: string }) => error.code,
        ),
      );
      decisions.push(h.agent.steer(image).outcome);
    });
    await h.prompt();
    expect(decisions).toEqual(["busy-prompt", "queued"]);
    const types = [...h.agent.log].map(({ type }) => type);
    expect(types.slice(-3)).toEqual(["prompt", "steer", "trace.closed"]);
    expect(h.agent.queued().steering.map(({ message }) => message)).toEqual([image]);
    await h.until(h.agent.continue());
    expect(h.agent.state.messages.at(-2)).toBe(image);
  });

  test("B14: an acknowledged steer is in the log before the acknowledgement; after a crash it is pending", async () => {
    const h = ourHost("strict", { model: [{ calls: [call("c1", { takes: 100 })] }] });
    const crash = h.time.sleep(5).then(() => {
      const { seq } = h.agent.steer(user("S"));
      expect(h.agent.log.at(seq)).toMatchObject({ type: "steer", message: user("S") });
      return [...h.agent.log];
    });
    await h.prompt();
    const resumed = resumedHost(await crash);
    expect(resumed.leftovers).toEqual(["S"]);
    await resumed.until(resumed.agent.resume());
    expect(users(resumed.transcript)).toEqual(["user:p", "user:S"]);
  });

  test("B16: a steer or an interrupt for an old Trace is a typed refusal with the actual id; nothing is touched", () => {
    const second = given("strict").and(prompt("A"), until("model.request"), reply("a"), untilIdle, prompt("B"));
    const stale = { expect: { traceId: "t1" } };
    second.and(until("model.request")).when(steer("S", stale)).thenRefusedWith("trace-mismatch");
    second
      .and(until("model.request"))
      .when({ type: "abort", ...stale })
      .thenRefusedWith("trace-mismatch");
  });

  test("B17: a start while a Trace runs is refused: it gets no id and no receipt", async () => {
    const h = ourHost("strict", { model: [{ text: "a", takes: 5 }] });
    const run = h.agent.prompt("A");
    const refused = await h.agent.prompt("M", undefined, { key: "k" }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "busy-prompt", details: { traceId: "t1" } });
    expect(h.agent.receipt("k")).toBe(undefined);
    await h.until(run);
    expect(users(h.transcript)).toEqual(["user:A"]);
  });

  test("B19: a message during a long tool appears once in the transcript", async () => {
    const h = ourHost("strict", { model: [{ calls: [call("c1", { takes: 5 })] }] });
    void h.time.sleep(2).then(() => h.agent.steer(user("M")));
    await h.prompt();
    expect(users(h.transcript)).toEqual(["user:p", "user:M"]);
  });

  test("B20: in strict leaving the queue and being delivered are one step, after every record", async () => {
    const h = ourHost("strict", { model: [{ calls: [call("c1")] }], prepareNextTurn: () => undefined });
    for (const name of ["s1", "s2"]) h.agent.steer(user(name));
    h.agent.followUp(user("f1"));
    await h.prompt();
    const delivered = new Set<string>();
    const accepted = new Set<string>();
    for (const { state, facts } of replay([...h.agent.log])) {
      for (const fact of facts) {
        if (fact.type === "input.accepted") accepted.add(fact.message);
        if (fact.type === "input.delivered" && accepted.has(fact.message)) delivered.add(fact.message);
      }
      const waiting = [...queued(state, "steering"), ...queued(state, "followUp")];
      expect([...delivered, ...waiting].toSorted()).toEqual([...accepted].toSorted());
    }
    expect(delivered.size).toBe(3);
  });
});

describe("public bug reports: followup-stuck", () => {
  test("B22: a follow-up queued in agent_end waits for no other user message: continue() runs it", async () => {
    const h = ourHost("strict");
    h.on("agent_end", () => h.agent.followUp(user("F")));
    await h.prompt();
    expect(h.agent.hasQueuedMessages()).toBe(true);
    await h.until(h.agent.continue());
    expect(users(h.transcript)).toEqual(["user:p", "user:F"]);
  });

  test("B25: an interrupt strands nothing: what was queued is still there and can be handed back", async () => {
    const h = ourHost("strict", { model: [{ text: "a", takes: 5 }] });
    void h.time.sleep(1).then(() => {
      for (const name of ["B", "C"]) h.agent.followUp(user(name));
      h.agent.abort();
    });
    await h.prompt();
    expect(users(h.transcript)).toEqual(["user:p"]);
    expect(h.agent.clearAllQueues().returned).toEqual([user("B"), user("C")]);
    expect(h.leftovers).toEqual([]);
  });

  test("B26: an interrupt latches: nothing starts by itself", async () => {
    const h = ourHost("strict", { model: [{ text: "a", takes: 5 }] });
    void h.time.sleep(1).then(() => {
      for (const name of ["A", "B", "C"]) h.agent.followUp(user(name));
      h.agent.abort();
    });
    await h.prompt();
    await h.until(h.time.sleep(1_000));
    expect(h.only("agent_start")).toHaveLength(1);
    expect(h.leftovers).toEqual(["A", "B", "C"]);
  });

  test("B28: a message queued after the stop and before it has settled survives", async () => {
    const h = ourHost("strict", { model: [{ calls: [call("c1", { takes: 9 })] }] });
    void h.time.sleep(1).then(() => h.agent.abort());
    void h.time.sleep(2).then(() => h.agent.followUp(user("M")));
    void h.time.sleep(3).then(() => h.agent.steer(user("S")));
    await h.prompt();
    expect(h.leftovers).toEqual(["S", "M"]);
  });

  test("B29: a turn that ends in error or abort consumes no follow-up", async () => {
    for (const stop of ["error", "aborted"] as const) {
      const h = host("strict", { model: [{ stop, error: "no" }] });
      h.agent.followUp(user("F"));
      await h.prompt();
      expect(h.leftovers).toEqual(["F"]);
    }
  });

  test("B31: a follow-up whose run aborts before any output is kept", () => {
    const drained = given("strict")
      .and(prompt("p", { hooks: ["prepareNextTurn"] }), until("model.request"), followUp("F"), reply("a"))
      .and(until("hook.run"), { type: "abort" });
    drained.when(nextTurnPrepared(), untilIdle).thenAmong(["input.delivered", "input.lost"]);
    expect(queued(drained.and(nextTurnPrepared(), untilIdle).state, "followUp")).toHaveLength(1);
  });

  test("B32: an abort says nothing of messages that stay queued; their one outcome is their delivery", async () => {
    const h = ourHost("strict", { model: [{ text: "a", takes: 5 }] });
    void h.time.sleep(1).then(() => {
      h.agent.followUp(user("M"));
      h.agent.abort();
    });
    await h.prompt();
    await h.prompt("next");
    const queuedAt = [...h.agent.log].find(({ type }) => type === "followUp")?.seq;
    const fates = [...replay([...h.agent.log])]
      .flatMap(({ facts }) => facts)
      .filter(({ type }) => ["input.delivered", "input.returned", "input.lost"].includes(type))
      .filter((fact) => JSON.stringify(fact).includes(`"${queuedAt}.0"`));
    expect(fates.map(({ type }) => type)).toEqual(["input.delivered"]);
  });
});
