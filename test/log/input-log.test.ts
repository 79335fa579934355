import { expect, test } from "vitest";
import { InputLog } from "../../src/log/input-log.ts";
import type { LogRecord } from "../../src/protocol/log-record.ts";

const record = (seq: number): LogRecord => ({ seq, id: `${seq}`, at: 0, type: "abort" });

test("append takes the next record only", () => {
  const log = new InputLog([record(0)]);
  log.append(record(1));
  expect(log.length).toBe(2);
  for (const seq of [0, 1, 3]) {
    expect(() => log.append(record(seq))).toThrowError(
      expect.objectContaining({ code: "version-conflict", details: { expected: seq, actual: 2 } }),
    );
  }
  expect([...log].map(({ seq }) => seq)).toEqual([0, 1]);
});

test("asynchronous iteration catches up, then follows live, for every reader on its own", async () => {
  const log = new InputLog([record(0)]);
  const read = async (count: number) => {
    const seen: number[] = [];
    for await (const { seq } of log) {
      seen.push(seq);
      if (seen.length === count) break;
    }
    return seen;
  };
  const readers = [read(1), read(3), read(2)];
  await Promise.resolve();
  log.append(record(1));
  log.append(record(2));
  expect(await Promise.all(readers)).toEqual([[0], [0, 1, 2], [0, 1]]);
});

test("slices are copies, and the log is its records as JSON", () => {
  const log = new InputLog([record(0), record(1)]);
  (log.slice() as LogRecord[]).pop();
  expect(log.length).toBe(2);
  expect(log.at(-1)).toEqual(record(1));
  expect(JSON.parse(JSON.stringify(log))).toEqual([record(0), record(1)]);
});
