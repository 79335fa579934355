import { toolBatchMachine, traceMachine } from "turnwright/machines";
import { code, joined, pageHead, table } from "./markdown.mjs";

const ABOUT = `Two charts make the lifecycle of a run. The Trace machine goes from an accepted prompt to the settlement of the
\`agent_end\` listeners. While it is in \`toolBatch\`, the tool batch machine runs beside it. Both are plain XState
definitions without delays, promises or inline functions, and \`turnwright/machines\` exports them. Letters with numbers
(\`L5\`, \`INV-Q1\`) are the ids of rules; P0 to P4 are the [polling points](../concepts.md#where-the-queues-are-polled).`;

const IMMEDIATELY = "(at once)";

/** The states and events of the machines, with a diagram of each. */
export function machinesPage() {
  return joined([
    pageHead("Machines", ABOUT),
    ...[traceMachine, toolBatchMachine].flatMap(({ root }) => section(root)),
  ]);
}

function section(root) {
  const states = below(root);
  return [
    `## ${root.key}`,
    root.description,
    `\`\`\`mermaid\n${diagram(root, states)}\n\`\`\``,
    `### In every state of ${root.key}`,
    "What no state below answers itself. The diagram leaves these out.",
    transitionTable(root),
    ...states.flatMap((state) => [
      `### ${code(pathOf(state))}`,
      state.description,
      state.entry.length > 0 && `On entry: ${names(state.entry)}.`,
      transitionsOf(state).length > 0 && transitionTable(state),
    ]),
  ];
}

function below(node) {
  return Object.values(node.states).flatMap((child) => [child, ...below(child)]);
}

/** Where a state leads: its events, then what it does without one. */
function transitionsOf(node) {
  const always = (node.always ?? []).map((transition) => ({ event: IMMEDIATELY, transition }));
  const on = [...node.transitions].flatMap(([event, list]) => list.map((transition) => ({ event, transition })));
  return [...on, ...always];
}

function transitionTable(node) {
  const rows = transitionsOf(node).map(({ event, transition }) => [
    event === IMMEDIATELY ? event : code(event),
    transition.guard ? code(transition.guard) : "",
    transition.target?.[0] ? code(pathOf(transition.target[0])) : "stays",
    names(transition.actions),
    transition.description ?? "",
  ]);
  return table(["Event", "When", "To", "Actions", "What it means"], rows);
}

function names(actions) {
  return actions.map(code).join(", ");
}

function diagram(root, states) {
  return ["stateDiagram-v2", ...nest(root, 1), ...states.flatMap(arrows)].join("\n");
}

function nest(node, depth) {
  const indent = "  ".repeat(depth);
  const [initial] = node.initial?.target ?? [];
  const children = Object.values(node.states).flatMap((child) => {
    const declared = `${indent}state "${child.key}" as ${idOf(child)}`;
    if (Object.keys(child.states).length === 0) return [declared];
    return [`${declared} {`, ...nest(child, depth + 1), `${indent}}`];
  });
  return [...children, ...(initial ? [`${indent}[*] --> ${idOf(initial)}`] : [])];
}

/** One arrow for each pair of states; its label holds every way from one to the other. */
function arrows(node) {
  const labels = new Map();
  for (const { event, transition } of transitionsOf(node)) {
    const [target] = transition.target ?? [];
    if (!target) continue;
    const when = transition.guard ? `[${transition.guard}]` : "";
    const label = [event === IMMEDIATELY ? "" : event, when].filter(Boolean).join(" ");
    labels.set(idOf(target), [...(labels.get(idOf(target)) ?? []), label]);
  }
  return [...labels].map(([target, list]) => {
    const label = [...new Set(list)].filter(Boolean).join("<br/>");
    return `  ${idOf(node)} --> ${target}${label ? ` : ${label}` : ""}`;
  });
}

/** Not the bare path: `end` is a word of the diagram language. */
function idOf(node) {
  return [node.machine.id.replace("-", "_"), ...node.path].join("_");
}

function pathOf(node) {
  return node.path.join(".");
}
