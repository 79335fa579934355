import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseScenarios } from "../../src/testing/parse-scenarios.ts";
import type { ParsedScenario } from "../../src/testing/scenario-entry.ts";

/** The recorded lifecycle cases: what the real Pi 1.6.0 did. */
export function recordedCases(name: "handwritten" | "generated"): readonly ParsedScenario[] {
  return parseScenarios(recordingText(name), `${name}.jsonl`);
}

export function recordingText(name: "handwritten" | "generated" | "replacement"): string {
  return readFileSync(fileURLToPath(new URL(`recordings/${name}.jsonl`, import.meta.url)), "utf8");
}
