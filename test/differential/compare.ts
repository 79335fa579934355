import type { Behaviour, Observation } from "./recorder.ts";

/** The first thing that one side did and the other did not. */
export interface Difference {
  agent: number;
  channel: keyof Behaviour;
  index: number;
  /** What came just before, the same on both sides. */
  before: string[];
  expected: Observation | undefined;
  actual: Observation | undefined;
  /** The place inside the observations that differs first; `identities` when they differ only in which objects they are. */
  path: string;
}

const CHANNELS = ["trace", "outcomes", "final"] as const;
const SHOWN_BEFORE = 6;
const SHOWN_LENGTH = 400;

/** The first difference of two runs of one program; undefined when nobody could tell them apart. */
export function compare(expected: readonly Behaviour[], actual: readonly Behaviour[]): Difference | undefined {
  for (const [agent, behaviour] of expected.entries()) {
    for (const channel of CHANNELS) {
      const found = compareLists(behaviour[channel], actual[agent]?.[channel] ?? []);
      if (found !== undefined) return { agent, channel, ...found };
    }
  }
  return undefined;
}

function compareLists(
  expected: readonly Observation[],
  actual: readonly Observation[],
): Omit<Difference, "agent" | "channel"> | undefined {
  for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
    const [left, right] = [expected[index], actual[index]];
    const path = differingPath(left, right);
    if (path === undefined) continue;
    const before = expected.slice(Math.max(0, index - SHOWN_BEFORE), index).map(({ what }) => what);
    return { index, before, expected: left, actual: right, path };
  }
  return undefined;
}

function differingPath(left: Observation | undefined, right: Observation | undefined): string | undefined {
  if (left?.what !== right?.what || left === undefined || right === undefined) return "what";
  const path = left.data === right.data ? undefined : firstDifference(JSON.parse(left.data), JSON.parse(right.data));
  if (path !== undefined) return `data${path}`;
  return left.identities === right.identities ? undefined : "identities";
}

/** The path to the first place where two values differ; the order of keys is no difference. */
function firstDifference(left: unknown, right: unknown): string | undefined {
  if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right)) {
    return left === right ? undefined : "";
  }
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const path = firstDifference(left[key], right[key]);
    if (path !== undefined) return `.${key}${path}`;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The kind of a difference: differences of one kind mostly have one cause. */
export function kindOf({ channel, expected, actual, path }: Difference): string {
  const what =
    expected?.what === actual?.what ? expected?.what : `${expected?.what ?? "nothing"} ≠ ${actual?.what ?? "nothing"}`;
  return `${channel}: ${what?.replace(/\d+/g, "n")} at ${path.replace(/\d+/g, "n")}`;
}

/** A difference as lines for people. */
export function describe(difference: Difference): string {
  const { agent, channel, index, before, expected, actual, path } = difference;
  return [
    `agent ${agent}, ${channel}[${index}], at ${path}`,
    `  after:    ${before.join(" · ") || "(nothing)"}`,
    `  expected: ${show(expected, path)}`,
    `  actual:   ${show(actual, path)}`,
  ].join("\n");
}

function show(observation: Observation | undefined, path: string): string {
  if (observation === undefined) return "(nothing)";
  if (path === "identities") return `${observation.what} objects ${observation.identities}`;
  const keys = path.split(".").slice(1);
  const whole: unknown = JSON.parse(observation.data);
  const part = keys.reduce((value, key) => (isObject(value) && key in value ? value[key] : value), whole);
  const text = JSON.stringify(part);
  return `${observation.what} ${text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text}`;
}
