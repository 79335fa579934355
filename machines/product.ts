import type { Effect } from "../src/protocol/effect.ts";
import type { Fact } from "../src/protocol/fact.ts";

/** What an action of a machine gives back as data: facts for listeners, effects for the driver. */
export type Product = { readonly fact: Fact } | { readonly effect: Effect };

/** What an action may return. XState ignores it, the engine collects it. */
export type Produced = Product | readonly Product[] | undefined;
