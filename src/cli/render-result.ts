import type { Scenario, ScenarioResult } from "../testing/index.ts";

const INDENTS: readonly (readonly [prefix: string, indent: string])[] = [
  ["agent_", "  "],
  ["turn_", "    "],
  ["", "      "],
];

/** A result for a reader: the events as Trace ⊃ Turn ⊃ the rest, then requests, refusals and what stayed queued. */
export function renderResult(scenario: Pick<Scenario, "name" | "about">, result: ScenarioResult): string {
  const { events, requests, errors, final } = result;
  return [
    scenario.about === undefined ? scenario.name : `${scenario.name}: ${scenario.about}`,
    ...events.map(indented),
    ...section(
      "requests",
      requests.map((messages) => messages.join(" | ")),
    ),
    ...section("refused", errors),
    ...section("transcript", final.messages),
    ...section("left in the steering queue", final.steering),
    ...section("left in the follow-up queue", final.followUp),
    "",
  ].join("\n");
}

function indented(event: string): string {
  const [, indent = ""] = INDENTS.find(([prefix]) => event.startsWith(prefix)) ?? [];
  return indent + event;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${title}:`, ...lines.map((line) => `    ${line}`)];
}
