import { createInitialSystemMessage, getCurrentSystemMessage, getCurrentSystemPrompt } from "@earendil-works/pi-ai";
import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { currentSystemMessage, initialSystemMessage, systemPromptText } from "../../src/pi/system-prompt.ts";
import { programArb, World } from "./tool-programs.ts";

describe("A1, A4: the system prompt of a transcript", () => {
  test.prop([programArb], { numRuns: 500 })("is one message and one text, as Pi replays them", (program) => {
    const { transcript, pending } = new World(program);
    const messages = [...transcript, ...pending.flat()];
    const expected = getCurrentSystemMessage(messages);
    expect(currentSystemMessage(messages)).toStrictEqual(expected);
    expect(JSON.stringify(currentSystemMessage(messages))).toBe(JSON.stringify(expected));
    expect(systemPromptText(messages)).toBe(getCurrentSystemPrompt(messages));
  });

  const prompts = fc.constantFrom(undefined, "", "Be kind.");
  test.prop([prompts, fc.boolean(), programArb])("starts with Pi's first message", (prompt, given, program) => {
    const tools = given ? new World(program).tools : undefined;
    expect(initialSystemMessage(prompt, tools)).toStrictEqual(createInitialSystemMessage(prompt, tools));
  });
});
