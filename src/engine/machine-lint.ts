import { type Chart, type ChartNode, type ChartTransition, nodesOf } from "./chart.ts";

/**
 * What a machine of the pure core must not have: inline guards or actions (they have no name in a diagram, a log or
 * JSON), invoke, spawn, delays, enqueueActions, nodes or events without a description. Empty when all is well.
 */
export function lintMachine(chart: Chart): readonly string[] {
  const faults = nodesOf(chart.root).flatMap((node) => [...lintNode(node), ...lintReferences(chart, node)]);
  const actions = Object.entries(chart.implementations.actions).flatMap(([name, action]) =>
    builtIn(action) && builtIn(action) !== "xstate.assign" ? [`action ${name}: ${builtIn(action)}`] : [],
  );
  return [...faults, ...actions];
}

function transitionsOf(node: ChartNode): readonly ChartTransition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

function lintNode(node: ChartNode): readonly string[] {
  const faults: string[] = [];
  if (node.invoke.length > 0) faults.push(`${node.id}: invoke`);
  if (node.type !== "atomic" && node.type !== "compound") faults.push(`${node.id}: ${node.type} state`);
  if (!node.description) faults.push(`${node.id}: no description`);
  for (const transition of transitionsOf(node)) {
    const place = `${node.id} on ${transition.eventType || "always"}`;
    if (!(transition as { description?: string }).description) faults.push(`${place}: no description`);
    if (transition.eventType.startsWith("xstate.")) faults.push(`${place}: delay or internal event`);
    if ((transition.target?.length ?? 0) > 1) faults.push(`${place}: several targets`);
  }
  return faults;
}

function lintReferences(chart: Chart, node: ChartNode): readonly string[] {
  const actions = [...node.entry, ...node.exit, ...transitionsOf(node).flatMap((transition) => transition.actions)];
  const guards = transitionsOf(node).flatMap((transition) =>
    transition.guard === undefined ? [] : [transition.guard],
  );
  return [
    ...actions.flatMap((action) => unnamed(action, chart.implementations.actions, `${node.id}: action`)),
    ...guards.flatMap((guard) => unnamed(guard, chart.implementations.guards, `${node.id}: guard`)),
  ];
}

function unnamed(reference: unknown, known: Readonly<Record<string, unknown>>, place: string): readonly string[] {
  if (typeof reference !== "string") return [`${place} is not a name`];
  return known[reference] === undefined ? [`${place} ${reference} is not implemented`] : [];
}

/** The type of an XState built-in action creator, such as `xstate.assign`. */
export function builtIn(action: unknown): string | undefined {
  return typeof action === "function" && "resolve" in action ? (action as unknown as { type: string }).type : undefined;
}
