import type { AgentEvent } from "@earendil-works/pi-agent-core";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { AgentOptions } from "../../src/pi/agent-options.ts";
import type { AgentListener } from "../../src/pi/listeners.ts";
import { LIFECYCLE_EVENTS } from "../../src/testing/lifecycle-events.ts";
import { type Host, OURS, ourHost, user } from "./host.ts";

const call = (id: string, more: object = {}) => ({ id, tool: "work", ...more });
const MODEL = [
  { text: "a", chunks: 2, takes: 1 },
  { calls: [call("c1", { updates: 2, takes: 2 }), call("c2", { updates: 1, takes: 1 })] },
  { calls: [call("c3", { throws: "broke" })] },
  { text: "b", stop: "error" as const, error: "no" },
];

/** A run with every type of event, while a guest does something in each event of some types. */
const play = async (kind: (typeof OURS)[number], guest?: AgentListener, options: Partial<AgentOptions> = {}) => {
  const h = ourHost(kind, { model: MODEL, ...options });
  if (guest) h.agent.subscribe(guest);
  const after: string[] = [];
  h.agent.subscribe(({ type }) => void after.push(type));
  h.agent.steer(user("s"));
  h.agent.followUp(user("f"));
  await h.prompt();
  return { h, after };
};

const outcome = (h: ReturnType<typeof ourHost>) => ({
  lines: h.lines,
  transcript: h.transcript,
  leftovers: h.leftovers,
  requests: h.requests,
  records: [...h.agent.log].map(({ type, id }) => [type, id]),
});

const silenced = () => vi.spyOn(console, "error").mockImplementation(() => {});

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(OURS)("law 6: a listener is a guest, in %s", (kind) => {
  const throwing =
    (type: AgentEvent["type"], how: "sync" | "async"): AgentListener =>
    (event) => {
      if (event.type !== type) return undefined;
      if (how === "async") return Promise.reject(new Error("guest"));
      throw new Error("guest");
    };

  test.each(LIFECYCLE_EVENTS.flatMap((type) => [[type, "sync"] as const, [type, "async"] as const]))(
    "E12, E13: a listener that throws in every %s (%s) is reported and changes nothing",
    async (type, how) => {
      const reports: unknown[][] = [];
      const guest = throwing(type, how);
      const quiet = await play(kind);
      const loud = await play(kind, guest, {
        onListenerError: (...report) => {
          reports.push(report);
        },
      });
      expect(outcome(loud.h)).toEqual(outcome(quiet.h));
      expect(loud.after).toEqual(loud.h.events.map((event) => event.type));
      const told = loud.h.events.filter((event) => event.type === type);
      expect(told.length).toBeGreaterThan(0);
      expect(reports).toEqual(told.map((event) => [new Error("guest"), event, guest]));
    },
  );

  test.each(["sync", "async"] as const)(
    "E13: an onListenerError that throws (%s) changes nothing, and both are printed",
    async (how) => {
      const printed = silenced();
      const quiet = await play(kind);
      let calls = 0;
      const onListenerError = (): void => {
        calls += 1;
        throw new Error("the handler broke");
      };
      const onListenerErrorAsync = (async () => onListenerError()) as unknown as () => void;
      const loud = await play(kind, throwing("turn_end", "sync"), {
        onListenerError: how === "sync" ? onListenerError : onListenerErrorAsync,
      });
      await loud.h.until(loud.h.time.sleep(1));
      expect(outcome(loud.h)).toEqual(outcome(quiet.h));
      expect(calls).toBe(4);
      expect(printed).toHaveBeenCalledTimes(4);
    },
  );

  test("law 6: without onListenerError the fault is printed", async () => {
    const printed = silenced();
    const { h } = await play(kind, throwing("agent_end", "sync"));
    expect(h.lines.at(-1)).toMatch(/^agent_end/);
    expect(printed).toHaveBeenCalledOnce();
    expect(printed.mock.calls[0]).toContainEqual(new Error("guest"));
  });

  test("law 6: a listener that throws something without a text changes nothing", async () => {
    const nothing: unknown[] = [undefined, null, Object.create(null), Symbol("s"), 0];
    const reports: unknown[] = [];
    const { h } = await play(
      kind,
      () => {
        throw nothing[reports.length % nothing.length];
      },
      { onListenerError: (error) => void reports.push(error) },
    );
    expect(reports).toHaveLength(h.events.length);
    expect(h.only("agent_end")).toHaveLength(1);
  });

  test("law 6: a slow listener is waited for, where Pi waits", async () => {
    const quiet = await play(kind);
    const slow: { current?: Host["time"] } = {};
    const h = ourHost(kind, { model: MODEL });
    slow.current = h.time;
    h.agent.subscribe(() => slow.current?.sleep(3));
    h.agent.steer(user("s"));
    h.agent.followUp(user("f"));
    await h.prompt();
    expect(h.transcript).toEqual(quiet.h.transcript);
    expect(h.time.now).toBeGreaterThan(quiet.h.time.now + 3 * 20);
  });

  test("law 6: what a listener does to the event's own fields does not reach the engine's decisions", async () => {
    const quiet = await play(kind);
    const { h } = await play(kind, (event) => {
      if (event.type === "turn_end") event.toolResults = [];
      if (event.type === "agent_end") event.messages = [];
    });
    expect(h.transcript).toEqual(quiet.h.transcript);
    expect(h.requests).toEqual(quiet.h.requests);
  });
});
