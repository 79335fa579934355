import type { AgentEvent, AgentMessage, AgentOptions, AgentTool } from "@earendil-works/pi-agent-core";
import { Agent } from "../../../src/pi/agent.ts";
import type { LogRecord } from "../../../src/protocol/log-record.ts";
import type { AgentUnderTest } from "../../../src/testing/agent-under-test.ts";
import { ScenarioRun } from "../../../src/testing/run-scenario.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { StalledError } from "../../../src/testing/stalled-error.ts";
import { turnwrightAgent } from "../../../src/testing/turnwright-agent.ts";
import type { VirtualTime } from "../../../src/testing/virtual-time.ts";
import type { AgentProgram, HookAct } from "./agent-program.ts";

const PREPARED: AgentMessage = { role: "user", content: "prepared", timestamp: 0 };

/** What can be seen of an agent at one moment. */
export interface View {
  readonly busy: boolean;
  readonly traceId: string | null;
  readonly pendingCalls: readonly string[];
  readonly aborted: boolean;
}

/** Something that happened, in order: an event was heard, a tool body began, a wait for idleness was over. */
export type Happening = View &
  ({ readonly event: AgentEvent } | { readonly body: string } | { readonly idle: true; readonly trace: number });

/** A run of a program on an agent of profile strict, from outside. */
export interface AgentRun {
  readonly happenings: readonly Happening[];
  /** It never came to rest: something waits for what nothing will bring. */
  readonly stalled: boolean;
  /** What commands were refused with, and everything else that a promise of theirs gave. */
  readonly errors: readonly string[];
  readonly messages: readonly AgentMessage[];
  readonly log: readonly LogRecord[];
  readonly scenario: Scenario;
}

/** Runs a program until the agent has come to rest. */
export async function runAgent(program: AgentProgram): Promise<AgentRun> {
  const happenings: Happening[] = [];
  const run = new ScenarioRun(watched(program, happenings), program.scenario);
  const stalled = await run.play().then(
    () => false,
    (error: unknown) => {
      if (error instanceof StalledError) return true;
      throw error;
    },
  );
  const { messages } = run.agent.state;
  return { happenings, stalled, ...run.result(), messages, log: [...run.agent.log], scenario: program.scenario };
}

function watched(program: AgentProgram, happenings: Happening[]): AgentUnderTest<Agent> {
  const nextTurns = oneByOne(program.prepareNextTurn);
  const requests = oneByOne(program.prepareRequest);
  const create = (options: AgentOptions, time: VirtualTime) => {
    const view = (): View => ({
      busy: agent.state.isStreaming,
      traceId: agent.traceId,
      pendingCalls: [...agent.state.pendingToolCalls],
      aborted: agent.signal?.aborted ?? false,
    });
    const tools = options.initialState?.tools?.map((tool) =>
      announced(tool, (body) => happenings.push({ body, ...view() })),
    );
    const agent: Agent = new Agent({
      ...options,
      initialState: { ...options.initialState, ...(tools ? { tools } : {}) },
      prepareNextTurn: async () => (act(nextTurns()) === "messages" ? { messages: [PREPARED] } : undefined),
      prepareRequest: async () => {
        act(requests());
      },
      clock: time.asClock(),
      onListenerError: () => {},
    });
    const act = (what: HookAct) => {
      if (what === "throw") throw new Error("hook broke");
      if (what === "abort") agent.abort();
      return what;
    };
    let traces = 0;
    agent.subscribe((event) => {
      happenings.push({ event, ...view() });
      if (event.type !== "agent_start") return;
      traces += 1;
      const trace = traces;
      void agent.waitForIdle().then(() => happenings.push({ idle: true, trace, ...view() }));
    });
    return agent;
  };
  return { ...turnwrightAgent(), create };
}

function announced(tool: AgentTool, announce: (id: string) => void): AgentTool {
  return {
    ...tool,
    execute: (id, ...rest) => {
      announce(id);
      return tool.execute(id, ...rest);
    },
  };
}

/** Gives one act after another, and nothing after the last. */
function oneByOne(acts: readonly HookAct[]): () => HookAct {
  let asked = 0;
  return () => acts[asked++] ?? "nothing";
}
