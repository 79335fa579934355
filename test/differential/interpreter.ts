import { VirtualTime } from "../../src/testing/virtual-time.ts";
import { AgentRun } from "./agent-run.ts";
import type { Implementation } from "./implementation.ts";
import { LoopRun } from "./loop-run.ts";
import type { AgentsProgram, Program } from "./program.ts";
import type { Behaviour } from "./recorder.ts";
import { settles } from "./settles.ts";
import { ToolCallRun } from "./tool-call-run.ts";

/** Runs a program on one implementation, on its own clock, and returns what could be noticed of each agent or loop. */
export async function interpret(implementation: Implementation, program: Program): Promise<Behaviour[]> {
  if (program.kind === "agents") return runAgents(implementation, program);
  const run = program.kind === "loop" ? new LoopRun(implementation, program) : new ToolCallRun(implementation, program);
  await run.run();
  return [run.recorder.behaviour];
}

async function runAgents(implementation: Implementation, program: AgentsProgram): Promise<Behaviour[]> {
  const time = new VirtualTime();
  const runs = program.agents.map((script) => new AgentRun(implementation, script, time));
  const lastPhase = Math.max(...runs.map((run) => run.lastPhase));
  let settled = true;
  for (let phase = 0; phase <= lastPhase && settled; phase++) {
    for (const run of runs) run.startPhase(phase);
    settled = await settles(time, () => runs.every((run) => run.settled));
  }
  for (const run of runs) run.finish(settled);
  return runs.map((run) => run.recorder.behaviour);
}
