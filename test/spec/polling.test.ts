import { describe, test } from "vitest";
import { given } from "../../src/testing/given-when-then.ts";
import { until, untilIdle } from "../../src/testing/spec-answers.ts";
import {
  continueFrom,
  finishTurn,
  followUp,
  nextTurnPrepared,
  prompt,
  reply,
  steer,
  toolFinished,
} from "../../src/testing/spec-inputs.ts";

const PROFILES = ["strict", "pi-1.6"] as const;
const POLLS = ["input.drained", "turn.started", "input.delivered", "model.request", "trace.ended"] as const;

const p0 = (...messages: string[]) => ({ type: "input.drained", queue: "steering", poll: "P0", messages }) as const;
const p1 = (...messages: string[]) => ({ type: "input.drained", queue: "steering", poll: "P1", messages }) as const;
const p2 = (...messages: string[]) => ({ type: "input.drained", queue: "steering", poll: "P2", messages }) as const;
const p3 = (...messages: string[]) => ({ type: "input.drained", queue: "followUp", poll: "P3", messages }) as const;

describe.each(PROFILES)("the polling points of 3.1 in %s", (profile) => {
  test("P0: steering is polled in Turn 1 after all prompt messages are delivered, before the first request", () => {
    given(profile)
      .and(steer("s1"), prompt(["p1", "p2"]))
      .when(until("model.request"))
      .thenAmong(
        POLLS,
        { type: "input.delivered", message: "p1", from: "prompt" },
        { type: "input.delivered", message: "p2", from: "prompt" },
        p0("s1"),
        { type: "input.delivered", message: "s1", from: "steering" },
        "model.request",
      );
  });

  test("P0: takes what is steered until the listeners of the prompt have settled, and nothing later", () => {
    given(profile)
      .and(prompt("p"), until("listeners.settle"), steer("s1"))
      .when({ type: "trace.opened" })
      .thenAmong(["input.drained"], p0("s1"));
    given(profile)
      .and(prompt("p"), until("listeners.settle"), { type: "trace.opened" }, steer("s1"))
      .when(until("model.request"))
      .thenAmong(["input.drained"]);
  });

  test("P0: is skipped when continue() itself drained steering as its prompt", () => {
    given(profile)
      .and(steer("s1"), steer("s2"), continueFrom("assistant"))
      .when(until("model.request"))
      .thenAmong(POLLS, { type: "input.delivered", message: "s1", from: "prompt" }, "model.request");
  });

  test("P0: looks at the steering queue of a continuation from a user message", () => {
    given(profile)
      .and(steer("s1"), continueFrom("user"))
      .when(until("model.request"))
      .thenAmong(POLLS, p0("s1"), { type: "input.delivered", message: "s1", from: "steering" }, "model.request");
  });

  test("P1: steering is polled right after all turn_end listeners have settled", () => {
    given(profile)
      .and(prompt("p"), until("model.request"), reply("a"), steer("s1"))
      .when({ type: "turn.closed" })
      .thenAmong(POLLS, p1("s1"), "turn.started");
  });

  test("P1: is skipped when the turn ended in error or aborted, and when finishTurn said end", () => {
    const streaming = given(profile).and(prompt("p", { hooks: ["finishTurn"] }), steer("s0"), until("model.request"));
    const queued = streaming.and(steer("s1"), followUp("f1"));
    for (const stop of ["error", "aborted"] as const) {
      queued
        .and(reply("a", [], stop))
        .when(finishTurn(), untilIdle)
        .thenAmong(POLLS, "trace.ended");
    }
    queued.and(reply("a")).when(finishTurn("end"), untilIdle).thenAmong(POLLS, "trace.ended");
  });

  test("P2: steering is polled after prepareNextTurn, before turn_start", () => {
    given(profile)
      .and(prompt("p", { hooks: ["prepareNextTurn"] }), until("model.request"), reply("a", ["c1"]), until("hook.run"))
      .and(steer("s1"))
      .when(nextTurnPrepared())
      .thenAmong(POLLS, p2("s1"), "turn.started");
  });

  test("P2: is skipped when P1 or P3 has already given messages", () => {
    const running = given(profile).and(prompt("p", { hooks: ["prepareNextTurn"] }), until("model.request"), reply("a"));
    running
      .and(steer("s1"), until("hook.run"), steer("s2"))
      .when(nextTurnPrepared(), until("model.request"))
      .thenAmong(POLLS, "turn.started", { type: "input.delivered", message: "s1", from: "steering" }, "model.request");
    running
      .and(followUp("f1"), until("hook.run"), steer("s2"))
      .when(nextTurnPrepared(), until("model.request"))
      .thenAmong(POLLS, "turn.started", { type: "input.delivered", message: "f1", from: "followUp" }, "model.request");
  });

  test("P3: follow-ups are polled when there is no further tool work and P1 gave nothing", () => {
    given(profile)
      .and(prompt("p"), until("model.request"), followUp("f1"), reply("a"))
      .when({ type: "turn.closed" })
      .thenAmong(POLLS, p3("f1"), "turn.started");
  });

  test("P3: is not reached while tool results have to be answered", () => {
    given(profile)
      .and(prompt("p"), until("model.request"), followUp("f1"), reply("a", ["c1"]), until("tool.run"), toolFinished(0))
      .when(until("model.request"))
      .thenAmong(POLLS, "turn.started", "model.request");
  });

  test("P3: is skipped after error and aborted, and when finishTurn said end", () => {
    const queued = given(profile).and(prompt("p", { hooks: ["finishTurn"] }), until("model.request"), followUp("f1"));
    for (const stop of ["error", "aborted"] as const) {
      queued
        .and(reply("a", [], stop))
        .when(finishTurn("continue"), untilIdle)
        .thenAmong(POLLS, "trace.ended");
    }
    queued.and(reply("a")).when(finishTurn("end"), untilIdle).thenAmong(POLLS, "trace.ended");
  });

  test("P4: continue() after an assistant message drains steering, else follow-ups, before any event", () => {
    const queued = given(profile).and(followUp("f1"));
    queued
      .and(steer("s1"))
      .when(continueFrom("assistant"))
      .thenAmong(
        ["input.drained", "trace.started"],
        { type: "input.drained", queue: "steering", poll: "P4", messages: ["s1"] },
        "trace.started",
      );
    queued
      .when(continueFrom("assistant"))
      .thenAmong(
        ["input.drained", "trace.started"],
        { type: "input.drained", queue: "followUp", poll: "P4", messages: ["f1"] },
        "trace.started",
      );
  });

  test("P4: is skipped when the last message is not an assistant's", () => {
    const queued = given(profile).and(followUp("f1"));
    queued.when(continueFrom("user")).thenAmong(["input.drained"]);
    queued.when(continueFrom("toolResult")).thenAmong(["input.drained"]);
  });
});
