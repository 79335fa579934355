import type { AgentMessage, AgentTool } from "@earendil-works/pi-agent-core";
import { describe, expect, test } from "vitest";
import { createAssistantMessageEventStream } from "../../src/pi/event-stream.ts";
import { replay } from "../../src/replay/replay.ts";
import { given } from "../../src/testing/given-when-then.ts";
import { scriptedMessage } from "../../src/testing/model-info.ts";
import { until } from "../../src/testing/spec-answers.ts";
import { prompt, reply, toolFinished } from "../../src/testing/spec-inputs.ts";
import { notingTool, ourHost, resumedHost, text, tool, user } from "./host.ts";

const call = (id: string, more: object = {}) => ({ id, tool: "work", ...more });
const results = (lines: readonly string[]) => lines.filter((line) => line.startsWith("toolResult"));

describe("public bug reports: tool-result-pairing", () => {
  test("B53: an abort during a tool gives its call one result, and the next prompt works", async () => {
    const h = ourHost("strict", {
      model: [{ calls: [call("c1", { takes: 9, honorsAbort: true }), call("c2", { takes: 9 })] }],
    });
    void h.time.sleep(1).then(() => h.agent.abort());
    await h.prompt();
    expect(results(h.transcript)).toEqual(["toolResult(c1)!:cancelled", "toolResult(c2):c2 ok"]);
    await h.prompt("next");
    expect(results(h.requests.at(-1) ?? [])).toHaveLength(2);
    expect(h.transcript.at(-1)).toBe("assistant[stop]:(script exhausted)");
  });

  test("B55: a stream cut in mid call: no result without its call, in the transcript and in the next request", async () => {
    const h = ourHost("strict", {
      model: [
        () => {
          const stream = createAssistantMessageEventStream();
          const cut = scriptedMessage([{ type: "toolCall", id: "c1", name: "work", arguments: {} }], "error", "cut");
          stream.push({ type: "start", partial: cut });
          stream.push({ type: "error", reason: "error", error: cut });
          return stream;
        },
      ],
    });
    await h.prompt();
    await h.prompt("next");
    expect(results(h.transcript)).toEqual([]);
    expect(h.requests.at(-1)).toEqual(["user:p", "assistant[error]:>c1", "user:next"]);
  });

  test("B56: a custom message during a tool comes after the turn's results", async () => {
    const custom = { role: "custom", content: "note", timestamp: 0 } as unknown as AgentMessage;
    const h = ourHost("strict", { model: [{ calls: [call("c1", { takes: 5 }), call("c2")] }] });
    void h.time.sleep(2).then(() => h.agent.steer(custom));
    await h.prompt();
    expect(h.transcript.slice(1, 5)).toEqual([
      "assistant[toolUse]:>c1,c2",
      "toolResult(c1):c1 ok",
      "toolResult(c2):c2 ok",
      "custom:note",
    ]);
  });

  test("B58: what comes late from a Trace that is over is ignored: it writes nothing", () => {
    const late = { ...toolFinished(0), id: "t1/n1/call0/run#1" };
    const running = given("strict").and(prompt("A"), until("model.request"), reply("", ["c1"]), until("tool.run"));
    const second = running.and(toolFinished(0, { terminate: true }), until("listeners.settle"), {
      type: "turn.closed",
    });
    second
      .and({ type: "trace.closed" }, prompt("B"), until("model.request"))
      .when(late)
      .then({ type: "outcome.ignored", outcome: "tool.finished", effect: late.id, trace: "t2" });
  });

  test("B61: a call that the output limit cut and its result are kept together", async () => {
    const h = ourHost("strict", { model: [{ calls: [call("c1")], stop: "length" }] });
    await h.prompt();
    expect(h.requests.at(-1)?.slice(1, 3)).toEqual([
      "assistant[length]:>c1",
      expect.stringMatching(/^toolResult\(c1\)!:Tool call "work" was not executed/),
    ]);
  });

  const killed = async (tools: AgentTool[]) => {
    const h = ourHost("strict", { tools, model: [{ calls: [call("c1")] }] });
    await h.prompt();
    const started = [...h.agent.log].findIndex(({ type }) => type === "tool.prepared");
    return [...h.agent.log].slice(0, started + 1);
  };

  test("B62: a turn killed during a tool: the open calls are listed, a step closes them, and the run goes on", async () => {
    const runs: unknown[] = [];
    const h = resumedHost(await killed([notingTool(runs)]), { tools: [notingTool(runs)], model: [{ text: "I see" }] });
    expect(h.agent.outstanding).toEqual([{ type: "tool.run", call: 0, attempt: 1, id: "t1/n1/call0/run#1" }]);
    await h.until(h.agent.resume());
    expect(runs).toEqual(["c1"]);
    expect(h.transcript).toEqual([
      "user:p",
      "assistant[toolUse]:>c1",
      expect.stringMatching(/^toolResult\(c1\)!:/),
      "assistant[stop]:I see",
    ]);
  });

  test("B64: an interrupted call stays, with a result that says that its outcome is unknown", async () => {
    const h = resumedHost(await killed([notingTool([])]), { tools: [notingTool([])], model: [{ text: "I see" }] });
    await h.until(h.agent.resume());
    expect(h.requests[0]?.slice(1)).toEqual([
      "assistant[toolUse]:>c1",
      expect.stringMatching(/^toolResult\(c1\)!:.*interrupted.*outcome is unknown/),
    ]);
  });

  test("B65: progress after the tool has ended emits no update", async () => {
    let late: () => void = () => {};
    const work = tool("work", async (_id, _args, _signal, onUpdate) => {
      late = () => onUpdate?.(text("late"));
      return text("done");
    });
    const h = ourHost("strict", { tools: [work], model: [{ calls: [call("c1")] }] });
    for (const type of ["tool_execution_end", "turn_end", "agent_end"] as const) h.on(type, () => late());
    await h.prompt();
    expect(h.only("tool_execution_update")).toEqual([]);
  });
});

