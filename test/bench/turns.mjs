// Cost of a turn against the real Pi's Agent, in one process, with the same immediate stream function: run it with
// `npm run bench`. Trust the ratios, not the absolute times.
import { Agent as PiAgent } from "@earendil-works/pi-agent-core";
import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import { Agent } from "../../dist/src/index.js";

const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: NO_COST };
const MODEL = {
  id: "bench",
  name: "bench",
  api: "bench",
  provider: "bench",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: NO_COST,
  contextWindow: 100_000,
  maxTokens: 4_096,
};
const TOOL = {
  name: "work",
  label: "work",
  description: "work",
  parameters: { type: "object", properties: {} },
  execute: async () => ({ content: [{ type: "text", text: "ok" }], details: {} }),
};

/** Runs one Trace of so many turns; returns the agent and the microseconds of a turn. */
async function trace(AgentClass, turns, kind) {
  let requests = 0;
  const agent = new AgentClass({
    initialState: { model: MODEL, tools: [TOOL] },
    streamFn: () => {
      const last = ++requests >= turns;
      const calls = kind === "one tool" && !last;
      const content = calls
        ? [{ type: "toolCall", id: `c${requests}`, name: "work", arguments: {} }]
        : [{ type: "text", text: "hi" }];
      const message = {
        role: "assistant",
        content,
        api: "bench",
        provider: "bench",
        model: "bench",
        usage: USAGE,
        stopReason: calls ? "toolUse" : "stop",
        timestamp: 0,
      };
      if (kind === "text only" && !last) agent.followUp({ role: "user", content: "more", timestamp: 0 });
      const stream = createAssistantMessageEventStream();
      stream.push({ type: "done", reason: message.stopReason, message });
      stream.end(message);
      return stream;
    },
  });
  let events = 0;
  agent.subscribe(() => {
    events++;
  });
  const start = performance.now();
  await agent.prompt("go");
  const micros = ((performance.now() - start) * 1_000) / turns;
  if (requests !== turns) throw new Error(`${requests} requests instead of ${turns}`);
  return { agent, micros, events };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const rounds = (turns) => (turns >= 10_000 ? 5 : turns >= 1_000 ? 15 : 101);

/** Interleaves both, so that a drift of the machine's speed meets both alike. */
async function compare(turns, kind) {
  const ours = [];
  const pis = [];
  for (let round = 0; round < rounds(turns); round++) {
    pis.push((await trace(PiAgent, turns, kind)).micros);
    ours.push((await trace(Agent, turns, kind)).micros);
  }
  return { pi: median(pis), ours: median(ours) };
}

async function heapPerTurn(AgentClass, turns, kind) {
  const used = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const { agent } = await trace(AgentClass, turns, kind);
  const bytes = (used() - before) / turns;
  return { bytes, agent };
}

for (const kind of ["text only", "one tool"]) {
  for (let warm = 0; warm < 3; warm++) await compare(100, kind);
  const hundred = {};
  for (const turns of [10, 100, 1_000, 10_000]) {
    const { pi, ours } = await compare(turns, kind);
    if (turns === 100) Object.assign(hundred, { pi, ours });
    const growth = hundred.ours
      ? `, against 100 turns: ours ${(ours / hundred.ours).toFixed(2)}, Pi ${(pi / hundred.pi).toFixed(2)}`
      : "";
    console.log(
      `${kind}, ${turns} turns: ours ${ours.toFixed(1)} µs, Pi ${pi.toFixed(1)} µs a turn, ours/Pi ${(ours / pi).toFixed(2)}${growth}`,
    );
  }
  if (globalThis.gc) {
    const ours = await heapPerTurn(Agent, 10_000, kind);
    const pi = await heapPerTurn(PiAgent, 10_000, kind);
    console.log(`${kind}, heap a recorded turn: ours ${ours.bytes.toFixed(0)} bytes, Pi ${pi.bytes.toFixed(0)} bytes`);
  }
}
