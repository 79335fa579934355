/** Parts of the space of programs that can be left out, to look for differences elsewhere. */
export const FEATURES = {
  agents: { on: true, about: "programs of one or two agents" },
  loops: { on: true, about: "programs that call the stateless loop functions" },
  toolCalls: { on: true, about: "programs that call runToolCall" },
  pairs: { on: true, about: "two agents side by side" },
  faults: { on: true, about: "hooks, stream functions and streams that fail" },
  ties: { on: true, about: "parallel tool calls that end, update or are cancelled in the same tick" },
  slowListeners: { on: true, about: "listeners that answer with a promise" },
  edits: { on: true, about: "hosts that change messages, arguments and state arrays in place" },
  shapes: { on: true, about: "tool results without content, results that are a string, arguments that are no object" },
  doubles: { on: true, about: "two tools with one name at the same time" },
  streamFaults: {
    on: false,
    about: "agentLoop streams that fail: Pi rejects a promise that nobody holds and never ends",
  },
  rubbish: { on: true, about: "tools that return nothing at all" },
  silence: { on: false, about: "streams that end without a final message: Pi waits for ever (Turnwright must not)" },
} as const;

export type Feature = keyof typeof FEATURES;
export type Features = Readonly<Record<Feature, boolean>>;

/** The default features, with some added and some left out. Throws on a name that does not exist. */
export function chooseFeatures(add: readonly string[] = [], leaveOut: readonly string[] = []): Features {
  const names = Object.keys(FEATURES);
  for (const name of [...add, ...leaveOut]) {
    if (!names.includes(name)) throw new Error(`There is no feature "${name}". Features: ${names.join(", ")}.`);
  }
  const chosen = Object.entries(FEATURES).map(([name, { on }]) => [
    name,
    (on || add.includes(name)) && !leaveOut.includes(name),
  ]);
  return Object.fromEntries(chosen) as Features;
}
