import { describe, expect, test } from "vitest";
import { queued } from "../../src/engine/queue.ts";
import type { Profile } from "../../src/protocol/policy.ts";
import { given } from "../../src/testing/given-when-then.ts";
import { until, untilIdle } from "../../src/testing/spec-answers.ts";
import {
  continueFrom,
  failure,
  followUp,
  nextTurnPrepared,
  prompt,
  reply,
  steer,
} from "../../src/testing/spec-inputs.ts";

const DELIVERIES = ["turn.started", "input.delivered", "input.lost", "input.returned", "trace.ended"] as const;
const HOOKED = { hooks: ["prepareNextTurn"] } as const;

/** P1 has drained s1, and prepareNextTurn is working. */
const s1Drained = (profile: Profile) =>
  given(profile).and(prompt("p", HOOKED), until("model.request"), steer("s1"), reply("a"), until("hook.run"));
const f1Drained = (profile: Profile) =>
  given(profile).and(prompt("p", HOOKED), until("model.request"), followUp("f1"), reply("a"), until("hook.run"));

describe("L10: a drained message between its drain and its message_start", () => {
  test("L10: in pi-1.6 it is in neither queue, and lost when something throws in that window", () => {
    const drained = s1Drained("pi-1.6");
    expect(queued(drained.state, "steering")).toEqual([]);
    const failed = drained
      .when(failure("hook broke"))
      .thenAmong(
        [...DELIVERIES, "message.ended"],
        { type: "input.lost", messages: ["s1"] },
        { type: "message.ended", message: "hook broke" },
        { type: "trace.ended", failure: "hook broke" },
      );
    expect(queued(failed.state, "steering")).toEqual([]);
  });

  test("L10: in strict it stays in its queue until it is delivered, and goes back when something throws", () => {
    for (const drained of [s1Drained("strict"), f1Drained("strict")]) {
      const failed = drained
        .when(failure("hook broke"))
        .thenAmong(
          [...DELIVERIES, "message.ended"],
          { type: "turn.started", turn: 2 },
          { type: "message.ended", message: "hook broke" },
          "trace.ended",
        );
      const { steering, followUp: follow } = failed.state.trace.context;
      expect([...steering, ...follow]).toHaveLength(1);
    }
  });

  test("L10: in strict a message that goes back keeps its place before later ones (INV-Q2)", () => {
    const failed = s1Drained("strict").and(steer("s2"), failure("hook broke"), untilIdle);
    failed
      .and({ type: "setSteeringMode", mode: "all" })
      .when(prompt("p2"), until("model.request"))
      .thenAmong(
        ["input.delivered"],
        { type: "input.delivered", message: "p2", from: "prompt" },
        { type: "input.delivered", message: "s1", from: "steering" },
        { type: "input.delivered", message: "s2", from: "steering" },
      );
  });

  test("L10: an abort in that window does not lose it: in pi-1.6 it is delivered and answered by an aborted reply", () => {
    s1Drained("pi-1.6")
      .and({ type: "abort" })
      .when(nextTurnPrepared(), until("model.request"), reply("", [], "aborted"), untilIdle)
      .thenAmong(
        DELIVERIES,
        { type: "turn.started", turn: 2 },
        { type: "input.delivered", message: "s1", from: "steering" },
        "trace.ended",
      );
  });

  test("L10: an abort in that window consumes nothing in strict: the message is still queued", () => {
    const aborted = s1Drained("strict")
      .and({ type: "abort" })
      .when(nextTurnPrepared(), untilIdle)
      .thenAmong(DELIVERIES, "trace.ended");
    expect(queued(aborted.state, "steering")).toHaveLength(1);
  });

  test("INV-Q1: in strict a queue that is cleared in that window hands the message back and never delivers it", () => {
    for (const [drained, clear] of [
      [s1Drained("strict"), { type: "clearSteering" }],
      [f1Drained("strict"), { type: "clearFollowUp" }],
      [s1Drained("strict"), { type: "clearAll" }],
    ] as const) {
      const message = queued(drained.state, "steering").length > 0 ? "s1" : "f1";
      drained
        .when(clear)
        .thenAmong(DELIVERIES, {
          type: "input.returned",
          messages: [message],
          queue: message === "s1" ? "steering" : "followUp",
        })
        .when(nextTurnPrepared(), untilIdle)
        .thenAmong(DELIVERIES, "trace.ended");
    }
  });

  test("INV-Q1: in pi-1.6 a queue that is cleared in that window does not stop the delivery", () => {
    s1Drained("pi-1.6")
      .and({ type: "clearSteering" })
      .when(nextTurnPrepared(), until("model.request"))
      .thenAmong(
        DELIVERIES,
        { type: "turn.started", turn: 2 },
        { type: "input.delivered", message: "s1", from: "steering" },
      );
  });
});

describe("L5: Turn 1 of a continue() that drained follow-ups", () => {
  const continued = (profile: Profile) => given(profile).and(followUp("f1"), continueFrom("assistant"), steer("s1"));

  test("L5: in pi-1.6 P0 adds steering to the same turn", () => {
    continued("pi-1.6")
      .when(until("model.request"))
      .thenAmong(
        ["input.delivered", "turn.started"],
        { type: "input.delivered", message: "f1", from: "prompt" },
        { type: "input.delivered", message: "s1", from: "steering" },
      );
  });

  test("L5: in strict the follow-ups come alone, and steering in the next turn (INV-Q5)", () => {
    continued("strict")
      .when(until("model.request"), reply("a"), until("model.request"))
      .thenAmong(
        ["input.delivered", "turn.started"],
        { type: "input.delivered", message: "f1", from: "prompt" },
        { type: "turn.started", turn: 2 },
        { type: "input.delivered", message: "s1", from: "steering" },
      );
  });
});
