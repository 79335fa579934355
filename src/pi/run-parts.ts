import type { AgentContext, AgentEvent, AgentLoopConfig, StreamFn } from "@earendil-works/pi-agent-core";
import type { Model } from "@earendil-works/pi-ai";
import type { State } from "../engine/state.ts";
import type { Clock } from "../runtime/clock.ts";
import type { PiProjection } from "./projection.ts";

/** What one run is made of. */
export interface RunParts {
  /** The run's own copy of the transcript and the tools (spec L14). */
  readonly context: AgentContext;
  readonly config: AgentLoopConfig;
  readonly signal: AbortSignal | undefined;
  readonly streamFn: StreamFn;
  /** Tells one event to everybody and waits for them. */
  readonly emit: (event: AgentEvent) => Promise<void> | void;
  readonly projection: PiProjection;
  readonly state: () => State;
  readonly clock: Clock;
  /** The model that a failure message names. */
  readonly failureModel: () => Model<string>;
}
