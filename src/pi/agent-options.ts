import type { AgentOptions as PiAgentOptions } from "@earendil-works/pi-agent-core";
import type { PolicyFlags, Profile } from "../protocol/policy.ts";
import type { Clock } from "../runtime/clock.ts";
import type { ListenerErrorHandler } from "./listeners.ts";

/** Pi's options, and what this library adds. */
export interface AgentOptions extends PiAgentOptions {
  /** `strict` (default) closes Pi's holes, `pi-1.6` reproduces them. */
  profile?: Profile;
  /** Single flags over the profile; they stand in the log's first record. */
  policy?: PolicyFlags;
  /** Told of everything that a listener throws. Without it the error is printed. */
  onListenerError?: ListenerErrorHandler;
  /** Where times come from; the system's clock by default. */
  clock?: Clock;
  /** Keep digests of state, facts and effects in every record, so that a replay can be verified record by record. */
  digests?: boolean;
}
