import { describe, expect, test } from "vitest";
import { queued } from "../../src/engine/queue.ts";
import type { LogRecord } from "../../src/protocol/log-record.ts";
import { replay } from "../../src/replay/replay.ts";
import type { Call } from "../../src/testing/scenario.ts";
import { type HostOptions, OURS, ourHost, resumedHost, text, tool, user } from "./host.ts";

/** A program in which hooks fail and calls repeat their ids. */
const troubled = (): HostOptions => {
  let turns = 0;
  return {
    tools: [
      tool("work", async (id) => text(`${id} ok`), { replay: "safe" }),
      tool("risk", async (id) => text(`${id} ok`)),
    ],
    model: (conversation) => {
      const since = conversation.slice(conversation.findLastIndex((line) => line.startsWith("assistant")) + 1);
      if (since.includes("user:error")) return { text: "half", chunks: 1, stop: "error", error: "broke" };
      if (!since.some((line) => line.startsWith("user:tools"))) return { text: "a" };
      const [c1, again, c2] = ["work", "risk", "risk"].map((name, n) => ({ id: n === 2 ? "c2" : "c1", tool: name }));
      return { calls: [c1, again, c2] as Call[] };
    },
    prepareNextTurnWithContext: () => {
      turns += 1;
      if (turns === 2) throw new Error("the hook broke");
      return undefined;
    },
  };
};

const recorded = async (kind: (typeof OURS)[number]) => {
  const h = ourHost(kind, troubled());
  h.agent.steer(user("s1"));
  await h.prompt("error");
  h.agent.steer(user("s2"));
  h.agent.followUp(user("f1"));
  h.on("tool_execution_start", () => h.agent.abort(), 2);
  await h.prompt("tools");
  h.agent.steer(user("s3"));
  h.agent.clearSteeringQueue();
  h.agent.state.messages = [user("edited")];
  await h.prompt("tools again");
  h.agent.followUp(user("f2"));
  h.agent.followUp(user("f3"));
  await h.until(h.agent.continue());
  h.agent.reset();
  h.agent.steer(user("s4"));
  await h.prompt("last");
  return h;
};

/** For every message that was queued, what became of it. */
const fates = (records: readonly LogRecord[]): Record<string, string[]> => {
  const all: Record<string, string[]> = {};
  for (const { facts } of replay(records)) {
    for (const fact of facts) {
      if (fact.type === "input.accepted") all[fact.message] = [];
      if (fact.type === "input.delivered") all[fact.message]?.push("delivered");
      if (fact.type === "input.returned" || fact.type === "input.lost") {
        for (const id of fact.messages) all[id]?.push(fact.type);
      }
    }
  }
  const [state] = [...replay(records)].slice(-1).map((step) => step.state);
  if (state) for (const id of [...queued(state, "steering"), ...queued(state, "followUp")]) all[id]?.push("queued");
  return all;
};

/** Messages with calls, each with the results that follow it directly. */
const pairs = (conversation: readonly string[]): [calls: string[], results: string[]][] =>
  conversation.flatMap((line, n) => {
    if (!/^assistant\[toolUse\].*>/.test(line)) return [];
    const next = conversation.slice(n + 1).findIndex((other) => !other.startsWith("toolResult"));
    const results = conversation.slice(n + 1, next < 0 ? undefined : n + 1 + next);
    return [[(line.split(">")[1] ?? "").split(","), results.map((other) => other.match(/\(([^)]*)\)/)?.[1] ?? "")]];
  });

describe.each(OURS)(
  "law 4 and law 5: a run with failures, aborts, edits and resets that ends anywhere, in %s",
  (kind) => {
    test("law 4: it is taken up with exactly one result for each call, repeated ids too, and comes to rest", async () => {
      const { agent } = await recorded(kind);
      const records = [...agent.log];
      expect(new Set(records.map(({ type }) => type))).toEqual(
        new Set([
          ...["log.opened", "steer", "followUp", "prompt", "continue", "abort", "reset", "editTranscript"],
          ...[
            "clearSteering",
            "tools.declared",
            "trace.opened",
            "model.started",
            "model.replied",
            "tool.prepared",
            "tool.finished",
            "turn.closed",
            "turn.prepared",
            "run.failed",
            "trace.closed",
          ],
        ]),
      );
      for (let length = 1; length <= records.length; length++) {
        const h = resumedHost(records.slice(0, length), troubled());
        await h.until(h.agent.resume());
        const at = `prefix of ${length} records, the last is ${records[length - 1]?.type}`;
        expect([h.agent.outstanding, h.agent.state.isStreaming], at).toEqual([[], false]);
        for (const conversation of [h.transcript, ...h.requests]) {
          for (const [calls, results] of pairs(conversation)) expect(results, at).toEqual(calls);
        }
        await h.prompt("alive");
        expect(
          h.transcript.some((line) => line === "user:alive"),
          at,
        ).toBe(true);
        expect(resumedHost([...h.agent.log]).transcript, at).toEqual(h.transcript);
      }
    });

    test("law 5: every queued message has exactly one fate at every moment: delivered once, queued or returned", async () => {
      const { agent } = await recorded(kind);
      const records = [...agent.log];
      for (let length = 1; length <= records.length; length++) {
        for (const [id, fate] of Object.entries(fates(records.slice(0, length)))) {
          const inLimbo = kind === "pi-1.6" && fate.length === 0;
          expect(fate.length === 1 || inLimbo, `${id}: ${fate} after ${length} records`).toBe(true);
          if (kind === "strict") expect(fate).not.toContain("input.lost");
        }
      }
      const last = Object.values(fates(records)).flat();
      expect(last).toContain("delivered");
      expect(last).toContain("input.returned");
    });
  },
);
