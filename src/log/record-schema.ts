import { Compile, type Validator } from "typebox/compile";
import { LifecycleError } from "../protocol/errors.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import { recordShape } from "./record-shapes.ts";

/** Where a record came from, for errors: a file and line, or its place in a list. */
export type RecordPlace = Readonly<Record<string, string | number>>;

const validators = new Map<string, Validator>();

/**
 * A value as a log record: its schema is compiled once per type and checked only here, at the boundary.
 *
 * @throws LifecycleError `record-invalid` with the place, the field (a JSON Pointer) and the reason.
 */
export function parseRecord(value: unknown, place: RecordPlace): LogRecord {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  if (typeof type !== "string") throw invalid(place, "/type", "must be the name of an input");
  const validator = validatorOf(type);
  if (!validator) throw invalid(place, "/type", `${JSON.stringify(type)} is not an input that this version knows`);
  if (validator.Check(value)) return value as unknown as LogRecord;
  const errors = validator.Errors(value);
  const error = errors.reduce((deepest, next) =>
    next.instancePath.length > deepest.instancePath.length ? next : deepest,
  );
  throw invalid(place, error.instancePath || "/", error.message);
}

function validatorOf(type: string): Validator | undefined {
  const known = validators.get(type);
  if (known) return known;
  const shape = recordShape(type);
  if (!shape) return undefined;
  const validator = Compile(shape) as unknown as Validator;
  validators.set(type, validator);
  return validator;
}

function invalid(place: RecordPlace, field: string, reason: string): LifecycleError {
  const where = Object.entries(place)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
  return new LifecycleError(
    "record-invalid",
    { ...place, field, reason },
    `Invalid record (${where}) at ${field}: ${reason}`,
  );
}
