import type { CommandOptions } from "../protocol/command.ts";

/** What a command takes of its options: hosts hand methods to emitters, which call them with anything. */
export function only(options: CommandOptions | undefined): CommandOptions {
  const { key, expect } = options ?? {};
  return { ...(key === undefined ? {} : { key }), ...(expect === undefined ? {} : { expect }) };
}
