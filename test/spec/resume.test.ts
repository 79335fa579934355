import { describe, expect, test } from "vitest";
import { decodeLog, encodeRecord } from "../../src/log/codec.ts";
import { LIMITS } from "../../src/protocol/limits.ts";
import type { LogRecord } from "../../src/protocol/log-record.ts";
import { fold } from "../../src/replay/replay.ts";
import type { Reply } from "../../src/testing/scenario.ts";
import { type HostOptions, notingTool, OURS, ourHost, resumedHost, text, tool, user } from "./host.ts";

const SCRIPT: readonly Reply[] = [
  {
    text: "a",
    chunks: 1,
    calls: [
      { id: "c1", tool: "safe" },
      { id: "c2", tool: "unsafe" },
      { id: "c3", tool: "gone" },
    ],
  },
  {
    calls: [
      { id: "c4", tool: "unsafe" },
      { id: "c5", tool: "blocked" },
    ],
  },
  { text: "b" },
  { text: "c", chunks: 1 },
];
const LOST =
  "The tool call was interrupted and its outcome is unknown. Check whether it took effect before you repeat it.";

/** A program with every kind of effect; what it answers follows from the conversation alone. */
const program = (toolExecution: "parallel" | "sequential", runs: string[] = []): HostOptions => {
  const noting = (name: string, more = {}) =>
    tool(
      name,
      async (id) => {
        runs.push(id);
        return text(`${id} ok`);
      },
      more,
    );
  return {
    toolExecution,
    tools: [noting("safe", { replay: "safe" }), noting("unsafe"), noting("blocked")],
    model: (conversation) => SCRIPT[conversation.filter((line) => line.startsWith("assistant")).length] ?? {},
    beforeToolCall: async ({ toolCall }) => (toolCall.name === "blocked" ? { block: true, reason: "no" } : undefined),
    finishTurn: () => undefined,
    prepareRequest: () => undefined,
    prepareNextTurnWithContext: () => undefined,
  };
};

const recorded = async (kind: (typeof OURS)[number], toolExecution: "parallel" | "sequential") => {
  const h = ourHost(kind, program(toolExecution));
  for (const [queue, name] of [
    ["steer", "s1"],
    ["steer", "s2"],
    ["followUp", "f1"],
  ] as const)
    h.agent[queue](user(name));
  await h.prompt();
  return h;
};

/** As a file would bring them. */
const stored = (records: readonly LogRecord[]) => decodeLog(records.map(encodeRecord).join("\n"), "test.jsonl");

/** The calls whose tools were running when the log ended. */
const runningCalls = (records: readonly LogRecord[]): string[] => {
  const { batch, outstanding } = fold(records);
  return outstanding.flatMap((effect) =>
    effect.type === "tool.run" ? [batch?.context.calls[effect.call]?.id ?? ""] : [],
  );
};

/** Each call of a conversation with the number of its results right after its message. */
const unpaired = (conversation: readonly string[]): string[] => {
  const calls = conversation.flatMap((line) =>
    /^assistant.*>/.test(line) ? (line.split(">")[1] ?? "").split(",") : [],
  );
  const results = conversation.flatMap((line) => line.match(/^toolResult\(([^)]*)\)/)?.[1] ?? []);
  return [...calls, ...results].filter(
    (id) => calls.indexOf(id) < 0 || results.filter((other) => other === id).length !== 1,
  );
};

interface Prefix {
  /** For messages of failed expectations. */
  readonly at: string;
  readonly records: readonly LogRecord[];
  /** Whether the log has come to the prompt. */
  readonly isPrompted: boolean;
  /** The calls whose tools were running. */
  readonly running: readonly string[];
  /** The ids of the calls that the resumed agent runs. */
  readonly runs: string[];
  readonly h: ReturnType<typeof resumedHost>;
}

/** Every beginning of a log, each with an agent that took it over. */
function* prefixes(records: readonly LogRecord[], toolExecution: "parallel" | "sequential"): Generator<Prefix> {
  for (let length = 1; length <= records.length; length++) {
    const prefix = records.slice(0, length);
    const runs: string[] = [];
    yield {
      at: `prefix of ${length} records, the last is ${prefix.at(-1)?.type}`,
      records: prefix,
      isPrompted: prefix.some(({ type }) => type === "prompt"),
      running: runningCalls(prefix),
      runs,
      h: resumedHost(stored(prefix), program(toolExecution, runs)),
    };
  }
}

