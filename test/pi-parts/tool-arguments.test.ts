import { type Tool, type ToolCall, validateToolArguments as validateInPi } from "@earendil-works/pi-ai";
import { arr, int, obj, opt, str } from "@earendil-works/pi-schema";
import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { validateToolArguments } from "../../src/pi/tool-arguments.ts";
import { toolCall } from "./messages.ts";

const SCHEMAS: readonly object[] = [
  {},
  { type: "object", properties: { n: { type: "integer", minimum: 0 }, s: { type: "string" } }, required: ["n"] },
  { type: "object", properties: { list: { type: "array", items: { type: "number" } } }, additionalProperties: false },
  { type: "object", properties: { s: { type: "string", format: "date" } } },
  { type: "object", properties: { s: { $ref: "#/$defs/missing" } } },
  { type: "object", properties: { "a/b": { type: "object", properties: { "~": { type: "boolean" } } } } },
  Type.Object({ n: Type.Number(), s: Type.Optional(Type.Literal("x")) }),
  obj({ n: int(), s: opt(str()), list: opt(arr(obj({ s: str() }))) }),
];

const values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("1", "true", "2026-02-30", null, 1, -1, 1.5, [1, "2"], { s: 1 }, { "~": "no" }, "[1]", '{"s":"x"}'),
);
const argumentsArb = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(fc.constantFrom("n", "s", "list", "a/b", "more"), values, { maxKeys: 4 }) },
  { weight: 1, arbitrary: values },
);

function outcome(validate: (tool: Tool, call: ToolCall) => unknown, tool: Tool, call: ToolCall): unknown {
  try {
    return { value: validate(tool, call) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

describe("T2: arguments of a call", () => {
  test.prop([fc.constantFrom(...SCHEMAS), argumentsArb, fc.constantFrom(undefined, undefined, "", "not JSON")], {
    numRuns: 1500,
  })("are coerced or refused with Pi's value and Pi's text", (parameters, args, argumentsError) => {
    const tool = { name: "work", description: "", parameters };
    const call = toolCall({ arguments: args as ToolCall["arguments"] });
    if (argumentsError !== undefined) call.argumentsError = argumentsError;
    const before = JSON.stringify(call);
    expect(outcome(validateToolArguments, tool, call)).toStrictEqual(outcome(validateInPi, tool, call));
    expect(JSON.stringify(call)).toBe(before);
  });

  it("are a copy, which the tool may change", () => {
    const call = toolCall({ arguments: { deep: { x: 1 } } });
    const args = validateToolArguments({ name: "work", description: "", parameters: {} }, call);
    expect(args).toStrictEqual(call.arguments);
    expect((args as typeof call.arguments).deep).not.toBe(call.arguments.deep);
  });

  it("are refused with Pi's text when the schema itself is none", () => {
    for (const parameters of [undefined, true, null] as unknown as object[]) {
      const tool = { name: "work", description: "", parameters };
      expect(outcome(validateToolArguments, tool, toolCall())).toEqual(outcome(validateInPi, tool, toolCall()));
    }
  });
});