describe("public bug reports: idle-timing", () => {
  test("B70: waiting for idle covers what was queued meanwhile", async () => {
    const h = ourHost("strict", { model: [{ text: "a", takes: 5 }] });
    const run = h.agent.prompt("A");
    const idle = h.agent.waitForIdle().then(() => [h.agent.hasQueuedMessages(), h.agent.state.isStreaming]);
    h.on("turn_end", () => h.agent.followUp(user("B")));
    await h.until(run);
    expect(await idle).toEqual([false, false]);
    expect(h.transcript).toHaveLength(4);
  });

  test("B71: a listener that removes itself while it hears an event makes no other miss it", async () => {
    const h = ourHost("strict");
    const heard: string[] = [];
    const remove = h.agent.subscribe(() => remove());
    h.agent.subscribe(({ type }) => void heard.push(type));
    await h.prompt();
    expect(heard).toEqual(h.events.map(({ type }) => type));
  });

  test("B73: submit if idle is one step: prompt() answers started or busy at once", async () => {
    const h = ourHost("strict");
    const outcomes = await h.until(
      Promise.all(
        ["one", "two"].map((name) =>
          h.agent.prompt(name).then(
            () => "ran",
            (error) => error.code,
          ),
        ),
      ),
    );
    expect(outcomes).toEqual(["ran", "busy-prompt"]);
  });

  test("B74: two prompts with a slow preparation: exactly one run, and busy begins with the preparation", async () => {
    const h = ourHost("strict", {
      transformContext: async (messages) => {
        await h.time.sleep(5);
        return messages;
      },
    });
    const first = h.agent.prompt("P1");
    const later = h.time.sleep(2).then(() => h.agent.prompt("P2").catch((error) => error.code));
    await h.until(first);
    expect(await later).toBe("busy-prompt");
    expect(h.transcript).toEqual(["user:P1", "assistant[stop]:(script exhausted)"]);
  });

  test("B76: a tool that starts, resets or aborts is refused or answered at once: no circular wait", async () => {
    const answers: unknown[] = [];
    const work = tool("work", async () => {
      answers.push(await h.agent.prompt("inner").catch((error) => error.code));
      answers.push(await h.agent.continue().catch((error) => error.code));
      try {
        h.agent.reset();
      } catch (error) {
        answers.push((error as { code: string }).code);
      }
      answers.push(h.agent.abort().outcome);
      return text("done");
    });
    const h = ourHost("strict", { tools: [work], model: [{ calls: [call("c1")] }] });
    await h.prompt();
    expect(answers).toEqual(["busy-prompt", "busy-continue", "busy-reset", "applied"]);
    expect(h.agent.state.isStreaming).toBe(false);
  });

  test("B77: one throwing subscriber starves nobody, and the run is as it would be", async () => {
    const faults: unknown[] = [];
    const h = ourHost("strict", { onListenerError: (error) => void faults.push(error) });
    const heard: string[] = [];
    h.agent.subscribe(({ type }) => {
      if (type === "message_end") throw new Error("guest");
    });
    h.agent.subscribe(({ type }) => void heard.push(type));
    await h.prompt();
    expect(heard).toEqual(h.events.map(({ type }) => type));
    expect(h.transcript).toEqual(["user:p", "assistant[stop]:(script exhausted)"]);
    expect(faults).toEqual([new Error("guest"), new Error("guest")]);
  });

  const frozen = async () => {
    const h = ourHost("strict", { model: [{ text: "a", takes: 5 }] });
    const snapshot = h.time.sleep(1).then(() => [...h.agent.log]);
    await h.prompt();
    return snapshot;
  };

  test("B79: a log that says running without a live owner is interrupted, and can be resumed", async () => {
    const h = resumedHost(await frozen(), { model: [{ text: "again" }] });
    expect(h.agent.outstanding.map(({ type }) => type)).toEqual(["model.request"]);
    await expect(h.agent.prompt("other")).rejects.toMatchObject({ code: "interrupted" });
    await h.until(h.agent.resume());
    await h.prompt("other");
    expect(h.transcript.slice(0, 3)).toEqual(["user:p", "assistant[stop]:again", "user:other"]);
  });

  test("B80: a run whose owner is gone can be aborted and closed without its tool or model", async () => {
    const h = resumedHost(await frozen());
    h.agent.abort();
    await h.until(h.agent.resume());
    expect(h.requests).toEqual([]);
    expect(h.transcript).toEqual(["user:p", "assistant[aborted]:"]);
    h.agent.reset();
    expect(h.transcript).toEqual([]);
  });

  test("B82: a prompt while a run exits is refused; the next one gets a reply that is younger than it", async () => {
    const h = ourHost("strict", { model: [{ text: "to A" }, { text: "to B" }] });
    const early: unknown[] = [];
    h.on("agent_end", async () => early.push(await h.agent.prompt("B").catch((error) => error.code)));
    await h.prompt("A");
    expect(early).toEqual(["busy-prompt"]);
    await h.prompt("B");
    expect(h.requests.at(-1)).toEqual(["user:A", "assistant[stop]:to A", "user:B"]);
    expect(h.transcript.at(-1)).toBe("assistant[stop]:to B");
  });
});

