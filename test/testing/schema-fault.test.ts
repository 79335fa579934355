import { fc, test as prop } from "@fast-check/vitest";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect } from "vitest";
import type { JsonPath } from "../../src/testing/json-path.ts";
import { ScenarioSchema } from "../../src/testing/scenario.ts";
import { schemaFault } from "../../src/testing/schema-fault.ts";
import { recordedCases } from "../conformance/recordings.ts";

const valueAt = (root: unknown, path: JsonPath): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<string | number, unknown> | undefined)?.[part], root);

const schema: TSchema = ScenarioSchema;
const form = Compile(ScenarioSchema);
const scenarios = recordedCases("generated").map(({ scenario }) => scenario);

type Path = (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const fields: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...fields.flatMap(([name, item]) => pathsOf(item, [...path, name]))];
}

describe("a fault of a value against its schema", () => {
  prop.prop([
    fc.constantFrom(...scenarios),
    fc.nat(),
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom("replace", "add", "remove"),
  ])(
    "is found exactly when the compiled schema refuses the value, at or above the change",
    (scenario, pick, junk, change) => {
      const changed: unknown = structuredClone(scenario);
      const paths = pathsOf(changed).filter((path) => path.length > 0);
      const path = paths[pick % paths.length] ?? [];
      const parent = valueAt(changed, path.slice(0, -1)) as Record<string | number, unknown>;
      const name = path.at(-1) ?? "";
      if (change === "replace") parent[name] = junk;
      else if (change === "add" && !Array.isArray(parent)) parent.strange = junk;
      else if (!Array.isArray(parent)) delete parent[name];
      const fault = schemaFault(schema, changed);
      expect(fault === undefined).toBe(form.Check(changed));
      const wellAbove = path.slice(0, Math.max(0, path.length - 2));
      if (fault) expect(fault.path.slice(0, wellAbove.length)).toEqual(wellAbove);
    },
  );
});
