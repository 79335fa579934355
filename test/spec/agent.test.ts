import type { AgentEvent, AgentMessage } from "@earendil-works/pi-agent-core";
import { describe, expect, test } from "vitest";
import { scriptedMessage } from "../../src/testing/model-info.ts";
import { ALL, host, notingTool, user } from "./host.ts";

const BUSY_PROMPT =
  "Agent is already processing a prompt. Use steer() or followUp() to queue messages, or wait for completion.";
const BUSY_CONTINUE = "Agent is already processing. Wait for completion before continuing.";
const BUSY_RESET = "Agent is already processing. Wait for completion before resetting.";
const answered = (): AgentMessage[] => [user("p"), scriptedMessage([{ type: "text", text: "a" }], "stop")];

describe.each(ALL)("the agent of section 5: %s", (kind) => {
  test("A1: the state: what it starts with, and systemPrompt derived from the transcript", () => {
    const { agent } = host(kind, { systemPrompt: "be brief", tools: [], messages: [user("earlier")] });
    const { state } = agent;
    expect(state.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(state).toMatchObject({ tools: [], thinkingLevel: "off", isStreaming: false, systemPrompt: "be brief" });
    expect([state.streamingMessage, state.errorMessage, state.pendingToolCalls.size]).toEqual([
      undefined,
      undefined,
      0,
    ]);
    state.messages.push({ role: "system", content: "be kind", timestamp: 1 });
    expect(state.systemPrompt).toBe("be brief\n\nbe kind");
  });

  test("A1: assigning tools or messages copies the list", () => {
    const { state } = host(kind).agent;
    const [tools, messages] = [[notingTool([])], answered()];
    state.tools = tools;
    state.messages = messages;
    tools.pop();
    messages.pop();
    expect([state.tools.length, state.messages.length]).toEqual([1, 2]);
  });

  test("A1: streamingMessage follows the open message, errorMessage the last failed turn", async () => {
    const h = host(kind, { model: [{ text: "a", chunks: 1 }, { stop: "error", error: "broke" }, { text: "fine" }] });
    const streaming: (string | undefined)[] = [];
    h.agent.subscribe(({ type }) => {
      const message = h.agent.state.streamingMessage;
      if (/^message_(update|end)|agent_end/.test(type)) streaming.push(message?.role);
    });
    await h.prompt();
    expect(streaming).toEqual([undefined, "assistant", "assistant", "assistant", undefined, undefined]);
    expect(h.agent.state.errorMessage).toBe(undefined);
    await h.prompt();
    expect(h.agent.state.errorMessage).toBe("broke");
    await h.prompt();
    expect(h.agent.state.errorMessage).toBe(undefined);
  });

  test("A2: prompt takes a text with images, a message or messages", async () => {
    const h = host(kind);
    const image = { type: "image", data: "", mimeType: "image/png" } as const;
    await h.until(h.agent.prompt("hello", [image]));
    expect(h.agent.state.messages.at(-2)).toMatchObject({
      role: "user",
      content: [{ type: "text", text: "hello" }, image],
    });
    await h.until(h.agent.prompt([user("one"), user("two")]));
    expect(h.requests.at(-1)?.slice(-2)).toEqual(["user:one", "user:two"]);
  });

  test("A2: prompt when busy is refused with Pi's text and changes nothing", async () => {
    const h = host(kind);
    const refused: unknown[] = [];
    h.on("message_end", () => h.agent.prompt("second").catch((error: Error) => refused.push(error.message)));
    await h.prompt();
    expect(refused).toEqual([BUSY_PROMPT]);
    expect(h.transcript).toEqual(["user:p", "assistant[stop]:(script exhausted)"]);
    expect(h.leftovers).toEqual([]);
  });

  test("A2: prompt([]) is legal: a turn without a prompt", async () => {
    const h = host(kind);
    await h.until(h.agent.prompt([]));
    expect(h.lines.slice(0, 3)).toEqual([
      "agent_start",
      "turn_start",
      "message_start assistant[stop]:(script exhausted)",
    ]);
  });

  test("A2: of two prompts in one tick the second is refused, and nothing else happens", async () => {
    const h = host(kind);
    const [first, second] = [h.agent.prompt("one"), h.agent.prompt("two")];
    await expect(h.until(second)).rejects.toThrow(BUSY_PROMPT);
    await h.until(first);
    expect(h.transcript).toEqual(["user:one", "assistant[stop]:(script exhausted)"]);
    expect(h.only("agent_start", "agent_end")).toEqual(["agent_start", "agent_end 2"]);
    expect(h.requests).toHaveLength(1);
    await h.prompt("three");
    expect(h.requests).toHaveLength(2);
  });

  test("A3: continue when busy is refused with Pi's text", async () => {
    const h = host(kind);
    const first = h.agent.prompt("p");
    await expect(h.until(h.agent.continue())).rejects.toThrow(BUSY_CONTINUE);
    await h.until(first);
    expect(h.only("agent_start")).toHaveLength(1);
  });

  test("A3: continue on an empty or system-only transcript is refused, queues untouched", async () => {
    for (const systemPrompt of ["", "be brief"]) {
      const h = host(kind, { systemPrompt, tools: [] });
      h.agent.steer(user("s"));
      h.agent.followUp(user("f"));
      await expect(h.until(h.agent.continue())).rejects.toThrow("No messages to continue from");
      expect(h.leftovers).toEqual(["s", "f"]);
      expect(h.lines).toEqual([]);
    }
  });

  test("A3: after an assistant message: steering as prompts, else follow-ups, else refused", async () => {
    const h = host(kind, { messages: answered() });
    await expect(h.until(h.agent.continue())).rejects.toThrow("Cannot continue from message role: assistant");
    h.agent.followUp(user("f"));
    h.agent.steer(user("s"));
    await h.until(h.agent.continue());
    expect(h.told.filter((line) => line.startsWith("user"))).toEqual(["user:s", "user:f"]);
    expect(h.only("agent_start")).toHaveLength(1);
    h.agent.followUp(user("f2"));
    await h.until(h.agent.continue());
    expect(h.told.at(-2)).toBe("user:f2");
    expect(h.only("agent_end").at(-1)).toBe("agent_end 2");
  });

  test("A3: otherwise a continuation without prompt events; agent_end leaves out what was there before", async () => {
    const h = host(kind, { messages: [user("p")] });
    await h.until(h.agent.continue());
    expect(h.told).toEqual(["assistant[stop]:(script exhausted)"]);
    expect(h.requests).toEqual([["user:p"]]);
    expect(h.lines.at(-1)).toBe("agent_end 1");
  });

  test("A4: reset when busy throws Pi's text", async () => {
    const h = host(kind);
    const run = h.agent.prompt("p");
    expect(() => h.agent.reset()).toThrow(BUSY_RESET);
    await h.until(run);
    expect(h.transcript).toHaveLength(2);
  });

  test("A4: reset keeps one replayed system baseline, and clears the rest and both queues", async () => {
    const more: AgentMessage = { role: "system", content: "be kind", timestamp: 1 };
    const h = host(kind, { systemPrompt: "be brief", messages: [], model: [{ stop: "error", error: "broke" }] });
    h.agent.state.messages.push(more);
    h.agent.steer(user("s"));
    await h.prompt();
    h.agent.followUp(user("f"));
    h.agent.reset();
    expect(h.agent.state.messages).toHaveLength(1);
    expect(h.agent.state.systemPrompt).toBe("be brief\n\nbe kind");
    expect(h.agent.state.errorMessage).toBe(undefined);
    expect(h.agent.hasQueuedMessages()).toBe(false);
    await h.prompt("fresh");
    expect(h.requests.at(-1)).toEqual(["user:fresh"]);
  });

  test("A5: busy begins synchronously in prompt and ends after the last agent_end listener has settled", async () => {
    const h = host(kind);
    const busy: unknown[] = [];
    h.agent.subscribe(async (event) => {
      if (event.type !== "agent_end") return;
      await h.time.sleep(5);
      busy.push(h.agent.state.isStreaming, await h.agent.prompt("again").catch((error: Error) => error.message));
    });
    const run = h.agent.prompt("p");
    expect(h.agent.state.isStreaming).toBe(true);
    await h.until(run);
    expect(busy).toEqual([true, BUSY_PROMPT]);
    expect(h.agent.state.isStreaming).toBe(false);
  });

  test("A6: waitForIdle resolves at once when idle, else with the run, before the prompt's promise goes on", async () => {
    const h = host(kind);
    await h.agent.waitForIdle();
    const order: string[] = [];
    const run = h.agent.prompt("p").then(() => order.push("prompt"));
    const idle = h.agent.waitForIdle().then(() => order.push(`idle ${h.agent.state.isStreaming}`));
    await h.until(Promise.all([run, idle]));
    expect(order).toEqual(["idle false", "prompt"]);
  });

  test("A7: the same listener twice is called once, and one unsubscription removes it", async () => {
    const h = host(kind);
    let heard = 0;
    const listener = () => {
      heard += 1;
    };
    const unsubscribe = h.agent.subscribe(listener);
    h.agent.subscribe(listener);
    await h.prompt();
    expect(heard).toBe(h.events.length);
    unsubscribe();
    await h.prompt();
    expect(heard).toBe(h.events.length / 2);
  });

  test("A7: listeners are awaited one after another in the order in which they were added", async () => {
    const h = host(kind);
    const order: string[] = [];
    const listener = (name: string, ticks: number) => async (event: AgentEvent) => {
      if (event.type !== "turn_start" && event.type !== "agent_start") return;
      order.push(`${name} ${event.type}`);
      await h.time.sleep(ticks);
      order.push(`${name} done`);
    };
    h.agent.subscribe(listener("a", 5));
    h.agent.subscribe(listener("b", 1));
    await h.prompt();
    const both = (type: string) => [`a ${type}`, "a done", `b ${type}`, "b done"];
    expect(order).toEqual([...both("agent_start"), ...both("turn_start")]);
  });

  test("A7: a listener added during dispatch hears the current event; one removed does not if it was not reached", async () => {
    const h = host(kind);
    const heard: string[] = [];
    const note = (name: string) => (event: AgentEvent) => void heard.push(`${name} ${event.type}`);
    h.on("agent_start", () => {
      removeLater();
      h.agent.subscribe(note("added"));
    });
    const removeLater = h.agent.subscribe(note("removed"));
    await h.prompt();
    expect(heard[0]).toBe("added agent_start");
    expect(heard.filter((line) => line.startsWith("removed"))).toEqual([]);
  });
});
