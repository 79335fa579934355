import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { LifecycleError } from "../protocol/errors.ts";
import { POLICY_VALUES, PROFILES } from "../protocol/policy.ts";
import type { AgentOptions } from "./agent-options.ts";

const MODES = ["one-at-a-time", "all"];

/**
 * Refuses options that would make a log that nobody can read.
 *
 * @throws LifecycleError `options-invalid` with the field, what it is and what it may be.
 */
export function checkOptions(options: Partial<AgentOptions>): void {
  oneOf("profile", options.profile, Object.keys(PROFILES));
  oneOf("steeringMode", options.steeringMode, MODES);
  oneOf("followUpMode", options.followUpMode, MODES);
  for (const [flag, value] of Object.entries(options.policy ?? {})) {
    const allowed: readonly string[] | undefined = POLICY_VALUES[flag as keyof typeof POLICY_VALUES];
    if (!allowed) throw unknownFlag(flag);
    oneOf(`policy.${flag}`, value, allowed);
  }
  options.initialState?.messages?.forEach((message: AgentMessage, index) => {
    if (typeof message?.role !== "string")
      throw invalid(`initialState.messages[${index}]`, message, ["a message with a role"]);
  });
}

function oneOf(field: string, value: unknown, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.includes(value as string)) throw invalid(field, value, allowed);
}

function unknownFlag(flag: string): LifecycleError {
  const allowed = Object.keys(POLICY_VALUES);
  const text = `policy.${flag} is no flag that an agent has; the flags are ${allowed.join(", ")}.`;
  return new LifecycleError("options-invalid", { field: `policy.${flag}`, allowed }, text);
}

function invalid(field: string, value: unknown, allowed: readonly string[]): LifecycleError {
  const text = `${field} is ${JSON.stringify(value)}; it may be ${allowed.join(", ")}.`;
  return new LifecycleError("options-invalid", { field, value, allowed }, text);
}
