import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { machinesFingerprint } from "../engine/fingerprint.ts";
import { type InitialModes, open, type State } from "../engine/state.ts";
import { InputLog } from "../log/input-log.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import { type Policy, policyOf } from "../protocol/policy.ts";
import type { Clock } from "../runtime/clock.ts";
import type { AgentOptions } from "./agent-options.ts";
import { PiProjection } from "./projection.ts";

/** A log with its first record, and what stands beside it. */
export interface OpenedLog {
  readonly log: InputLog;
  readonly state: State;
  readonly projection: PiProjection;
}

/** The policy that an agent's options ask for. */
export function policyOfOptions(options: Partial<AgentOptions>): Policy {
  return policyOf(options.profile ?? "strict", options.policy);
}

/** Opens a log under a policy, from a transcript. */
export function openLog(
  policy: Policy,
  modes: InitialModes,
  messages: readonly AgentMessage[],
  clock: Clock,
): OpenedLog {
  const record: LogRecord = {
    seq: 0,
    id: "0",
    at: clock.now(),
    type: "log.opened",
    format: 1,
    machines: machinesFingerprint(),
    policy,
    steeringMode: modes.steeringMode ?? "one-at-a-time",
    followUpMode: modes.followUpMode ?? "one-at-a-time",
    messages: [...messages],
  };
  return { log: new InputLog([record]), state: open(record), projection: new PiProjection() };
}
