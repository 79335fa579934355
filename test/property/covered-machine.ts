import { type Chart, type ChartNode, type ChartTransition, nodesOf } from "../../src/engine/chart.ts";
import { compileMachine } from "../../src/engine/compiled.ts";
import type { MachineStep } from "../../src/engine/machine-state.ts";

/** A machine that notes which of its states it enters and which of its transitions it takes. */
export interface CoveredMachine<C, E> {
  readonly step: MachineStep<C, E>;
  /** Every state and transition by name, with how often it came up. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Compiles a copy of a machine in which every state and transition has one more action, which counts it. */
export function coveredMachine<C extends object, E extends { readonly type: string }>(
  chart: Chart,
): CoveredMachine<C, E> {
  const counts = new Map<string, number>();
  const actions: Record<string, unknown> = { ...chart.implementations.actions };
  const counting = (name: string) => {
    counts.set(name, 0);
    actions[name] = () => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    };
    return name;
  };
  const copies = new Map<ChartNode, Writable<ChartNode>>();
  const copyOf = (node: ChartNode) => copies.get(node) as ChartNode;
  for (const node of nodesOf(chart.root)) copies.set(node, { ...pick(node) });

  for (const [node, copy] of copies) {
    const copied = (transition: ChartTransition): ChartTransition => ({
      source: copyOf(transition.source),
      target: transition.target?.map(copyOf),
      reenter: transition.reenter,
      eventType: transition.eventType,
      guard: transition.guard,
      actions: [...transition.actions, counting(nameOf(node, transition))],
      ...descriptionOf(transition),
    });
    copy.parent = node.parent && copyOf(node.parent);
    copy.states = Object.fromEntries(Object.entries(node.states).map(([key, child]) => [key, copyOf(child)]));
    copy.initial = { target: node.initial?.target?.map(copyOf), actions: node.initial?.actions ?? [] };
    copy.transitions = new Map([...node.transitions].map(([type, list]) => [type, list.map(copied)]));
    copy.always = node.always?.map(copied);
    // Where a machine starts it need not come back to.
    const isStart = !node.parent || chart.root.initial.target?.includes(node);
    copy.entry = isStart ? node.entry : [...node.entry, counting(`state ${node.id}`)];
  }
  const root = copyOf(chart.root);
  const step = compileMachine<C, E>({ root, implementations: { ...chart.implementations, actions } });
  return { step, counts };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** XState keeps these on a prototype: a spread would lose them. */
function pick({ id, key, path, type, entry, exit, invoke, description, ...node }: ChartNode): ChartNode {
  const { parent, states, initial, transitions, always } = node;
  return { id, key, path, type, entry, exit, invoke, description, parent, states, initial, transitions, always };
}

function nameOf(node: ChartNode, transition: ChartTransition): string {
  const guard = transition.guard === undefined ? "" : ` [${transition.guard}]`;
  const target = transition.target?.[0]?.id ?? "(stays)";
  return `${node.id} on ${transition.eventType || "always"}${guard} → ${target}`;
}

function descriptionOf(transition: ChartTransition): object {
  return "description" in transition ? { description: transition.description } : {};
}
