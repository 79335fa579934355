/** Parameter schemas, one per way in which arguments can be right, coerced or wrong. */
export const SCHEMAS = {
  open: { type: "object", properties: {} },
  closed: { type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: false },
  typed: {
    type: "object",
    properties: {
      count: { type: "integer", minimum: 0, maximum: 9 },
      ratio: { type: "number" },
      deep: { type: "boolean" },
      mode: { type: "string", enum: ["fast", "slow"] },
    },
    required: ["count"],
  },
  nested: {
    type: "object",
    properties: {
      edits: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: { from: { type: "string" }, to: { type: "string", minLength: 1 } },
          required: ["from", "to"],
        },
      },
      either: { anyOf: [{ type: "number" }, { type: "null" }, { type: "array", items: { type: "string" } }] },
      note: { type: "string", default: "none" },
    },
    required: ["edits"],
  },
  formatted: {
    type: "object",
    properties: { when: { type: "string", format: "date" }, tag: { type: "string", pattern: "^[a-z]+$" } },
    required: ["tag"],
  },
} as const;
export type SchemaName = keyof typeof SCHEMAS;

/** Ways to prepare raw arguments before they are validated. */
export const PREPARE = {
  same: (args: unknown) => args,
  wrap: (args: unknown) => ({ path: String(args), count: 1, tag: "x", edits: [{ from: "a", to: "b" }] }),
  edit: (args: unknown) => {
    if (typeof args === "object" && args !== null) Object.assign(args, { count: 2, path: "edited", tag: "edited" });
    return args;
  },
  throws: () => {
    throw new Error("cannot prepare");
  },
} as const;
export type PrepareName = keyof typeof PREPARE;

/** Arguments that are valid for some schema, need coercion for another and are invalid for a third. */
export const ARGUMENTS: readonly unknown[] = [
  {},
  { path: "a.txt" },
  { path: 7 },
  { path: "a", extra: true },
  { count: 3 },
  { count: "3", ratio: "0.5", deep: "true", mode: "fast" },
  { count: 3.5 },
  { count: 99, mode: "none" },
  { count: null, ratio: null },
  { edits: [{ from: "x", to: "y" }], either: null },
  { edits: { from: "x", to: "y" }, either: ["s"] },
  { edits: '[{"from":"x","to":"y"}]', either: "4" },
  { edits: [] },
  { edits: [{ from: "x" }, { to: "" }] },
  { tag: "abc", when: "2026-01-31" },
  { tag: "ABC", when: "yesterday" },
  { path: { nested: [1, "two", null] } },
  [],
  "text",
  null,
];