describe("public bug reports: interrupt-race", () => {
  test("B88: an interrupt ends only the Trace that it names", async () => {
    const h = ourHost("strict", { model: [{ text: "a" }, { text: "b", takes: 5 }] });
    await h.prompt("A");
    void h.time.sleep(1).then(() => {
      expect(() => h.agent.abort({ expect: { traceId: "t1" } })).toThrow();
    });
    await h.prompt("B");
    expect(h.transcript.at(-1)).toBe("assistant[stop]:b");
  });

  test("B89: an abort is requested, then confirmed; what comes in between belongs to that Trace", async () => {
    const h = ourHost("strict", { model: [{ calls: [call("c1", { takes: 9, updates: 1 })] }] });
    void h.time.sleep(1).then(() => h.agent.abort());
    await h.prompt();
    const facts = [...replay([...h.agent.log])].flatMap((step) => step.facts);
    const requested = facts.findIndex(({ type }) => type === "abort.requested");
    const confirmed = facts.findIndex(({ type }) => type === "trace.ended");
    const between = facts.slice(requested, confirmed + 1);
    expect(between.map(({ type }) => type)).toContain("tool.ended");
    expect(new Set(between.map(({ trace }) => trace))).toEqual(new Set(["t1"]));
  });

  test("B91: the history shows the interruption and what may have happened, and the next request has it", async () => {
    const h = ourHost("strict", { model: [{ calls: [call("c1", { takes: 9, result: "deleted" })] }] });
    void h.time.sleep(1).then(() => h.agent.abort());
    await h.prompt();
    await h.prompt("unrelated");
    expect(h.requests.at(-1)).toEqual([
      "user:p",
      "assistant[toolUse]:>c1",
      "toolResult(c1):deleted",
      "assistant[aborted]:",
      "user:unrelated",
    ]);
  });

  test("B92: clearing the queue while a prompt runs does not end the wait for it", async () => {
    const h = ourHost("strict", { model: [{ text: "a", takes: 9 }] });
    const run = h.agent.prompt("P");
    const idleAt = h.agent.waitForIdle().then(() => h.time.now);
    h.agent.followUp(user("F"));
    void h.time.sleep(2).then(() => h.agent.clearAllQueues());
    await h.until(run);
    expect(await idleAt).toBe(9);
  });
});
