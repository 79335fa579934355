import type { AgentOptions } from "@earendil-works/pi-agent-core";
import type { Hooks } from "./scenario.ts";

/** The hooks of a scenario, as agent options. `finishTurn` counts its own calls over the agent's life, from 1. */
export function scriptedHooks(
  hooks: Hooks = {},
): Pick<AgentOptions, "beforeToolCall" | "afterToolCall" | "finishTurn"> {
  const before = new Map(Object.entries(hooks.beforeToolCall ?? {}));
  const after = new Map(Object.entries(hooks.afterToolCall ?? {}));
  const finish = new Map(Object.entries(hooks.finishTurn ?? {}));
  let turns = 0;
  return {
    beforeToolCall: async ({ toolCall }) => {
      const verdict = before.get(toolCall.id);
      if (verdict?.throws) throw new Error(verdict.throws);
      return verdict;
    },
    afterToolCall: async ({ toolCall }) => {
      const change = after.get(toolCall.id);
      if (!change) return undefined;
      const { text, throws, ...rest } = change;
      if (throws) throw new Error(throws);
      return text ? { ...rest, content: [{ type: "text", text }] } : rest;
    },
    finishTurn: async () => {
      turns += 1;
      const action = finish.get(String(turns));
      return action ? { action } : undefined;
    },
  };
}
