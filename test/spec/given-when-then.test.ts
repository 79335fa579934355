import { describe, expect, test } from "vitest";
import { policyOf } from "../../src/protocol/policy.ts";
import { type Given, given } from "../../src/testing/given-when-then.ts";
import { until, untilIdle } from "../../src/testing/spec-answers.ts";
import { SpecError } from "../../src/testing/spec-error.ts";
import { continueFrom, prompt, reply, steer, toolFinished } from "../../src/testing/spec-inputs.ts";

const message = (specification: () => unknown): string => {
  try {
    specification();
  } catch (error) {
    expect(error).toBeInstanceOf(SpecError);
    return (error as SpecError).message;
  }
  return "it holds";
};

const steered = () => given("strict").when(steer("s1"));

describe("then", () => {
  test("holds when every fact and effect is expected, in order, by type or by body", () => {
    const accepted = { type: "input.accepted", message: "s1", queue: "steering" } as const;
    steered().then(accepted);
    steered().then("input.accepted");
    steered().then({ ...accepted, seq: 1, trace: null, turn: 0 });
    steered().then({ ...accepted, message: "1.0" });
    given("strict").when(prompt("p")).then({ type: "trace.started", continuation: false }, "turn.started", {
      type: "tools.declare",
      id: "t1/n1/declare-prompt#1",
    });
  });

  test("fails on another body, place or effect id", () => {
    expect(message(() => steered().then({ type: "input.accepted", message: "s1", queue: "followUp" }))).toBe(
      [
        "The outcome is another one (- expected, + came):",
        '- input.accepted {"message":"s1","queue":"followUp"}',
        '+ input.accepted {"message":"s1","queue":"steering"}',
      ].join("\n"),
    );
    const accepted = { type: "input.accepted", message: "s1", queue: "steering" } as const;
    expect(message(() => steered().then({ ...accepted, seq: 2 }))).toContain("- input.accepted");
    const prompted = given("strict").when(prompt("p"));
    expect(message(() => prompted.then("trace.started", "turn.started", { type: "tools.declare", id: "x" }))).toContain(
      '- tools.declare {"id":"x"}',
    );
  });

  test("fails on too much, on too little and on another order, and shows what they have in common", () => {
    const prompted = given("strict").when(prompt("p"));
    expect(message(() => prompted.then("trace.started", "turn.started"))).toContain("\n+ tools.declare");
    expect(message(() => prompted.then("trace.started", "turn.started", "tools.declare", "model.request"))).toContain(
      "\n- model.request",
    );
    expect(message(() => prompted.then("turn.started", "trace.started", "tools.declare"))).toBe(
      [
        "The outcome is another one (- expected, + came):",
        "- turn.started",
        '  trace.started {"continuation":false}',
        "+ turn.started",
        "  tools.declare",
      ].join("\n"),
    );
  });

  test("thenAmong looks at the named types only, and at all of these", () => {
    const prompted = given("strict").when(prompt("p"));
    prompted.thenAmong(["turn.started", "tools.declare"], "turn.started", "tools.declare");
    expect(message(() => prompted.thenAmong(["turn.started", "tools.declare"], "turn.started"))).toContain(
      "+ tools.declare",
    );
  });

  test("a specification that is awaited without it fails", async () => {
    await expect(Promise.resolve(steered() as unknown)).rejects.toThrow("ends in when()");
  });
});

describe("thenNothingHappened and thenRefusedWith", () => {
  test("nothing happened: no fact, no effect, no change", () => {
    given("strict").when({ type: "abort" }).thenNothingHappened();
    expect(message(() => steered().thenNothingHappened())).toContain("+ input.accepted");
  });

  test("a change of state without a fact is something, too", () => {
    const streaming = given("strict").and(prompt("p"), until("model.request"));
    const cleared = streaming.when({ type: "log.resumed" });
    expect(message(() => cleared.thenNothingHappened())).toContain("+ model.request");
  });

  test("refused with: exactly this code, nothing else", () => {
    given("strict").when(continueFrom(null)).thenRefusedWith("nothing-to-continue");
    expect(message(() => given("strict").when(continueFrom(null)).thenRefusedWith("busy-prompt"))).toContain(
      '+ input.refused {"code":"nothing-to-continue","command":"continue"}',
    );
    expect(message(() => steered().thenRefusedWith("busy-prompt"))).toContain("+ input.accepted");
  });
});

describe("inputs", () => {
  const asked = given("strict").and(prompt("p"), until("model.request"));

  test("an outcome finds the effect that it answers", () => {
    const seq = asked.state.seq + 1;
    const { records } = asked.and(reply("a"));
    expect(records.at(-1)).toMatchObject({ seq, at: seq, id: "t1/n1/model#1", type: "model.replied" });
    const batch = asked.and(reply("", ["c1", "c2"]), until("tool.run"));
    expect(batch.and(toolFinished(1)).records.at(-1)?.id).toBe("t1/n1/call1/run#1");
  });

  test("an outcome that nobody asked for is a mistake of the specification, unless it names an effect", () => {
    expect(message(() => asked.and({ type: "turn.closed" }))).toBe(
      "Nobody asked for turn.closed. Asked for: model.request (t1/n1/model#1).",
    );
    asked.when({ type: "turn.closed", id: "t0/n9/turn.closed#1" }).then("outcome.ignored");
  });

  test("until and untilIdle answer everything but the model", () => {
    expect(asked.state.outstanding.map(({ type }) => type)).toEqual(["model.request"]);
    expect(asked.and(reply("a"), untilIdle).state.trace.context.running).toBe(false);
    expect(message(() => asked.and(untilIdle))).toContain("t1/n1/model#1 asks for model.request");
    expect(message(() => asked.and(reply("a"), until("tool.run")))).toContain("Nothing asks for tool.run");
  });

  test("messages are named by their text, and by their id where two have the same", () => {
    const twice = given("strict").and(steer("same")).when(steer("same"));
    twice.then({ type: "input.accepted", message: "2.0", queue: "steering" });
    expect(message(() => twice.then({ type: "input.accepted", message: "same", queue: "steering" }))).toContain(
      '+ input.accepted {"message":"2.0","queue":"steering"}',
    );
  });
});

describe("given", () => {
  test("starts from a profile, a policy with single flags, queue modes, or the records of a log", () => {
    expect(given("pi-1.6").state.trace.context.policy.onAbort).toBe("next-request");
    expect(given(policyOf("strict", { onAbort: "next-request" })).state.trace.context.policy).toMatchObject({
      profile: "strict",
      onAbort: "next-request",
    });
    expect(given("strict", { followUpMode: "all" }).state.trace.context.followUpMode).toBe("all");
    const opened = {
      seq: 0,
      id: "0",
      at: 0,
      type: "log.opened",
      format: 1,
      machines: "",
      policy: policyOf("strict"),
      steeringMode: "one-at-a-time",
      followUpMode: "one-at-a-time",
      messages: [],
    } as const;
    const { records } = given("strict").and(steer("s1"));
    const folded: Given = given([opened, ...records]);
    expect(folded.state).toEqual(given("strict").and(steer("s1")).state);
    folded.when({ type: "clearSteering" }).then({ type: "input.returned", messages: ["s1"], queue: "steering" });
  });

  test("is immutable: two specifications may go on from one", () => {
    const one = given("strict");
    one.and(steer("s1"));
    one.when({ type: "clearAll" }).thenNothingHappened();
  });
});
