import { Agent, type AgentOptions } from "@earendil-works/pi-agent-core";
import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import { afterEach, describe, expect, it } from "vitest";
import { getDefaultStreamFn, setDefaultStreamFn } from "../../src/pi/default-stream-fn.ts";

describe("default stream function", () => {
  afterEach(() => setDefaultStreamFn(undefined));

  it("is missing with Pi's text", () => {
    const textOf = (act: () => unknown) => {
      try {
        act();
      } catch (error) {
        return (error as Error).message;
      }
      return "nothing was thrown";
    };
    const expected = textOf(() => new Agent({} as AgentOptions));
    expect(expected).toMatch("No default stream function configured");
    expect(textOf(getDefaultStreamFn)).toBe(expected);
  });

  it("is what was installed last", () => {
    const streamFn = () => createAssistantMessageEventStream();
    setDefaultStreamFn(streamFn);
    expect(getDefaultStreamFn()).toBe(streamFn);
    setDefaultStreamFn(undefined);
    expect(getDefaultStreamFn).toThrow("No default stream function configured");
  });
});
