import { describe, expect, test } from "vitest";
import { ALL, type Host, type HostOptions, host, type Kind, user } from "./host.ts";

const call = (id: string, more: object = {}) => ({ id, tool: "work", ...more });

/** s1, s2 and f1 are queued, then the run is aborted. */
const queueAndAbort = (h: Host) => () => {
  for (const text of ["s1", "s2"]) h.agent.steer(user(text));
  h.agent.followUp(user("f1"));
  h.agent.abort();
};

interface Row {
  readonly phase: string;
  readonly run: (h: Host) => Promise<void>;
  readonly options?: HostOptions;
  /** What is told from the abort on, and what stays queued: by Pi, and in strict. */
  readonly pi: readonly [told: string[], left: string[]];
  readonly strict: readonly [told: string[], left: string[]];
}

const ALL_LEFT = ["s1", "s2", "f1"];
const BATCH = { model: [{ calls: [call("c1", { takes: 2, honorsAbort: true }), call("c2", { takes: 9 })] }] };

const ROWS: readonly Row[] = [
  {
    phase: "idle: a no-op",
    run: async (h) => {
      queueAndAbort(h)();
      h.agent.steeringMode = "all";
      await h.prompt();
    },
    pi: [
      [
        "user:p",
        "user:s1",
        "user:s2",
        "assistant[stop]:(script exhausted)",
        "user:f1",
        "assistant[stop]:(script exhausted)",
      ],
      [],
    ],
    strict: [
      [
        "user:p",
        "user:s1",
        "user:s2",
        "assistant[stop]:(script exhausted)",
        "user:f1",
        "assistant[stop]:(script exhausted)",
      ],
      [],
    ],
  },
  {
    phase: "Turn 1, before the request: the prompt, then an aborted message",
    run: (h) => h.on("turn_start", queueAndAbort(h)).prompt(),
    pi: [
      ["user:p", "user:s1", "assistant[aborted]:"],
      ["s2", "f1"],
    ],
    strict: [["user:p", "assistant[aborted]:"], ALL_LEFT],
  },
  {
    phase: "streaming: the partial is kept",
    options: { model: [{ text: "a", chunks: 3, takes: 1 }] },
    run: (h) => h.on("message_update", queueAndAbort(h), 3).prompt(),
    pi: [["user:p", "assistant[aborted]:a+"], ALL_LEFT],
    strict: [["user:p", "assistant[aborted]:a+"], ALL_LEFT],
  },
  {
    phase: "tool batch, sequential: the running tool decides its result, the others are aborted",
    options: { ...BATCH, toolExecution: "sequential" },
    run: (h) => {
      void h.time.sleep(1).then(queueAndAbort(h));
      return h.prompt();
    },
    pi: [
      [
        "user:p",
        "assistant[toolUse]:>c1,c2",
        "toolResult(c1)!:cancelled",
        "toolResult(c2)!:Operation aborted",
        "user:s1",
        "assistant[aborted]:",
      ],
      ["s2", "f1"],
    ],
    strict: [
      [
        "user:p",
        "assistant[toolUse]:>c1,c2",
        "toolResult(c1)!:cancelled",
        "toolResult(c2)!:Operation aborted",
        "assistant[aborted]:",
      ],
      ALL_LEFT,
    ],
  },
  {
    phase: "tool batch, parallel: running tools see the signal or run on",
    options: BATCH,
    run: (h) => {
      void h.time.sleep(1).then(queueAndAbort(h));
      return h.prompt();
    },
    pi: [
      [
        "user:p",
        "assistant[toolUse]:>c1,c2",
        "toolResult(c1)!:cancelled",
        "toolResult(c2):c2 ok",
        "user:s1",
        "assistant[aborted]:",
      ],
      ["s2", "f1"],
    ],
    strict: [
      [
        "user:p",
        "assistant[toolUse]:>c1,c2",
        "toolResult(c1)!:cancelled",
        "toolResult(c2):c2 ok",
        "assistant[aborted]:",
      ],
      ALL_LEFT,
    ],
  },
  {
    phase: "tool batch, parallel, in preparation: nothing starts any more",
    options: BATCH,
    run: (h) => h.on("tool_execution_start", queueAndAbort(h), 2).prompt(),
    pi: [
      [
        "user:p",
        "assistant[toolUse]:>c1,c2",
        "toolResult(c1)!:Operation aborted",
        "toolResult(c2)!:Operation aborted",
        "user:s1",
        "assistant[aborted]:",
      ],
      ["s2", "f1"],
    ],
    strict: [
      [
        "user:p",
        "assistant[toolUse]:>c1,c2",
        "toolResult(c1)!:Operation aborted",
        "toolResult(c2)!:Operation aborted",
        "assistant[aborted]:",
      ],
      ALL_LEFT,
    ],
  },
  {
    phase: "a batch where all results terminate: no aborted message",
    options: { model: [{ calls: [call("c1", { takes: 2, terminate: true })] }] },
    run: (h) => {
      void h.time.sleep(1).then(() => h.agent.abort());
      return h.prompt();
    },
    pi: [["user:p", "assistant[toolUse]:>c1", "toolResult(c1):c1 ok"], []],
    strict: [["user:p", "assistant[toolUse]:>c1", "toolResult(c1):c1 ok"], []],
  },
  {
    phase: "turn_end listener of a non-final turn",
    options: { model: [{ calls: [call("c1")] }] },
    run: (h) => h.on("turn_end", queueAndAbort(h)).prompt(),
    pi: [
      ["user:p", "assistant[toolUse]:>c1", "toolResult(c1):c1 ok", "user:s1", "assistant[aborted]:"],
      ["s2", "f1"],
    ],
    strict: [["user:p", "assistant[toolUse]:>c1", "toolResult(c1):c1 ok", "assistant[aborted]:"], ALL_LEFT],
  },
  {
    phase: "turn_end listener of the would-be-final turn, queues empty: nothing marks the abort",
    run: (h) => h.on("turn_end", () => h.agent.abort()).prompt(),
    pi: [["user:p", "assistant[stop]:(script exhausted)"], []],
    strict: [["user:p", "assistant[stop]:(script exhausted)"], []],
  },
  {
    phase: "the same, f1 and f2 queued",
    run: (h) =>
      h
        .on("turn_end", () => {
          for (const text of ["f1", "f2"]) h.agent.followUp(user(text));
          h.agent.abort();
        })
        .prompt(),
    pi: [["user:p", "assistant[stop]:(script exhausted)", "user:f1", "assistant[aborted]:"], ["f2"]],
    strict: [
      ["user:p", "assistant[stop]:(script exhausted)"],
      ["f1", "f2"],
    ],
  },
  {
    phase: "prepareNextTurn: what was drained is delivered, then aborted",
    options: { model: [{ text: "a" }] },
    run: (h) => {
      h.on("turn_end", () => h.agent.steer(user("s1")));
      (h.agent as { prepareNextTurn?: unknown }).prepareNextTurn = async () => {
        h.agent.steer(user("s2"));
        h.agent.followUp(user("f1"));
        h.agent.abort();
      };
      return h.prompt();
    },
    pi: [
      ["user:p", "assistant[stop]:a", "user:s1", "assistant[aborted]:"],
      ["s2", "f1"],
    ],
    strict: [["user:p", "assistant[stop]:a"], ALL_LEFT],
  },
  {
    phase: "agent_end listeners: no effect",
    run: (h) => h.on("agent_end", queueAndAbort(h)).prompt(),
    pi: [["user:p", "assistant[stop]:(script exhausted)"], ALL_LEFT],
    strict: [["user:p", "assistant[stop]:(script exhausted)"], ALL_LEFT],
  },
];

