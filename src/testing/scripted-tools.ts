import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { Call, Scenario } from "./scenario.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** The tools of a scenario. Each does what the script says of the call that it gets. */
export function scriptedTools({ model, tools = [{ name: "work" }] }: Scenario, time: VirtualTime): AgentTool[] {
  const calls = new Map(model.flatMap((reply) => reply.calls ?? []).map((call) => [call.id, call]));
  return tools.map(({ name, execution }) => ({
    name,
    label: name,
    description: name,
    parameters: { type: "object", properties: {} },
    execute: (id, _args, signal, onUpdate) => execute(calls.get(id) ?? { id, tool: name }, time, signal, onUpdate),
    ...(execution ? { executionMode: execution } : {}),
  }));
}

async function execute(
  call: Call,
  time: VirtualTime,
  signal: AbortSignal | undefined,
  onUpdate: Parameters<AgentTool["execute"]>[3],
): ReturnType<AgentTool["execute"]> {
  for (let n = 1; n <= (call.updates ?? 0); n++) onUpdate?.(textResult(`${call.id}~${n}`));
  const work = time.sleep(call.takes ?? 0);
  await (call.honorsAbort && signal ? Promise.race([work, cancellation(signal)]) : work);
  if (call.throws) throw new Error(call.throws);
  return {
    ...textResult(call.result ?? `${call.id} ok`),
    ...(call.isError ? { isError: true } : {}),
    ...(call.terminate ? { terminate: true } : {}),
  };
}

/** Rejects as soon as the signal fires. */
function cancellation(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const cancel = () => reject(new Error("cancelled"));
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
  });
}

function textResult(text: string) {
  return { content: [{ type: "text" as const, text }], details: {} };
}
