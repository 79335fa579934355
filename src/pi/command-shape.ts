import type { Command } from "../protocol/command.ts";
import { LifecycleError } from "../protocol/errors.ts";

/**
 * Refuses a command whose content is not of its type, before anything is logged.
 *
 * @throws LifecycleError `command-invalid` with the field.
 */
export function checkCommand(command: Command): void {
  if (command.key !== undefined && (typeof command.key !== "string" || command.key === "")) {
    throw invalid(command.type, "key", "key must be a text that is not empty");
  }
  if (command.expect !== undefined && typeof command.expect?.traceId !== "string") {
    throw invalid(command.type, "expect.traceId", "expect must name a Trace: { traceId }");
  }
  if ("message" in command) checkMessage(command.message, command.type, "message");
  if ("messages" in command) {
    for (const [index, message] of command.messages.entries())
      checkMessage(message, command.type, `messages[${index}]`);
  }
  if ("mode" in command && command.mode !== "all" && command.mode !== "one-at-a-time") {
    throw invalid(command.type, "mode", `mode must be "all" or "one-at-a-time", not ${JSON.stringify(command.mode)}`);
  }
}

function checkMessage(message: unknown, command: string, field: string): void {
  if (!isMessage(message)) throw invalid(command, field, `${field} must be a message with a role`);
}

/** Whether a value is the least that a message must be: an object with a role. */
export function isMessage(value: unknown): boolean {
  return typeof value === "object" && value !== null && "role" in value && typeof value.role === "string";
}

function invalid(command: string, field: string, text: string): LifecycleError {
  return new LifecycleError("command-invalid", { command, field }, `${command}: ${text}`);
}
