import { describe, test } from "vitest";
import type { CallOutcome } from "../../src/protocol/fact.ts";
import { given } from "../../src/testing/given-when-then.ts";
import { until, untilIdle } from "../../src/testing/spec-answers.ts";
import {
  followUp,
  prompt,
  reply,
  type ScriptedCall,
  steer,
  toolFinished,
  toolPrepared,
} from "../../src/testing/spec-inputs.ts";

const PROFILES = ["strict", "pi-1.6"] as const;

const started = (call: number, callId = `c${call + 1}`) =>
  ({ type: "tool.started", call, callId, name: "work" }) as const;
const ended = (call: number, outcome: CallOutcome = "finished", isError = outcome !== "finished") =>
  ({ type: "tool.ended", call, callId: `c${call + 1}`, outcome, isError }) as const;
const resulted = (call: number) =>
  ({ type: "tool.resulted", call, callId: `c${call + 1}`, message: `result of c${call + 1}` }) as const;
const prepare = (call: number) => ({ type: "tool.prepare", call, attempt: 1 }) as const;
const run = (call: number) => ({ type: "tool.run", call, attempt: 1 }) as const;
const skip = (call: number) => ({ type: "tool.skip", call }) as const;

describe.each(PROFILES)("the tool batch of section 4 in %s", (profile) => {
  const asked = (toolExecution: "parallel" | "sequential" = "parallel") =>
    given(profile).and(prompt("p", { toolExecution }), until("model.request"));

  test("T1: the batch is sequential if the agent or any called tool is; otherwise it is parallel", () => {
    const second: ScriptedCall = { id: "c2", mode: "sequential" };
    const secondParallel: ScriptedCall = { id: "c2", mode: "parallel" };
    const isParallel = [prepare(0), started(1), prepare(1)] as const;
    const isSequential = [prepare(0), run(0)] as const;
    const effects = ["tool.prepare", "tool.run", "tool.started"] as const;
    asked()
      .when(reply("", ["c1", "c2"]), until("tool.run"))
      .thenAmong(effects, started(0), ...isParallel, run(0), run(1));
    asked()
      .when(reply("", ["c1", second]), until("tool.run"))
      .thenAmong(effects, started(0), ...isSequential);
    asked("sequential")
      .when(reply("", ["c1", "c2"]), until("tool.run"))
      .thenAmong(effects, started(0), ...isSequential);
    asked("sequential")
      .when(reply("", ["c1", secondParallel]), until("tool.run"))
      .thenAmong(effects, started(0), ...isSequential);
  });

  test("T2: aborted, unknown, invalid, blocked and failed calls end at once as errors and never execute", () => {
    asked()
      .and(reply("", ["c1", "c2", "c3", "c4", "c5"]))
      .when(toolPrepared(0, { kind: "aborted" }))
      .then(ended(0, "aborted"), started(1), prepare(1))
      .when(toolPrepared(1, { kind: "unknown" }))
      .then(ended(1, "unknown"), started(2), prepare(2))
      .when(toolPrepared(2, { kind: "refused", reason: "invalid", text: "no" }))
      .then(ended(2, "refused"), started(3), prepare(3))
      .when(toolPrepared(3, { kind: "refused", reason: "blocked", text: "no" }))
      .then(ended(3, "refused"), started(4), prepare(4))
      .when(toolPrepared(4, { kind: "refused", reason: "failed", text: "no" }))
      .thenAmong(
        ["tool.ended", "tool.resulted", "tool.run", "turn.ended"],
        ended(4, "refused"),
        ...[0, 1, 2, 3, 4].map(resulted),
        "turn.ended",
      );
  });

  test("T4: sequential: start, preparation, execution, end and result of one call, then the next", () => {
    asked("sequential")
      .when(reply("", ["c1", "c2"]))
      .then("message.started", "message.ended", started(0), prepare(0))
      .when(toolPrepared(0))
      .then(run(0))
      .when(toolFinished(0, { isError: true }))
      .then(ended(0, "finished", true), resulted(0), started(1), prepare(1))
      .when(toolPrepared(1, { kind: "unknown" }))
      .then(ended(1, "unknown"), resulted(1), "turn.ended", "listeners.settle");
  });

  test("T5: parallel: prepared one by one, executed together, ends as they come, results in source order", () => {
    asked()
      .when(reply("", ["c1", "c2", "c3"]))
      .then("message.started", "message.ended", started(0), prepare(0))
      .when(toolPrepared(0))
      .then(started(1), prepare(1))
      .when(toolPrepared(1, { kind: "unknown" }))
      .then(ended(1, "unknown"), started(2), prepare(2))
      .when(toolPrepared(2))
      .then(run(0), run(2))
      .when(toolFinished(2))
      .then(ended(2))
      .when(toolFinished(0))
      .then(ended(0), resulted(0), resulted(1), resulted(2), "turn.ended", "listeners.settle");
  });

  test("T9: truncated: no preparation, no execution; start, end and result of each call; it never terminates", () => {
    for (const mode of ["parallel", "sequential"] as const) {
      asked(mode)
        .when(reply("", ["c1", "c2"], "length"))
        .then(
          "message.started",
          "message.ended",
          ...[started(0), ended(0, "truncated"), resulted(0)],
          ...[started(1), ended(1, "truncated"), resulted(1)],
          "turn.ended",
          "listeners.settle",
        )
        .when(until("model.request"))
        .thenAmong(["turn.started", "model.request"], "turn.started", "model.request");
    }
  });

  test("T10: the batch terminates iff every result does: executed, or blocked with terminate", () => {
    const terminate = true as const;
    const blocked = { kind: "refused", reason: "blocked", text: "no", terminate } as const;
    const two = asked().and(reply("", ["c1", "c2"]), toolPrepared(0));
    two
      .and(toolPrepared(1, blocked))
      .when(toolFinished(0, { terminate }), untilIdle)
      .thenAmong(["turn.started", "trace.ended"], "trace.ended");
    for (const rest of [
      [toolPrepared(1, blocked), toolFinished(0)],
      [toolPrepared(1, { kind: "unknown" } as const), toolFinished(0, { terminate })],
      [toolPrepared(1), toolFinished(0, { terminate }), toolFinished(1)],
    ]) {
      two.when(...rest, until("model.request")).thenAmong(["turn.started", "trace.ended"], "turn.started");
    }
  });

  test("T10: P1 and P3 still apply: a queued steer or follow-up keeps the Trace alive", () => {
    const terminated = asked().and(reply("", ["c1"]), toolPrepared(0));
    for (const queued of [steer("q"), followUp("q")]) {
      terminated
        .and(queued, toolFinished(0, { terminate: true }))
        .when(until("model.request"))
        .thenAmong(["turn.started", "input.delivered", "trace.ended"], "turn.started", "input.delivered");
    }
  });

  test("T11: parallel: an abort in the preparation of c2 runs nothing; ends come c2, c3, c1; results in source order", () => {
    asked()
      .and(reply("", ["c1", "c2", "c3"]), toolPrepared(0))
      .when({ type: "abort" })
      .then("abort.requested", "signal.abort")
      .when(toolPrepared(1, { kind: "aborted" }))
      .then(ended(1, "aborted"), started(2), prepare(2))
      .when(toolPrepared(2, { kind: "aborted" }))
      .then(ended(2, "aborted"), skip(0))
      .when({ type: "tool.finished", call: 0, outcome: { kind: "aborted" } })
      .thenAmong(["tool.ended", "tool.resulted"], ended(0, "aborted"), resulted(0), resulted(1), resulted(2));
  });

  test("T11: sequential: an abort in the preparation of c2 keeps it and all later calls from running (INV-T13)", () => {
    asked("sequential")
      .and(reply("", ["c1", "c2", "c3"]), until("tool.run"), toolFinished(0), { type: "abort" })
      .when(toolPrepared(1), toolPrepared(2))
      .thenAmong(
        ["tool.run", "tool.ended", "tool.resulted"],
        ended(1, "aborted"),
        resulted(1),
        ended(2, "aborted"),
        resulted(2),
      );
  });

  test("T13: error and aborted replies keep their calls and get no batch", () => {
    for (const stop of ["error", "aborted"] as const) {
      asked()
        .when(reply("a", ["c1", "c2"], stop))
        .then(
          "message.started",
          { type: "message.ended", message: "a" },
          { type: "turn.ended", message: "a" },
          "trace.ended",
          "listeners.settle",
        );
    }
  });
});
