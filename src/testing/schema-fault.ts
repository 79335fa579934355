import type { JsonPath } from "./json-path.ts";
import { nearestName } from "./nearest-name.ts";

/** Where and why a value does not fit its schema. */
export interface SchemaFault {
  readonly path: JsonPath;
  readonly reason: string;
  /** Whether the fault is the name of a field. */
  readonly unknownField: boolean;
}

/** The JSON Schema that the scenario format is written in. */
export interface SchemaNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minimum?: number;
  readonly description?: string;
}

/**
 * The first fault of a value, in the order of the text and with a misspelt field before the one that is missing for it;
 * undefined when the value fits. A compiled schema says whether a value fits; this says why not.
 */
export function schemaFault(node: SchemaNode, value: unknown, path: JsonPath = []): SchemaFault | undefined {
  if (node.anyOf) return unionFault(node, node.anyOf, value, path);
  if (node.enum) return enumFault(node.enum, value, path);
  const must = (what: string) => fault(path, `must be ${what}, not ${shown(value)}`);
  if (node.const !== undefined) return value === node.const ? undefined : must(`"${node.const}"`);
  switch (node.type) {
    case "object":
      return isRecord(value) ? objectFault(node, value, path) : must("an object");
    case "array":
      return Array.isArray(value)
        ? firstOf(value, (item, n) => schemaFault(node.items ?? {}, item, [...path, n]))
        : must("an array");
    case "integer":
      if (!Number.isInteger(value)) return must("a whole number");
      return Number(value) < (node.minimum ?? -Infinity) ? must(`${node.minimum} or more`) : undefined;
    case undefined:
      return undefined;
    default:
      return typeof value === node.type ? undefined : must(`a ${node.type}`);
  }
}

function objectFault(node: SchemaNode, value: Record<string, unknown>, path: JsonPath): SchemaFault | undefined {
  const names = Object.keys(value);
  const missing = node.required?.find((name) => !Object.hasOwn(value, name));
  return (
    firstOf(names, (name) => (fieldNode(node, name) ? undefined : unknownField(node, name, path))) ??
    (missing === undefined ? undefined : fault([...path, missing], "is missing")) ??
    firstOf(names, (name) => schemaFault(fieldNode(node, name) ?? {}, value[name], [...path, name]))
  );
}

/** The schema of a field; undefined for a field that may not be there. */
function fieldNode(node: SchemaNode, name: string): SchemaNode | undefined {
  if (node.properties && Object.hasOwn(node.properties, name)) return node.properties[name];
  const patterned = Object.entries(node.patternProperties ?? {}).find(([pattern]) => new RegExp(pattern).test(name));
  return patterned?.[1] ?? (node.additionalProperties === false ? undefined : {});
}

function unknownField(node: SchemaNode, name: string, path: JsonPath): SchemaFault {
  const reason = node.properties
    ? `is not a field here${hint(name, Object.keys(node.properties))}`
    : `is not a field here: it must be ${node.description}`;
  return { path: [...path, name], reason, unknownField: true };
}

/** Of the alternatives, the one that has a field in common with the value tells what is wrong with it. */
function unionFault(
  union: SchemaNode,
  branches: readonly SchemaNode[],
  value: unknown,
  path: JsonPath,
): SchemaFault | undefined {
  const faults = branches.map((branch) => schemaFault(branch, value, path));
  if (faults.includes(undefined)) return undefined;
  const meant = branches.findIndex(
    ({ properties }) =>
      isRecord(value) && Object.keys(value).some((name) => properties && Object.hasOwn(properties, name)),
  );
  return faults[meant] ?? fault(path, `must be ${union.description}, not ${shown(value)}`);
}

function enumFault(names: readonly string[], value: unknown, path: JsonPath): SchemaFault | undefined {
  if (names.includes(value as string)) return undefined;
  const meant = typeof value === "string" ? hint(value, names) : "";
  return fault(path, `must be one of ${names.join(", ")}, not ${shown(value)}${meant}`);
}

function hint(given: string, names: readonly string[]): string {
  const nearest = nearestName(given, names);
  return nearest === undefined ? "" : `; did you mean "${nearest}"?`;
}

function firstOf<T>(
  items: readonly T[],
  look: (item: T, n: number) => SchemaFault | undefined,
): SchemaFault | undefined {
  for (const [n, item] of items.entries()) {
    const found = look(item, n);
    if (found) return found;
  }
  return undefined;
}

function fault(path: JsonPath, reason: string): SchemaFault {
  return { path, reason, unknownField: false };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as a reader can take it in: cut when it is long. */
function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
