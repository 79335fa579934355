import { describe, test } from "vitest";
import { given } from "../../src/testing/given-when-then.ts";
import { until, untilIdle } from "../../src/testing/spec-answers.ts";
import {
  finishTurn,
  followUp,
  nextTurnPrepared,
  prompt,
  reply,
  replyStarted,
  steer,
} from "../../src/testing/spec-inputs.ts";

const PROFILES = ["strict", "pi-1.6"] as const;
const TURNS = ["turn.started", "input.delivered", "trace.ended"] as const;
const ALL_HOOKS = { hooks: ["prepareRequest", "finishTurn", "prepareNextTurn"] } as const;

describe.each(PROFILES)("L11: finishTurn in %s", (profile) => {
  const finishing = (...calls: string[]) =>
    given(profile).and(
      prompt("p", { hooks: ["finishTurn"] }),
      until("model.request"),
      reply("a", calls),
      until("hook.run"),
    );

  test("L11: undefined leaves the natural schedule", () => {
    finishing().when(finishTurn(), untilIdle).thenAmong(TURNS, "trace.ended");
    finishing("c1").when(finishTurn(), until("model.request")).thenAmong(TURNS, "turn.started");
  });

  test("L11: end stops now, with pending tool results and with queues, which stay as they are", () => {
    finishing("c1").when(finishTurn("end"), untilIdle).thenAmong(TURNS, "trace.ended");
    finishing()
      .and(steer("s1"), followUp("f1"))
      .when(finishTurn("end"), untilIdle)
      .thenAmong(TURNS, "trace.ended")
      .when({ type: "clearAll" })
      .then(
        { type: "input.returned", messages: ["s1"], queue: "steering" },
        { type: "input.returned", messages: ["f1"], queue: "followUp" },
      );
  });

  test("L11: continue guarantees one further request and asks for it once", () => {
    finishing()
      .when(finishTurn("continue"), until("model.request"))
      .thenAmong(TURNS, "turn.started")
      .and(reply("a2"), until("hook.run"))
      .when(finishTurn(), untilIdle)
      .thenAmong(TURNS, "trace.ended");
  });

  test("L11: continue adds no request where there is natural work: tool results, steering, a follow-up", () => {
    for (const run of [finishing("c1"), finishing().and(steer("s1")), finishing().and(followUp("f1"))]) {
      run
        .and(finishTurn("continue"), until("model.request"), reply("a2"), until("hook.run"))
        .when(finishTurn(), untilIdle)
        .thenAmong(TURNS, "trace.ended");
    }
  });

  test("L11: continue is decided anew in each turn: without a condition it goes on for ever", () => {
    const again = [finishTurn("continue"), until("model.request"), reply("again"), until("hook.run")];
    finishing()
      .when(...again, ...again, ...again)
      .thenAmong(TURNS, "turn.started", "turn.started", "turn.started");
  });

  test("L11: P2 can still add steering to the turn that continue asked for", () => {
    given(profile)
      .and(prompt("p", { hooks: ["finishTurn", "prepareNextTurn"] }), until("model.request"), reply("a"))
      .and(finishTurn("continue"), until("hook.run"), steer("s1"))
      .when(nextTurnPrepared(), until("model.request"))
      .thenAmong(TURNS, "turn.started", { type: "input.delivered", message: "s1", from: "steering" });
  });
});

describe.each(PROFILES)("L12: stopReason length in %s", (profile) => {
  const asked = given(profile).and(prompt("p"), until("model.request"));

  test("L12: without tool calls it is an ordinary end of a turn", () => {
    asked.when(reply("cut off", [], "length"), untilIdle).thenAmong(TURNS, "trace.ended");
  });

  test("L12: with tool calls every call fails, none runs, and the loop goes on with another request", () => {
    asked
      .when(reply("cut off", ["c1", "c2"], "length"), until("model.request"))
      .thenAmong(
        ["tool.ended", "tool.prepare", "tool.run", "turn.started", "model.request"],
        { type: "tool.ended", call: 0, callId: "c1", outcome: "truncated", isError: true },
        { type: "tool.ended", call: 1, callId: "c2", outcome: "truncated", isError: true },
        "turn.started",
        "model.request",
      );
  });
});