describe.each(OURS.flatMap((kind) => [[kind, "parallel"] as const, [kind, "sequential"] as const]))(
  "law 4: a run of %s (%s) that ends anywhere is taken up",
  (kind, toolExecution) => {
    test("law 4: at every prefix the transcript, the queues and what is outstanding are those of that moment", async () => {
      const original = await recorded(kind, toolExecution);
      for (const { at, records, h } of prefixes([...original.agent.log], toolExecution)) {
        expect(h.agent.outstanding, at).toEqual(fold(records).outstanding);
        expect(original.transcript.slice(0, h.transcript.length), at).toEqual(h.transcript);
        const waiting = records
          .flatMap(({ type }, n) => (type === "steer" || type === "followUp" ? [["s1", "s2", "f1"][n - 1]] : []))
          .filter((name) => !h.transcript.includes(`user:${name}`));
        if (kind === "strict") expect(h.leftovers, at).toEqual(waiting);
        else expect(waiting, at).toEqual(expect.arrayContaining(h.leftovers));
      }
    });

    test("law 4: at every prefix the run comes to the same end; only calls that were running may be lost", async () => {
      const original = await recorded(kind, toolExecution);
      const end = original.transcript;
      expect(end.filter((line) => line.startsWith("user"))).toEqual(["user:p", "user:s1", "user:s2", "user:f1"]);
      expect(end.at(-1)).toBe("assistant[stop]:c");
      for (const { at, isPrompted, running, h } of prefixes([...original.agent.log], toolExecution)) {
        await h.until(h.agent.resume());
        const withLost = end.map((line) => {
          const id = /^toolResult\((c2|c4)\)/.exec(line)?.[1] ?? "";
          return running.includes(id) ? `toolResult(${id})!:${LOST}` : line;
        });
        expect(h.transcript, at).toEqual(isPrompted ? withLost : []);
        expect(h.leftovers.length > 0 && isPrompted, at).toBe(false);
        expect([h.agent.outstanding, h.agent.state.isStreaming], at).toEqual([[], false]);
        expect(resumedHost(stored([...h.agent.log])).agent.digest(), at).toBe(h.agent.digest());
      }
    });

    test("law 4: at every prefix a running tool runs again only if that is safe, and no tool runs twice after it", async () => {
      const original = await recorded(kind, toolExecution);
      for (const { at, running, runs, h } of prefixes([...original.agent.log], toolExecution)) {
        await h.until(h.agent.resume());
        expect(new Set(runs).size, at).toBe(runs.length);
        for (const id of running) expect(runs.includes(id), `${id}, ${at}`).toBe(id === "c1");
      }
    });

    test("law 4: at every prefix the model is given each call with exactly one result (INV-T10)", async () => {
      const original = await recorded(kind, toolExecution);
      for (const { at, h } of prefixes([...original.agent.log], toolExecution)) {
        await h.until(h.agent.resume());
        for (const request of h.requests) expect(unpaired(request), at).toEqual([]);
      }
    });

    test("law 4: it may end again while it is taken up, at every place", async () => {
      const original = await recorded(kind, toolExecution);
      const records = [...original.agent.log];
      for (let length = 1; length < records.length; length += 3) {
        const first = resumedHost(stored(records.slice(0, length)), program(toolExecution));
        await first.until(first.agent.resume());
        const again = [...first.agent.log];
        for (let more = length + 1; more < again.length; more += 4) {
          const h = resumedHost(stored(again.slice(0, more)), program(toolExecution));
          await h.until(h.agent.resume());
          expect(unpaired(h.transcript), `${length}, ${more}`).toEqual([]);
          expect(
            h.transcript.map((line) => line.replace(/\)!?:.*/, ")")),
            `${length}, ${more}`,
          ).toEqual(first.transcript.map((line) => line.replace(/\)!?:.*/, ")")));
          expect(h.agent.outstanding).toEqual([]);
        }
      }
    });
  },
);

/** The records up to the first moment at which an effect of this kind is outstanding. */
const cutAt = (records: readonly LogRecord[], effect: string): readonly LogRecord[] => {
  for (let length = 1; length <= records.length; length++) {
    const prefix = records.slice(0, length);
    if (fold(prefix).outstanding.some(({ type }) => type === effect)) return prefix;
  }
  throw new Error(`Nothing asks for ${effect}`);
};

