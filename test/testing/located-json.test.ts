import { fc, test as prop } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { JsonTextError, LocatedJson } from "../../src/testing/located-json.ts";

function failure(text: string): JsonTextError {
  try {
    new LocatedJson(text);
  } catch (error) {
    if (error instanceof JsonTextError) return error;
    throw error;
  }
  throw new Error(`It was read: ${text}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("located JSON", () => {
  prop.prop([fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 2)])("reads what JSON.parse reads", (text, space) => {
    const value = JSON.parse(text);
    expect(new LocatedJson(JSON.stringify(value, null, space)).value).toStrictEqual(value);
  });

  prop.prop([
    fc.json({ maxDepth: 3 }),
    fc.nat(),
    fc.constantFrom("", ",", '"', "\\", "}", "]", "{", "0", "-", "\n", "\t", "e"),
  ])("refuses what JSON.parse refuses, and nothing else but repeated fields", (text, at, put) => {
    const cut = at % (text.length + 1);
    const broken = text.slice(0, cut) + put + text.slice(cut + 1);
    if (isJson(broken)) {
      try {
        new LocatedJson(broken);
      } catch (error) {
        expect((error as Error).message).toBe("this field stands twice");
      }
    } else {
      expect(failure(broken)).toBeInstanceOf(JsonTextError);
    }
  });

  test("knows the line of every value, and of the value around one that is not there", () => {
    const json = new LocatedJson('\n{\n  "a": [\n    1,\n    { "b c": 2 }\n  ]\n}');
    const lines = [[], ["a"], ["a", 0], ["a", 1, "b c"], ["a", 1, "missing", 4], ["missing"]].map((path) =>
      json.lineOf(path),
    );
    expect(lines).toEqual([2, 3, 4, 5, 5, 2]);
  });

  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', '"," or "}" is missing', [], 3, 3],
    ['{"a": [1, 2,]}', "not a JSON value", ["a", 2], 1, 13],
    ['{"a" 1}', '":" is missing after the field name', [], 1, 6],
    ["{a: 1}", "not a string in double quotes", [], 1, 2],
    ['{"a": {"b": 1, "b": 1}}', "this field stands twice", ["a", "b"], 1, 16],
    ['{"a": "x', "not a string in double quotes", ["a"], 1, 7],
    ['{"a": 1', "the text ends too early", [], 1, 8],
    ["{} {}", "the value has ended, but the text has not", [], 1, 4],
    ["", "the text ends too early", [], 1, 1],
  ])("%s: %s", (text, message, path, line, column) => {
    expect(failure(text)).toMatchObject({ message, path, line, column });
  });

  test("a text of endless depth is refused, not a crash", () => {
    expect(failure("[".repeat(100_000)).message).toBe("more than 200 levels deep");
  });

  test("a field named __proto__ is a field", () => {
    const { value } = new LocatedJson('{"__proto__": {"admin": true}}');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect((value as { admin?: unknown }).admin).toBeUndefined();
  });
});
