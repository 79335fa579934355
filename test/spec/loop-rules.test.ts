import { describe, test } from "vitest";
import { given } from "../../src/testing/given-when-then.ts";
import { until, untilIdle } from "../../src/testing/spec-answers.ts";
import {
  continueFrom,
  followUp,
  nextTurnPrepared,
  prompt,
  reply,
  steer,
  toolFinished,
} from "../../src/testing/spec-inputs.ts";

const PROFILES = ["strict", "pi-1.6"] as const;
const DELIVERIES = ["turn.started", "input.delivered", "trace.started", "trace.ended"] as const;

const steered = (message: string) => ({ type: "input.delivered", message, from: "steering" }) as const;
const followed = (message: string) => ({ type: "input.delivered", message, from: "followUp" }) as const;
const prompted = (message: string) => ({ type: "input.delivered", message, from: "prompt" }) as const;
const turn = (number: number) => ({ type: "turn.started", turn: number }) as const;

describe.each(PROFILES)("the loop's rules L1 to L9 in %s", (profile) => {
  const asked = given(profile).and(prompt("p"), until("model.request"));

  test("L1: no poll during streaming, in a tool batch, between tools or in prepareRequest", () => {
    const sequential = { hooks: ["prepareRequest"], toolExecution: "sequential" } as const;
    given(profile)
      .and(prompt("p", sequential), until("hook.run"))
      .when(
        steer("in prepareRequest"),
        until("model.request"),
        { type: "model.started", message: { role: "assistant" } },
        steer("in the stream"),
        reply("a", ["c1", "c2"]),
        steer("in preparation"),
        until("tool.run"),
        steer("in the first tool"),
        toolFinished(0),
        steer("between tools"),
        until("tool.run"),
        toolFinished(1),
      )
      .thenAmong(["input.drained", "input.delivered"]);
  });

  test("L1: a steer during a batch waits for its end; all tool calls still run", () => {
    asked
      .and(reply("", ["c1", "c2"]), until("tool.run"))
      .when(steer("s1"), toolFinished(0), toolFinished(1), until("model.request"))
      .thenAmong(
        ["tool.ended", "tool.resulted", "turn.ended", "input.drained", "input.delivered"],
        { type: "tool.ended", call: 0, callId: "c1", outcome: "finished", isError: false },
        { type: "tool.ended", call: 1, callId: "c2", outcome: "finished", isError: false },
        { type: "tool.resulted", call: 0, callId: "c1", message: "result of c1" },
        { type: "tool.resulted", call: 1, callId: "c2", message: "result of c2" },
        "turn.ended",
        { type: "input.drained", queue: "steering", poll: "P1", messages: ["s1"] },
        steered("s1"),
      );
  });

  test("L2: steering goes before follow-ups at each boundary: s1, s2, f1, f2 in four turns", () => {
    asked
      .and(steer("s1"), steer("s2"), followUp("f1"), followUp("f2"))
      .when(
        ...["a1", "a2", "a3", "a4"].flatMap((text) => [reply(text), until("model.request")]),
        reply("a5"),
        untilIdle,
      )
      .thenAmong(
        DELIVERIES,
        turn(2),
        steered("s1"),
        turn(3),
        steered("s2"),
        turn(4),
        followed("f1"),
        turn(5),
        followed("f2"),
        "trace.ended",
      );
  });

  test("L3: after P3 comes prepareNextTurn, no P2, then turn_start and the follow-up, in the same Trace", () => {
    given(profile)
      .and(prompt("p", { hooks: ["prepareNextTurn"] }), until("model.request"), followUp("f1"), reply("a"))
      .when({ type: "turn.closed" })
      .then(
        { type: "input.drained", queue: "followUp", poll: "P3", messages: ["f1"] },
        {
          type: "hook.run",
          hook: "prepareNextTurn",
        },
      )
      .and(steer("s1"))
      .when(nextTurnPrepared(), until("model.request"))
      .thenAmong([...DELIVERIES, "input.drained"], turn(2), followed("f1"));
  });

  test("L4: with follow-up mode all, later steering is interleaved by P1 after the follow-up turn", () => {
    given(profile, { followUpMode: "all" })
      .and(prompt("p"), until("model.request"), followUp("f1"), followUp("f2"), reply("a1"))
      .when(until("model.request"), steer("s1"), reply("a2"), until("model.request"), reply("a3"), untilIdle)
      .thenAmong(DELIVERIES, turn(2), followed("f1"), followed("f2"), turn(3), steered("s1"), "trace.ended");
  });

  test("L5: one turn delivers the messages of one queue, of one drain", () => {
    asked
      .and(steer("s1"), steer("s2"), followUp("f1"), reply("a1"))
      .when(until("model.request"))
      .thenAmong(DELIVERIES, turn(2), steered("s1"));
  });

  test("L6: in mode all, steering enqueued between P4 and P0 waits until P1", () => {
    given(profile, { steeringMode: "all" })
      .and(steer("s1"), steer("s2"), continueFrom("assistant"), steer("s3"))
      .when(until("model.request"))
      .thenAmong(DELIVERIES, prompted("s1"), prompted("s2"))
      .and(reply("a1"))
      .when(until("model.request"))
      .thenAmong(DELIVERIES, turn(2), steered("s3"));
  });

  test("L7: steering queued while idle is delivered after the new prompt, in the same first turn", () => {
    given(profile)
      .and(steer("s1"))
      .when(prompt("p"), until("model.request"))
      .thenAmong(DELIVERIES, "trace.started", turn(1), prompted("p"), steered("s1"));
  });

  test("L8: the mode is read at drain time; a change in mid-run affects the next drain", () => {
    const twoEach = asked.and(steer("s1"), steer("s2"), steer("s3"), followUp("f1"), followUp("f2"));
    twoEach
      .and(reply("a1"), until("model.request"), { type: "setSteeringMode", mode: "all" })
      .and({ type: "setFollowUpMode", mode: "all" })
      .when(reply("a2"), until("model.request"), reply("a3"), until("model.request"))
      .thenAmong(DELIVERIES, turn(3), steered("s2"), steered("s3"), turn(4), followed("f1"), followed("f2"));
  });

  test("L9: steering after an empty P1 and before agent_end has settled is not delivered in this Trace", () => {
    const ended = asked.and(reply("a"), { type: "turn.closed" });
    ended
      .when(steer("s1"), untilIdle)
      .thenAmong(["input.drained", "input.delivered"])
      .when(prompt("p2"), until("model.request"))
      .thenAmong(["input.delivered"], prompted("p2"), steered("s1"));
  });
});
