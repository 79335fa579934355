import type { Effect, EffectBody } from "../src/protocol/effect.ts";
import type { Fact, FactBody, Place } from "../src/protocol/fact.ts";

/** What an action of a machine gives back as data: facts for listeners, effects for the driver. */
export type Product = Fact | Effect;

/** What an action may return. XState ignores it, the engine collects it. */
export type Produced = Product | readonly Product[] | undefined;

/**
 * A fact in its place. The body is the caller's fresh object and is completed rather than copied: facts are made on the
 * hot path.
 */
export function placed(body: FactBody, seq: number, trace: string | null, turn: number): Fact {
  const place = body as FactBody & { -readonly [K in keyof Place]: Place[K] };
  place.seq = seq;
  place.trace = trace;
  place.turn = turn;
  return place;
}

/** An effect with its id; the body is the caller's fresh object, as in `placed`. */
export function identified(body: EffectBody, id: string): Effect {
  const effect = body as EffectBody & { id: string };
  effect.id = id;
  return effect;
}
