/** What the compiler and the lint read of a machine. XState's resolved nodes have this shape; nothing here imports it. */
export interface ChartTransition {
  readonly target: readonly ChartNode[] | undefined;
  readonly source: ChartNode;
  readonly reenter: boolean;
  readonly eventType: string;
  readonly guard?: unknown;
  readonly actions: readonly unknown[];
}

export interface ChartNode {
  readonly id: string;
  readonly key: string;
  readonly path: readonly string[];
  readonly type: string;
  readonly parent: ChartNode | undefined;
  readonly states: Readonly<Record<string, ChartNode>>;
  readonly initial: { readonly target: readonly ChartNode[] | undefined; readonly actions: readonly unknown[] };
  readonly transitions: ReadonlyMap<string, readonly ChartTransition[]>;
  readonly always: readonly ChartTransition[] | undefined;
  readonly entry: readonly unknown[];
  readonly exit: readonly unknown[];
  readonly invoke: readonly unknown[];
  readonly description?: string | undefined;
}

export interface Chart {
  readonly root: ChartNode;
  readonly implementations: {
    readonly actions: Readonly<Record<string, unknown>>;
    readonly guards: Readonly<Record<string, unknown>>;
  };
}

/** The node and all below it, in document order. */
export function nodesOf(node: ChartNode): readonly ChartNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}

/** The node, its parent, and so on up to the root. */
export function withAncestors(node: ChartNode): readonly ChartNode[] {
  return node.parent ? [node, ...withAncestors(node.parent)] : [node];
}
