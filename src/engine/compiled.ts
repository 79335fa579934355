import type { Produced } from "../../machines/product.ts";
import { LifecycleError } from "../protocol/errors.ts";
import { type Chart, type ChartNode, type ChartTransition, nodesOf, withAncestors } from "./chart.ts";
import { collect } from "./collect.ts";
import { builtIn, lintMachine } from "./machine-lint.ts";
import type { MachineStep } from "./machine-state.ts";

interface Args<C, E> {
  readonly context: C;
  readonly event: E;
}
type Guard<C, E> = (args: Args<C, E>) => boolean;
type Operation<C, E> =
  | { readonly update: (args: Args<C, E>) => Partial<C>; readonly produce?: undefined }
  | { readonly update?: undefined; readonly produce: (args: Args<C, E>) => Produced };

/** One candidate: taken when its guard says yes; then its operations run in order and the state becomes `to`. */
interface Candidate<C, E> {
  readonly guard: Guard<C, E> | undefined;
  readonly operations: readonly Operation<C, E>[];
  readonly to: string;
}

/** The candidates of one state: by event, and those without one. */
interface Row<C, E> {
  readonly on: ReadonlyMap<string, readonly Candidate<C, E>[]>;
  readonly always: readonly Candidate<C, E>[];
}

/**
 * A lookup table compiled from the machine itself: the same transitions as XState's, about thirty times faster.
 * The machine stays the single source of truth; a property test holds both engines equal.
 *
 * @throws LifecycleError `machine-unsupported` for what a pure core must not have.
 */
export function compileMachine<C extends object, E extends { readonly type: string }>(chart: Chart): MachineStep<C, E> {
  const faults = lintMachine(chart);
  if (faults.length > 0) throw new LifecycleError("machine-unsupported", { faults });
  const rows = new Map<string, Row<C, E>>();
  for (const node of nodesOf(chart.root)) if (node.type === "atomic") rows.set(pathOf(node), rowOf(chart, node));

  return (state, event, products) => {
    let args: Args<C, E> = { context: state.context, event };
    let row = rows.get(state.value);
    let candidate = row && pick(row.on.get(event.type), args);
    if (!candidate) return state;
    let { value } = state;
    while (candidate) {
      for (const operation of candidate.operations) {
        if (operation.update) {
          // One copy a step: nobody outside has seen the context that this step is making.
          const change = operation.update(args);
          if (isEmpty(change)) continue;
          if (args.context === state.context) args = { context: { ...state.context }, event };
          Object.assign(args.context, change);
        } else collect(operation.produce(args), products);
      }
      value = candidate.to;
      row = rows.get(value);
      candidate = row && pick(row.always, args);
    }
    return { value, context: args.context };
  };
}

function isEmpty(change: object): boolean {
  for (const _key in change) return false;
  return true;
}

function pick<C, E>(candidates: readonly Candidate<C, E>[] | undefined, args: Args<C, E>) {
  if (!candidates) return undefined;
  for (const candidate of candidates) {
    if (candidate.guard === undefined || candidate.guard(args)) return candidate;
  }
  return undefined;
}

function rowOf<C, E>(chart: Chart, leaf: ChartNode): Row<C, E> {
  const on = new Map<string, Candidate<C, E>[]>();
  const always: Candidate<C, E>[] = [];
  for (const node of withAncestors(leaf)) {
    for (const [type, transitions] of node.transitions) {
      const candidates = transitions.map((transition) => candidateOf<C, E>(chart, leaf, transition));
      on.set(type, [...(on.get(type) ?? []), ...candidates]);
    }
    always.push(...(node.always ?? []).map((transition) => candidateOf<C, E>(chart, leaf, transition)));
  }
  return { on, always };
}

function candidateOf<C, E>(chart: Chart, leaf: ChartNode, transition: ChartTransition): Candidate<C, E> {
  const guard = transition.guard === undefined ? undefined : chart.implementations.guards[transition.guard as string];
  const { actions, to } = planOf(leaf, transition);
  return {
    guard: guard as Guard<C, E> | undefined,
    operations: actions.map((name) => operationOf<C, E>(chart.implementations.actions[name as string])),
    to: pathOf(to),
  };
}

/** The actions of a transition from this leaf in XState's order (exits, own, entries) and the leaf that it ends in. */
function planOf(leaf: ChartNode, transition: ChartTransition): { actions: readonly unknown[]; to: ChartNode } {
  const target = transition.target?.[0];
  if (!target) return { actions: transition.actions, to: leaf };
  const domain = domainOf(transition, target);
  const exited = withAncestors(leaf).filter((node) => isBelow(node, domain));
  const entered = withAncestors(target)
    .filter((node) => isBelow(node, domain))
    .reverse();
  let to = target;
  while (to.type === "compound") {
    const child: ChartNode | undefined = to.initial.target?.[0];
    if (!child) throw new LifecycleError("machine-unsupported", { faults: [`${to.id}: no initial state`] });
    to = child;
    entered.push(to);
  }
  const actions = [
    ...exited.flatMap((node) => node.exit),
    ...transition.actions,
    ...entered.flatMap((node) => node.entry),
  ];
  return { actions, to };
}

/** The smallest state that stays active: below it everything on the way is left and entered. */
function domainOf(transition: ChartTransition, target: ChartNode): ChartNode {
  const { source } = transition;
  if (!transition.reenter && (target === source || isBelow(target, source))) return source;
  const common = withAncestors(target)
    .slice(1)
    .find((node) => isBelow(source, node));
  return common ?? withAncestors(target).at(-1) ?? target;
}

function isBelow(node: ChartNode, ancestor: ChartNode): boolean {
  return node !== ancestor && withAncestors(node).includes(ancestor);
}

function operationOf<C, E>(implementation: unknown): Operation<C, E> {
  if (builtIn(implementation)) {
    return { update: (implementation as { assignment: (args: Args<C, E>) => Partial<C> }).assignment };
  }
  return { produce: implementation as (args: Args<C, E>) => Produced };
}

function pathOf(node: ChartNode): string {
  return node.path.join(".");
}
