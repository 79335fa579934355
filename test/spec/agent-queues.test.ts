import { describe, expect, test } from "vitest";
import { brief } from "../../src/testing/brief.ts";
import { ALL, host, user } from "./host.ts";

const call = (id: string, more: object = {}) => ({ id, tool: "work", ...more });

describe.each(ALL)("state, queues and abort of section 5: %s", (kind) => {
  test("A8: the state changes before listeners hear: the message is in the transcript at its message_end", async () => {
    const h = host(kind, { model: [{ calls: [call("c1")] }] });
    const seen: unknown[] = [];
    h.agent.subscribe((event) => {
      const { messages, pendingToolCalls } = h.agent.state;
      if (event.type === "message_end") seen.push(messages.at(-1) === event.message);
      if (event.type.startsWith("tool_execution_")) seen.push([...pendingToolCalls]);
    });
    await h.prompt();
    expect(seen).toEqual([true, true, ["c1"], [], true, true]);
  });

  test("A8: turn_end carries the very messages that message_end told of (INV-G6)", async () => {
    const h = host(kind, { model: [{ calls: [call("c1")] }] });
    await h.prompt();
    const ended = h.events.flatMap((event) => (event.type === "message_end" ? [event.message] : []));
    const [turn] = h.events.flatMap((event) => (event.type === "turn_end" ? [event] : []));
    expect(turn?.message).toBe(ended[1]);
    expect(turn?.toolResults[0]).toBe(ended[2]);
    const end = h.events.at(-1);
    expect(end?.type === "agent_end" && end.messages.every((message, n) => message === ended[n])).toBe(true);
  });

  test("A9: steer and followUp never start a run, and take any message, the same object twice", async () => {
    const h = host(kind);
    const same = user("same");
    h.agent.steer(same);
    h.agent.steer(same);
    h.agent.followUp({ role: "custom", content: "any", timestamp: 0 } as never);
    await h.until(h.time.sleep(10));
    expect(h.lines).toEqual([]);
    await h.prompt();
    expect(h.told.map((line) => line.split("[")[0])).toEqual([
      "user:p",
      "user:same",
      "assistant",
      "user:same",
      "assistant",
      "custom:any",
      "assistant",
    ]);
  });

  test("A9: hasQueuedMessages and peekQueuedMessages: steering first, else follow-ups, by the mode, taking nothing", () => {
    const { agent } = host(kind);
    const peek = () => agent.peekQueuedMessages().map(brief);
    expect([agent.hasQueuedMessages(), peek()]).toEqual([false, []]);
    for (const text of ["f1", "f2"]) agent.followUp(user(text));
    expect([agent.hasQueuedMessages(), peek()]).toEqual([true, ["user:f1"]]);
    agent.followUpMode = "all";
    expect(peek()).toEqual(["user:f1", "user:f2"]);
    for (const text of ["s1", "s2"]) agent.steer(user(text));
    expect(peek()).toEqual(["user:s1"]);
    agent.steeringMode = "all";
    expect(peek()).toEqual(["user:s1", "user:s2"]);
    expect([agent.steeringMode, agent.followUpMode]).toEqual(["all", "all"]);
    expect(peek()).toEqual(["user:s1", "user:s2"]);
  });

  test("A9: each queue is cleared alone, or both", () => {
    const h = host(kind);
    const fill = () => {
      h.agent.steer(user("s"));
      h.agent.followUp(user("f"));
    };
    fill();
    h.agent.clearSteeringQueue();
    expect(h.leftovers).toEqual(["f"]);
    h.agent.clearFollowUpQueue();
    expect(h.leftovers).toEqual([]);
    fill();
    h.agent.clearAllQueues();
    expect(h.leftovers).toEqual([]);
  });

  test("A9: both queues take one message at a time unless they are told otherwise", () => {
    expect([host(kind).agent.steeringMode, host(kind).agent.followUpMode]).toEqual(["one-at-a-time", "one-at-a-time"]);
    const { agent } = host(kind, { steeringMode: "all", followUpMode: "all" });
    expect([agent.steeringMode, agent.followUpMode]).toEqual(["all", "all"]);
  });

  test("A10: abort only signals: it returns at once, the run ends by itself, and the queues stay", async () => {
    const h = host(kind, { model: [{ text: "a", takes: 5 }] });
    const run = h.agent.prompt("p");
    const { signal } = h.agent;
    h.agent.followUp(user("f"));
    const aborted = h.time.sleep(1).then(() => {
      h.agent.abort();
      return [signal?.aborted, h.agent.state.isStreaming];
    });
    await h.until(run);
    expect(await aborted).toEqual([true, true]);
    expect(h.time.now).toBe(5);
    expect(h.leftovers).toEqual(["f"]);
  });

  test("A10: a new run gets a fresh signal", async () => {
    const h = host(kind, { model: [{ text: "a", takes: 5 }, { text: "b" }] });
    void h.time.sleep(1).then(() => h.agent.abort());
    await h.prompt();
    expect(h.agent.signal).toBe(undefined);
    h.agent.abort();
    await h.prompt("again");
    expect(h.told.slice(-3)).toEqual(["assistant[aborted]:", "user:again", "assistant[stop]:b"]);
  });

  test("A11: a subscription lives until it is removed: over runs, failures and reset", async () => {
    const h = host(kind, { model: [{ throws: "broke" }] });
    await h.prompt();
    h.agent.reset();
    await h.prompt();
    expect(h.only("agent_end")).toHaveLength(2);
  });

  test("L13: prepareNextTurnWithContext wins over prepareNextTurn", async () => {
    const asked: string[] = [];
    const slots = {
      prepareNextTurn: () => void asked.push("prepareNextTurn"),
      prepareNextTurnWithContext: () => void asked.push("prepareNextTurnWithContext"),
    };
    const model = [{ calls: [call("c1")] }];
    await host(kind, { model, ...(slots as object) }).prompt();
    await host(kind, { model, ...({ prepareNextTurn: slots.prepareNextTurn } as object) }).prompt();
    expect(asked).toEqual(["prepareNextTurnWithContext", "prepareNextTurn"]);
  });

  test("L14: a run works on the messages and tools of its start: assigning them in mid-run changes the next run only", async () => {
    const h = host(kind, { model: [{ calls: [call("c1")] }, { calls: [call("c2")] }] });
    h.on(
      "turn_start",
      () => {
        h.agent.state.messages = [user("other")];
        h.agent.state.tools = [];
      },
      2,
    );
    await h.prompt();
    expect(h.requests.map((messages) => messages[0])).toEqual(["user:p", "user:p", "user:p"]);
    expect(h.told.filter((line) => line.startsWith("toolResult"))).toEqual([
      "toolResult(c1):c1 ok",
      "toolResult(c2):c2 ok",
    ]);
    await h.prompt("next");
    expect(h.requests.at(-1)?.[0]).toBe("user:other");
  });
});
