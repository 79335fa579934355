import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { formatPath, type JsonPath } from "./json-path.ts";
import { nearestName } from "./nearest-name.ts";
import { ScenarioSchema } from "./scenario.ts";
import { type ScenarioCase, ScenarioCaseSchema } from "./scenario-case.ts";
import { ScenarioError, type ScenarioErrorCode } from "./scenario-error.ts";
import { type Finding, scenarioFaults, scenarioRemarks } from "./scenario-sense.ts";
import { schemaFault } from "./schema-fault.ts";

const CASE_FIELDS = Object.keys(ScenarioCaseSchema.properties);
const caseForm = Compile(ScenarioCaseSchema);
const scenarioForm = Compile(ScenarioSchema);

/** A value of a file that should be a scenario. */
export interface ScenarioEntry {
  readonly value: unknown;
  /** Where in the file's JSON it stands. */
  readonly path: JsonPath;
  readonly file: string;
  readonly lineOf: (path: JsonPath) => number;
}

/** A scenario of a file, with what its case says of it. */
export interface ParsedScenario extends ScenarioCase {
  readonly file: string;
  /** Where it starts, from 1. */
  readonly line: number;
  /** What stands there without effect, most likely by mistake: `<file>:<line>: <path>: <reason>`. */
  readonly remarks: readonly string[];
}

/**
 * One entry as a scenario.
 *
 * @throws ScenarioError for the first thing that is wrong.
 */
export function parseEntry(entry: ScenarioEntry): ParsedScenario {
  const { value, path, file, lineOf } = entry;
  const wrapped = isWrapped(value);
  const scenarioPath = wrapped ? [...path, "scenario"] : path;
  refuseReplacement(entry, wrapped ? value.scenario : value, scenarioPath);
  const notes = wrapped ? notesOf(entry, value) : [];
  const parsed = wrapped ? readCase(entry) : readScenario(entry);
  for (const fault of scenarioFaults(parsed.scenario)) {
    refuse(entry, "scenario-invalid", [...scenarioPath, ...fault.path], fault.reason);
  }
  const remarks = [
    ...notes,
    ...scenarioRemarks(parsed.scenario).map((remark) => ({ ...remark, path: [...scenarioPath, ...remark.path] })),
  ];
  return {
    ...parsed,
    file,
    line: lineOf(path),
    remarks: remarks.map(({ path, reason }) => `${file}:${lineOf(path)}: ${formatPath(path)}: ${reason}`),
  };
}

function isWrapped(value: unknown): value is Record<string, unknown> & { readonly scenario?: unknown } {
  return isRecord(value) && Object.keys(value).some((name) => nearestName(name, ["scenario"]) !== undefined);
}

function refuseReplacement(entry: ScenarioEntry, scenario: unknown, path: JsonPath): void {
  if (!isRecord(scenario) || !("steps" in scenario) || "model" in scenario || "host" in scenario) return;
  refuse(
    entry,
    "scenario-is-replacement",
    path,
    "is a replacement scenario; this version runs lifecycle scenarios only",
  );
}

/** The fields of a case that only its recorder knows; a name that is nearly one of ours is a mistake. */
function notesOf(entry: ScenarioEntry, value: Record<string, unknown>): readonly Finding[] {
  const others = Object.keys(value).filter((name) => !CASE_FIELDS.includes(name));
  return others.map((name) => {
    const path = [...entry.path, name];
    const meant = nearestName(name, CASE_FIELDS);
    if (meant) refuse(entry, "scenario-unknown-field", path, `is not a field here; did you mean "${meant}"?`);
    return { path, reason: "is not a field of a case and is ignored" };
  });
}

function readCase(entry: ScenarioEntry): ScenarioCase {
  if (!caseForm.Check(entry.value)) refuseForm(entry, ScenarioCaseSchema);
  return entry.value;
}

function readScenario(entry: ScenarioEntry): ScenarioCase {
  if (!scenarioForm.Check(entry.value)) refuseForm(entry, ScenarioSchema);
  return { scenario: entry.value };
}

function refuseForm(entry: ScenarioEntry, schema: TSchema): never {
  const fault = schemaFault(schema, entry.value, entry.path);
  if (!fault) throw new TypeError("A value that does not fit its schema has no fault.");
  return refuse(entry, fault.unknownField ? "scenario-unknown-field" : "scenario-invalid", fault.path, fault.reason);
}

function refuse({ file, lineOf }: ScenarioEntry, code: ScenarioErrorCode, path: JsonPath, reason: string): never {
  throw new ScenarioError(code, { file, line: lineOf(path), path }, reason);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