describe.each(OURS)("law 4: what is taken up, in %s", (kind) => {
  test("nothing starts by itself; a new run is refused until resume(), a steer is taken", async () => {
    const records = cutAt([...(await recorded(kind, "parallel")).agent.log], "model.request");
    const h = resumedHost(records, program("parallel"));
    await h.until(h.time.sleep(10));
    expect([h.requests, h.lines]).toEqual([[], []]);
    expect(h.agent.state.isStreaming).toBe(true);
    await expect(h.agent.prompt("other")).rejects.toMatchObject({ code: "interrupted" });
    await expect(h.agent.continue()).rejects.toMatchObject({ code: "interrupted" });
    h.agent.steer(user("late"));
    await h.until(h.agent.resume());
    expect(h.transcript).toContain("user:late");
  });

  test("resume() of a log that is at rest does nothing; a second resume() while it runs starts nothing", async () => {
    const { agent } = await recorded(kind, "parallel");
    const rest = resumedHost([...agent.log], program("parallel"));
    await rest.until(rest.agent.resume());
    expect([rest.lines, rest.agent.log.length]).toEqual([[], agent.log.length]);
    const h = resumedHost(cutAt([...agent.log], "model.request"), program("parallel"));
    const first = h.agent.resume();
    await h.until(h.agent.resume());
    await h.until(first);
    expect(h.only("agent_end")).toHaveLength(1);
    expect([...h.agent.log].filter(({ type }) => type === "log.resumed")).toHaveLength(1);
  });

  test("the model is asked again as the next attempt; the count is in the log", async () => {
    const records = cutAt([...(await recorded(kind, "parallel")).agent.log], "model.request");
    const h = resumedHost(records, program("parallel"));
    await h.until(h.agent.resume());
    expect(h.requests[0]).toEqual(["user:p", "user:s1"]);
    expect([...h.agent.log].find(({ type }) => type === "model.replied")?.id).toBe("t1/n1/model#2");
  });

  test("a request that was tried as often as the limit allows is tried no more: the turn ends in an error", async () => {
    let records = cutAt([...(await recorded(kind, "parallel")).agent.log], "model.request");
    for (let attempt = 2; attempt <= LIMITS.modelAttempts; attempt++) {
      const seq = records.length;
      records = [...records, { seq, id: `${seq}`, at: 0, type: "log.resumed" }];
    }
    const h = resumedHost(records, program("parallel"));
    await h.until(h.agent.resume());
    expect(h.requests).toEqual([]);
    expect(h.agent.state.errorMessage).toBe("The model request was tried as often as the limit allows.");
    expect(h.agent.state.isStreaming).toBe(false);
  });

  test("an abort that was requested before the end of the process still holds", async () => {
    const records = cutAt([...(await recorded(kind, "parallel")).agent.log], "tool.run");
    const seq = records.length;
    const runs: string[] = [];
    const h = resumedHost([...records, { seq, id: `${seq}`, at: 0, type: "abort" }], program("parallel", runs));
    await h.until(h.agent.resume());
    expect(runs).toEqual([]);
    expect(unpaired(h.transcript)).toEqual([]);
    expect(h.transcript).toContain(`toolResult(c2)!:${LOST}`);
    expect(h.transcript.at(-1)).toBe("assistant[aborted]:");
  });

  test("a call that was prepared and never started is run, once: its outcome is known", async () => {
    const records = [...(await recorded(kind, "parallel")).agent.log];
    const second = records.findIndex((record) => record.type === "tool.prepared" && record.call === 1);
    const runs: string[] = [];
    const h = resumedHost(records.slice(0, second), program("parallel", runs));
    await h.until(h.agent.resume());
    expect(runs.filter((id) => id === "c1" || id === "c2")).toEqual(["c1", "c2"]);
    expect(h.transcript).toContain("toolResult(c2):c2 ok");
    const unsafeFirst = resumedHost(records.slice(0, second + 1), program("parallel", runs));
    await unsafeFirst.until(unsafeFirst.agent.resume());
    expect(unsafeFirst.transcript).toContain("toolResult(c2):c2 ok");
  });

  test("a safe tool runs again with the arguments that the hook gave it (T3)", async () => {
    const seen: unknown[] = [];
    const options: HostOptions = {
      tools: [{ ...notingTool(seen, (_id, args) => ({ ...(args as object) })), replay: "safe" }],
      model: () => ({ calls: [{ id: "c1", tool: "work", args: { path: "/etc" } }] }),
      beforeToolCall: async ({ args }) => void Object.assign(args as object, { path: "./etc" }),
      finishTurn: () => ({ action: "end" }),
    };
    const h = ourHost(kind, options);
    await h.prompt();
    const resumed = resumedHost(cutAt([...h.agent.log], "tool.run"), options);
    await resumed.until(resumed.agent.resume());
    expect(seen).toEqual([{ path: "./etc" }, { path: "./etc" }]);
  });
});
