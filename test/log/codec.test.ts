import { expect, test } from "vitest";
import { decodeLog, encodeRecord } from "../../src/log/codec.ts";
import { parseRecord } from "../../src/log/record-schema.ts";
import type { LogRecord } from "../../src/protocol/log-record.ts";

const STEER: LogRecord = { seq: 3, id: "3", at: 5, type: "steer", message: { role: "user" } };

const codeOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    const { code, details, message } = error as { code: string; details: object; message: string };
    return { code, details, message };
  }
  throw new Error("nothing was thrown");
};

test("a record is one line, with its envelope first, and comes back as it was", () => {
  const line = encodeRecord({ ...STEER, key: "k" } as LogRecord);
  expect(line).toBe('{"seq":3,"id":"3","at":5,"type":"steer","message":{"role":"user"},"key":"k"}');
  expect(decodeLog(`${line}\n\n`, "log")).toEqual([{ ...STEER, key: "k" }]);
});

test("what JSON cannot hold is refused with record and field", () => {
  const circular: Record<string, unknown> = { role: "user" };
  circular.self = circular;
  expect(codeOf(() => encodeRecord({ ...STEER, message: circular as { role: string } }))).toMatchObject({
    code: "record-unwritable",
    details: { seq: 3, type: "steer", field: "/message/self" },
  });
  const big = { role: "user", content: [{ n: 1n }] };
  expect(codeOf(() => encodeRecord({ ...STEER, message: big })).details).toMatchObject({
    field: "/message/content/0/n",
  });
});

test("a line that is not JSON is refused with file and line", () => {
  const text = `${encodeRecord(STEER)}\n{"seq":4,\n`;
  expect(codeOf(() => decodeLog(text, "a.jsonl"))).toMatchObject({
    code: "record-unreadable",
    details: { file: "a.jsonl", line: 2 },
    message: expect.stringContaining("a.jsonl:2"),
  });
});

test.each([
  [{ seq: -1 }, "/seq"],
  [{ id: "" }, "/id"],
  [{ message: {} }, "/message"],
  [{ message: "hi" }, "/message"],
  [{ expect: { traceId: 1 } }, "/expect/traceId"],
  [{ type: "stir" }, "/type"],
  [{ type: 7 }, "/type"],
  [{ type: "toString" }, "/type"],
  [{ digest: { state: "x" } }, "/digest"],
])("a record with %j is refused at %s", (change, field) => {
  expect(codeOf(() => parseRecord({ ...STEER, ...change }, { file: "f", line: 9 }))).toMatchObject({
    code: "record-invalid",
    details: { file: "f", line: 9, field },
  });
});

test.each([null, 1, "x", [], {}])("%j is not a record", (value) => {
  expect(codeOf(() => parseRecord(value, { record: 0 })).code).toBe("record-invalid");
});
