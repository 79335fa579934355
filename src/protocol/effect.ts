import type { HookName } from "./command.ts";
import type { OutcomeType } from "./outcome.ts";
import type { QueueName } from "./queue-mode.ts";

/** What the outside is asked to do. Each has one outcome, except `signal.abort`. */
export type EffectBody =
  /** Wait for the listeners of all facts so far, then tell. */
  | {
      readonly type: "listeners.settle";
      readonly then: Extract<OutcomeType, "trace.opened" | "turn.closed" | "trace.closed">;
    }
  | { readonly type: "queue.poll"; readonly queue: QueueName }
  | { readonly type: "tools.declare" }
  | { readonly type: "hook.run"; readonly hook: HookName }
  | { readonly type: "model.request"; readonly attempt: number }
  | { readonly type: "tool.prepare"; readonly call: number; readonly attempt: number }
  | { readonly type: "tool.run"; readonly call: number; readonly attempt: number }
  /** A prepared call that must not start any more: answer that it was aborted (spec T11). */
  | { readonly type: "tool.skip"; readonly call: number }
  | { readonly type: "signal.abort" };

/** An effect with its derived id, such as `t3/n2/call0/run#1`: the same log always gives the same ids (law 4). */
export type Effect = EffectBody & { readonly id: string };
export type EffectType = EffectBody["type"];
