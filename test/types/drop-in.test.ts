import * as pi from "@earendil-works/pi-agent-core";
import { expect, expectTypeOf, test } from "vitest";
import * as ours from "../../src/pi/index.ts";

type Public<T> = Pick<T, keyof T>;

test("our Agent is Pi's Agent to a host, and takes what Pi's takes", () => {
  const ourAgent = (agent: ours.Agent): Public<pi.Agent> => agent;
  type Acknowledged = "steer" | "followUp" | "abort" | "reset" | `clear${string}`;
  type Common = Exclude<keyof Public<pi.Agent>, Acknowledged>;
  const piAgent = (agent: pi.Agent): Pick<ours.Agent, Common> => agent;
  expect([ourAgent, piAgent]).toHaveLength(2);
  expectTypeOf<pi.AgentOptions>().toExtend<ours.AgentOptions>();
  expectTypeOf<ours.AgentOptions>().toExtend<pi.AgentOptions>();
  expectTypeOf<ConstructorParameters<typeof pi.Agent>[0]>().toExtend<ConstructorParameters<typeof ours.Agent>[0]>();
});

test("events, messages, state and tools are Pi's own types, both ways", () => {
  expectTypeOf<ours.AgentEvent>().toEqualTypeOf<pi.AgentEvent>();
  expectTypeOf<ours.AgentMessage>().toEqualTypeOf<pi.AgentMessage>();
  expectTypeOf<ours.AgentState>().toEqualTypeOf<pi.AgentState>();
  expectTypeOf<ours.AgentTool>().toEqualTypeOf<pi.AgentTool>();
  expectTypeOf<ours.StreamFn>().toEqualTypeOf<pi.StreamFn>();
  expectTypeOf<ours.AgentListener>().toEqualTypeOf<Parameters<pi.Agent["subscribe"]>[0]>();
});

test("the loop functions have Pi's signatures, both ways", () => {
  expectTypeOf<typeof ours.agentLoop>().toEqualTypeOf<typeof pi.agentLoop>();
  expectTypeOf<typeof ours.agentLoopContinue>().toEqualTypeOf<typeof pi.agentLoopContinue>();
  expectTypeOf<typeof ours.runAgentLoop>().toEqualTypeOf<typeof pi.runAgentLoop>();
  expectTypeOf<typeof ours.runAgentLoopContinue>().toEqualTypeOf<typeof pi.runAgentLoopContinue>();
  expectTypeOf<typeof ours.runToolCall>().toEqualTypeOf<typeof pi.runToolCall>();
  expectTypeOf<typeof ours.setDefaultStreamFn>().toEqualTypeOf<typeof pi.setDefaultStreamFn>();
  expectTypeOf<typeof ours.DEFAULT_AGENT_IDENTITY>().toEqualTypeOf<typeof pi.DEFAULT_AGENT_IDENTITY>();
});

/** Pi's Agent but for what it adds: a host's variable of Pi's type can hold ours, and code for either reads the same. */
test("what a host can call on Pi's Agent it can call on ours, with the same arguments", () => {
  type Methods = keyof Public<pi.Agent>;
  type Missing = Exclude<Methods, keyof Public<ours.Agent>>;
  expectTypeOf<Missing>().toEqualTypeOf<never>();
  expectTypeOf<Parameters<pi.Agent["steer"]>>().toExtend<Parameters<ours.Agent["steer"]>>();
  expectTypeOf<ReturnType<ours.Agent["prompt"]>>().toEqualTypeOf<ReturnType<pi.Agent["prompt"]>>();
  expectTypeOf<ReturnType<ours.Agent["continue"]>>().toEqualTypeOf<ReturnType<pi.Agent["continue"]>>();
});

test("every value that Pi's module exports is here, but for the HTTP proxy", () => {
  const missing = Object.keys(pi).filter((name) => !(name in ours));
  expect(missing).toEqual(Object.keys(pi).filter((name) => /proxy/i.test(name)));
  expect(missing.length).toBeLessThan(3);
});

test("every type that Pi's module exports can be imported from here", () => {
  expectTypeOf<ours.AgentContext>().toEqualTypeOf<pi.AgentContext>();
  expectTypeOf<ours.AgentLoopConfig>().toEqualTypeOf<pi.AgentLoopConfig>();
  expectTypeOf<ours.AgentInitialState>().toEqualTypeOf<pi.AgentInitialState>();
  expectTypeOf<ours.AgentToolResult>().toEqualTypeOf<pi.AgentToolResult>();
  expectTypeOf<ours.QueueMode>().toEqualTypeOf<pi.QueueMode>();
});
