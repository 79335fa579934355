import { AGENT_INVARIANTS } from "./agent-invariants.ts";
import { BATCH_INVARIANTS } from "./batch-invariants.ts";
import { EFFECT_INVARIANTS } from "./effect-invariants.ts";
import { GRAMMAR_INVARIANTS } from "./grammar-invariants.ts";
import type { Invariant } from "./invariant.ts";
import { CONSERVATION_INVARIANTS } from "./queue-conservation.ts";
import { SCHEDULING_INVARIANTS } from "./queue-scheduling.ts";

/** Every invariant that can be judged from records and what follows from them. */
export const INVARIANTS: readonly Invariant[] = [
  ...GRAMMAR_INVARIANTS,
  ...CONSERVATION_INVARIANTS,
  ...SCHEDULING_INVARIANTS,
  ...BATCH_INVARIANTS,
  ...AGENT_INVARIANTS,
  ...EFFECT_INVARIANTS,
];
