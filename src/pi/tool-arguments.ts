import type { Tool, ToolCall } from "@earendil-works/pi-ai";
import { type CoercingValidator, compile, type ValidationError } from "@earendil-works/pi-schema";
import { formats } from "@earendil-works/pi-schema/formats";

/** Tools live long and are called often; the schema's validator goes when the schema does. */
const validators = new WeakMap<object, CoercingValidator>();

/**
 * The arguments of a call as its tool takes them: a copy, coerced to the tool's JSON Schema (`"42"` for a number, one
 * value for a list) and valid (spec T2).
 *
 * @throws Error with Pi's text when the model's arguments were no JSON object (`argumentsError`) or are not valid.
 */
export function validateToolArguments(tool: Tool, toolCall: ToolCall): unknown {
  if (toolCall.argumentsError) {
    throw new Error(`Invalid arguments for tool "${toolCall.name}": ${toolCall.argumentsError}`);
  }
  const parsed = validatorOf(tool.parameters).parse(structuredClone(toolCall.arguments));
  if (parsed.ok) return parsed.value;
  throw new Error(failureText(toolCall, parsed.errors));
}

function validatorOf(schema: object): CoercingValidator {
  const known = validators.get(schema);
  if (known) return known;
  // An unresolved reference refuses the values at its place only; else it would break every call of the tool.
  const validator = compile(schema, { formats, coerce: true, unresolvedRefs: "reject" });
  validators.set(schema, validator);
  return validator;
}

function failureText(toolCall: ToolCall, errors: readonly ValidationError[]): string {
  const lines = errors.map(({ path, message }) => `  - ${dottedPath(path)}: ${message}`);
  const received = JSON.stringify(toolCall.arguments, null, 2);
  return `Validation failed for tool "${toolCall.name}":\n${lines.join("\n")}\n\nReceived arguments:\n${received}`;
}

/** A JSON Pointer as the model reads it: `/edits/0/oldText` is `edits.0.oldText`. */
function dottedPath(pointer: string): string {
  if (pointer === "") return "root";
  const segments = pointer.slice(1).split("/");
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
}
