import type { AgentLoopConfig } from "@earendil-works/pi-agent-core";
import type { RunConfig } from "../protocol/command.ts";

/** What the engine must know of a run's configuration: which hooks there are, and how batches run. */
export function runConfigOf(config: AgentLoopConfig): RunConfig {
  const hooks = (["prepareRequest", "finishTurn", "prepareNextTurn"] as const).filter((hook) => config[hook]);
  return { hooks, toolExecution: config.toolExecution === "sequential" ? "sequential" : "parallel" };
}
