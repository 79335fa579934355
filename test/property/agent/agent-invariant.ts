import type { AgentEvent } from "@earendil-works/pi-agent-core";
import type { AgentRun, Happening } from "./agent-run.ts";

/** A rule that every run of an agent keeps, as a pure check of what can be seen from outside. */
export interface AgentInvariant {
  readonly id: string;
  readonly statement: string;
  /** Every violation, in words; empty when the run keeps the rule. */
  readonly violations: (run: AgentRun) => readonly string[];
  /** Ways to break a run that the check must notice. */
  readonly broken: readonly AgentMutation[];
}

/** A way to break a run: gives one broken run for each place where it can be done. */
export interface AgentMutation {
  readonly name: string;
  readonly apply: (run: AgentRun) => readonly AgentRun[];
}

type EventType = AgentEvent["type"];
export type EventOf<T extends EventType> = Extract<AgentEvent, { readonly type: T }>;

/** The events of a run, in order. */
export function eventsOf({ happenings }: AgentRun): readonly AgentEvent[] {
  return happenings.flatMap((one) => ("event" in one ? [one.event] : []));
}

/** The events of each Trace, from agent_start up to the next one. */
export function tracesOf(run: AgentRun): readonly (readonly AgentEvent[])[] {
  const traces: AgentEvent[][] = [];
  for (const event of eventsOf(run)) {
    if (event.type === "agent_start" || traces.length === 0) traces.push([]);
    traces.at(-1)?.push(event);
  }
  return traces;
}

export function isEvent<T extends EventType>(type: T) {
  return (event: AgentEvent): event is EventOf<T> => event.type === type;
}

/** One event is missing. */
export function drop(type: EventType, which: (event: AgentEvent) => boolean = () => true): AgentMutation {
  return { name: `without a ${type}`, apply: (run) => replaced(run, type, which, () => []) };
}

/** One event is heard twice. */
export function double(type: EventType): AgentMutation {
  return {
    name: `with a ${type} twice`,
    apply: (run) =>
      replaced(
        run,
        type,
        () => true,
        (one) => [one, one],
      ),
  };
}

/** Two neighbours are heard in the other order. */
export function swap(first: EventType, second: EventType): AgentMutation {
  return {
    name: `with ${first} and ${second} swapped`,
    apply: (run) =>
      run.happenings.flatMap((one, n) => {
        const next = run.happenings[n + 1];
        if (!isOf(one, first) || !isOf(next, second)) return [];
        return [{ ...run, happenings: run.happenings.with(n, next).with(n + 1, one) }];
      }),
  };
}

/** One event says something else. */
export function alter<T extends EventType>(type: T, change: (event: EventOf<T>) => Partial<EventOf<T>>): AgentMutation {
  return {
    name: `with another ${type}`,
    apply: (run) =>
      replaced(
        run,
        type,
        () => true,
        (one) =>
          "event" in one ? [{ ...one, event: { ...one.event, ...change(one.event as EventOf<T>) } as AgentEvent }] : [],
      ),
  };
}

/** Something else can be seen at an event. */
export function see(type: EventType, change: Partial<Happening>): AgentMutation {
  return {
    name: `where ${Object.keys(change)} is another at a ${type}`,
    apply: (run) =>
      replaced(
        run,
        type,
        () => true,
        (one) => [{ ...one, ...change } as Happening],
      ),
  };
}

function replaced(
  run: AgentRun,
  type: EventType,
  which: (event: AgentEvent) => boolean,
  by: (one: Happening) => readonly Happening[],
): readonly AgentRun[] {
  return run.happenings.flatMap((one, n) => {
    if (!isOf(one, type) || !which(one.event)) return [];
    return [{ ...run, happenings: run.happenings.toSpliced(n, 1, ...by(one)) }];
  });
}

function isOf(one: Happening | undefined, type: EventType): one is Happening & { readonly event: AgentEvent } {
  return one !== undefined && "event" in one && one.event.type === type;
}
