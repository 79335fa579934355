import type { Products } from "./collect.ts";

/** Where a machine stands: its state as a dotted path, such as `turn.request`, and its context. Plain data. */
export interface MachineState<C> {
  readonly value: string;
  readonly context: C;
}

/** Runs one event through one machine; what its actions produce is added to `products`. */
export type MachineStep<C, E> = (state: MachineState<C>, event: E, products: Products) => MachineState<C>;