describe.each(ALL)("abort, by phase (3.3) with %s", (kind: Kind) => {
  test.each(ROWS)("3.3 $phase", async ({ run, options, pi, strict }) => {
    const h = host(kind, options);
    await run(h);
    const [told, left] = kind === "strict" ? strict : pi;
    expect(h.told).toEqual(told);
    expect(h.leftovers).toEqual(left);
    expect(h.only("agent_end")).toHaveLength(1);
    expect(h.only("turn_start")).toHaveLength(h.only("turn_end").length);
    expect(h.agent.state.isStreaming).toBe(false);
  });

  test("L16: a tool that ignores the signal completes with its real result", async () => {
    const h = host(kind, { model: [{ calls: [call("c1", { takes: 5, result: "real" })] }] });
    void h.time.sleep(1).then(() => h.agent.abort());
    await h.prompt();
    expect(h.told).toContain("toolResult(c1):real");
  });

  test("L16: abort consumes at most one drain in Pi, and nothing in strict (INV-Q11)", async () => {
    const h = host(kind, { steeringMode: "all", model: [{ calls: [call("c1")] }] });
    h.on("turn_end", queueAndAbort(h));
    await h.prompt();
    expect(h.leftovers).toEqual(kind === "strict" ? ALL_LEFT : ["f1"]);
  });

  test("L17: the aborted message has an errorMessage and sets state.errorMessage at turn_end", async () => {
    const h = host(kind, { model: [{ text: "a", takes: 5 }] });
    const seen: (string | undefined)[] = [];
    for (const type of ["message_end", "turn_end"] as const) {
      h.on(type, () => seen.push(h.agent.state.errorMessage), type === "message_end" ? 2 : 1);
    }
    void h.time.sleep(1).then(() => h.agent.abort());
    await h.prompt();
    expect(seen).toEqual([undefined, "Request was aborted"]);
    expect(h.agent.state.messages.at(-1)).toMatchObject({ stopReason: "aborted", errorMessage: "Request was aborted" });
  });

  test("L18: a whole message despite the abort is not aborted: its calls are, and the next request", async () => {
    const h = host(kind, { model: [{ calls: [call("c1"), call("c2")] }] });
    h.on("message_start", () => h.agent.abort(), 2);
    await h.prompt();
    expect(h.told).toEqual([
      "user:p",
      "assistant[toolUse]:>c1,c2",
      "toolResult(c1)!:Operation aborted",
      "toolResult(c2)!:Operation aborted",
      "assistant[aborted]:",
    ]);
  });
});