describe.each(PROFILES)("one turn, step by step (3.2) in %s", (profile) => {
  const hooked = given(profile).and(prompt("p", ALL_HOOKS));

  test("3.2 steps 3 to 5: messages are delivered, then prepareRequest is asked, then the model", () => {
    hooked
      .and(until("listeners.settle"), steer("s1"), { type: "trace.opened" })
      .when({ type: "tools.declared" })
      .then({ type: "input.delivered", message: "s1", from: "steering" }, { type: "hook.run", hook: "prepareRequest" })
      .when({ type: "request.prepared" })
      .then({ type: "model.request", attempt: 1 });
  });

  test("3.2 step 6: the first partial opens the message, the final one ends it", () => {
    hooked
      .and(until("hook.run"), { type: "request.prepared" })
      .when(replyStarted("partial"))
      .then("message.started")
      .when(reply("whole"))
      .then({ type: "message.ended", message: "whole" }, { type: "hook.run", hook: "finishTurn" });
  });

  test("3.2 step 6: a stream that ends before it starts gives the message all at once", () => {
    hooked
      .and(until("hook.run"), { type: "request.prepared" })
      .when(reply("whole"))
      .then("message.started", { type: "message.ended", message: "whole" }, { type: "hook.run", hook: "finishTurn" });
  });

  test("3.2 step 7: after error or aborted finishTurn is awaited and its decision ignored", () => {
    for (const stop of ["error", "aborted"] as const) {
      hooked
        .and(until("hook.run"), { type: "request.prepared" }, steer("s1"), followUp("f1"))
        .when(reply("no", [], stop))
        .then("message.started", "message.ended", { type: "hook.run", hook: "finishTurn" })
        .when(finishTurn("continue"))
        .then({ type: "turn.ended", message: "no" }, { type: "trace.ended" }, "listeners.settle");
    }
  });

  test("3.2 steps 8 to 10: the whole batch, then finishTurn, then turn_end", () => {
    hooked
      .and(until("hook.run"), { type: "request.prepared" }, reply("a", ["c1"]), until("tool.run"))
      .when({ type: "tool.finished", call: 0, outcome: { kind: "finished", result: { content: [] }, isError: false } })
      .then("tool.ended", "tool.resulted", { type: "hook.run", hook: "finishTurn" })
      .when(finishTurn())
      .then({ type: "turn.ended", message: "a" }, "listeners.settle");
  });

  test("3.2 step 11: end goes from turn_end to agent_end and polls nothing", () => {
    hooked
      .and(until("hook.run"), { type: "request.prepared" }, reply("a"), steer("s1"), followUp("f1"), finishTurn("end"))
      .when({ type: "turn.closed" })
      .then("trace.ended", "listeners.settle");
  });

  test("3.2 steps 1 and 2: prepareNextTurn, then P2, then turn_start; its messages come before what was drained (E7)", () => {
    hooked
      .and(until("hook.run"), { type: "request.prepared" }, reply("a"), steer("s1"), finishTurn())
      .when({ type: "turn.closed" })
      .then("input.drained", { type: "hook.run", hook: "prepareNextTurn" })
      .when(nextTurnPrepared("from the hook"))
      .then({ type: "turn.started", turn: 2 }, "tools.declare")
      .when({ type: "tools.declared" })
      .then(
        { type: "input.delivered", message: "from the hook", from: "prepared" },
        { type: "input.delivered", message: "s1", from: "steering" },
        { type: "hook.run", hook: "prepareRequest" },
      );
  });

  test("3.2 step 1: prepareNextTurn runs for every later turn: tools, steering, a follow-up, continue", () => {
    const finishing = hooked.and(until("hook.run"), { type: "request.prepared" });
    const reasons = [
      finishing.and(reply("a", ["c1"]), until("hook.run"), finishTurn()),
      finishing.and(reply("a"), steer("s1"), finishTurn()),
      finishing.and(reply("a"), followUp("f1"), finishTurn()),
      finishing.and(reply("a"), finishTurn("continue")),
    ];
    for (const run of reasons) {
      run.when({ type: "turn.closed" }).thenAmong(["hook.run"], { type: "hook.run", hook: "prepareNextTurn" });
    }
  });

  test("3.2 steps 12 to 15: P1, else P3, else continue's one extra turn, else agent_end", () => {
    const turnEnded = (decision?: "continue") =>
      given(profile)
        .and(prompt("p", { hooks: ["finishTurn"] }), until("model.request"), steer("s1"), followUp("f1"), reply("a"))
        .and(finishTurn(decision));
    const polls = ["input.drained", "turn.started", "trace.ended"] as const;
    turnEnded("continue")
      .when({ type: "turn.closed" })
      .thenAmong(polls, { type: "input.drained", queue: "steering", poll: "P1", messages: ["s1"] }, "turn.started")
      .and(until("model.request"), reply("a2"), finishTurn("continue"))
      .when({ type: "turn.closed" })
      .thenAmong(polls, { type: "input.drained", queue: "followUp", poll: "P3", messages: ["f1"] }, "turn.started")
      .and(until("model.request"), reply("a3"), finishTurn("continue"))
      .when({ type: "turn.closed" })
      .thenAmong(polls, "turn.started")
      .and(until("model.request"), reply("a4"), finishTurn())
      .when({ type: "turn.closed" })
      .thenAmong(polls, "trace.ended");
  });
});
