import { snapshot } from "./snapshot.ts";

/** One thing that the outside could notice. */
export interface Observation {
  /** What happened, in a word or two. */
  what: string;
  /** All that could be seen, as a snapshot. */
  data: string;
  /** Which objects were the same object as before, by the order in which they first appeared. */
  identities: string;
}

/** What one agent or loop did: what it called, in order; how its promises settled, in order; what was left. */
export interface Behaviour {
  trace: Observation[];
  outcomes: Observation[];
  final: Observation[];
}

/** Writes down what happens, at the moment it happens. */
export class Recorder {
  readonly behaviour: Behaviour = { trace: [], outcomes: [], final: [] };
  readonly #numbers = new Map<object, number>();

  note(what: string, data: unknown, objects: readonly unknown[] = []): void {
    this.behaviour.trace.push(this.#observe(what, data, objects));
  }

  outcome(what: string, data: unknown): void {
    this.behaviour.outcomes.push(this.#observe(what, data, []));
  }

  final(what: string, data: unknown, objects: readonly unknown[] = []): void {
    this.behaviour.final.push(this.#observe(what, data, objects));
  }

  #observe(what: string, data: unknown, objects: readonly unknown[]): Observation {
    return { what, data: snapshot(data), identities: objects.map((object) => this.#number(object)).join(",") };
  }

  #number(value: unknown): string {
    if (typeof value !== "object" || value === null) return "-";
    const known = this.#numbers.get(value);
    if (known !== undefined) return String(known);
    this.#numbers.set(value, this.#numbers.size);
    return String(this.#numbers.size - 1);
  }
}
