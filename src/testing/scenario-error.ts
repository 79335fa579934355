import type { ErrorInfo } from "../protocol/errors.ts";
import { formatPath, type JsonPath } from "./json-path.ts";

/** What can be wrong with a scenario file, with the first thing to try. */
export const SCENARIO_FAULTS = {
  "scenario-not-json": {
    text: "The text is not JSON.",
    fix: "Write one JSON value; in a .jsonl file one on each line.",
  },
  "scenario-file-empty": {
    text: "There is no scenario in the file.",
    fix: "Write a scenario with name, model and host.",
  },
  "scenario-unknown-field": {
    text: "A field has a name that the format does not know.",
    fix: "Correct the name or remove the field.",
  },
  "scenario-invalid": {
    text: "A value does not have the form that its field asks for.",
    fix: "Correct the value at the named path.",
  },
  "scenario-is-replacement": {
    text: "A replacement scenario cannot be run: this version runs lifecycle scenarios only.",
    fix: "Give a scenario with model and host instead of steps.",
  },
} as const satisfies Record<string, ErrorInfo>;

export type ScenarioErrorCode = keyof typeof SCENARIO_FAULTS;

/** Where in the scenario files something stands. */
export interface ScenarioPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly path: JsonPath;
}

/** A scenario file that cannot be run. The message names file, line, path and reason. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  readonly code: ScenarioErrorCode;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** JSON path from the value on the line, or from the whole file: `$.host[2].when`. */
  readonly path: string;
  readonly reason: string;
  readonly fix: string;

  constructor(code: ScenarioErrorCode, place: ScenarioPlace, reason: string, fix: string = SCENARIO_FAULTS[code].fix) {
    const path = formatPath(place.path);
    super(`${place.file}:${place.line}: ${path}: ${reason}`);
    this.code = code;
    this.file = place.file;
    this.line = place.line;
    this.path = path;
    this.reason = reason;
    this.fix = fix;
  }
}
