import type { Command } from "../protocol/command.ts";
import { LifecycleError } from "../protocol/errors.ts";

/**
 * Refuses a command whose content is not of its type, before anything is logged.
 *
 * @throws LifecycleError `command-invalid` with the field.
 */
export function checkCommand(command: Command): void {
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
  const role = typeof message === "object" && message !== null && "role" in message ? message.role : undefined;
  if (typeof role !== "string") throw invalid(command, field, `${field} must be a message with a role`);
}

function invalid(command: string, field: string, text: string): LifecycleError {
  return new LifecycleError("command-invalid", { command, field }, `${command}: ${text}`);
}
