import {
  Agent,
  agentLoop,
  agentLoopContinue,
  runAgentLoop,
  runAgentLoopContinue,
  runToolCall,
} from "../../src/pi/index.ts";
import type { Implementation } from "./implementation.ts";

/** Ours, in the profile that promises Pi's own behaviour. */
export const TURNWRIGHT: Implementation = {
  name: "turnwright",
  createAgent: (options) => new Agent({ ...options, profile: "pi-1.6" }),
  runAgentLoop,
  runAgentLoopContinue,
  agentLoop,
  agentLoopContinue,
  runToolCall,
};
