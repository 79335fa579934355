import { LifecycleError } from "../protocol/errors.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import { parseRecord } from "./record-schema.ts";

/**
 * A record as one line of JSON, without the newline.
 *
 * @throws LifecycleError `record-unwritable` with the record and the field that JSON cannot hold.
 */
export function encodeRecord(record: LogRecord): string {
  try {
    const { seq, id, at, type, ...payload } = record;
    return JSON.stringify({ seq, id, at, type, ...payload });
  } catch (error) {
    const field = error instanceof RangeError ? "/" : (unwritableField(record, "", new Set()) ?? "/");
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new LifecycleError("record-unwritable", { seq: record.seq, type: record.type, field, reason });
  }
}

/**
 * The records of a log file's text. Empty lines are skipped.
 *
 * @param file The file's name, for errors.
 * @throws LifecycleError `record-unreadable` or `record-invalid`, with file and line.
 */
export function decodeLog(text: string, file: string): readonly LogRecord[] {
  return text.split("\n").flatMap((line, index) => (line.trim() === "" ? [] : [decodeLine(line, file, index + 1)]));
}

function decodeLine(line: string, file: string, number: number): LogRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LifecycleError(
      "record-unreadable",
      { file, line: number, reason },
      `${file}:${number} is not JSON: ${reason}`,
    );
  }
  return parseRecord(value, { file, line: number });
}

/** The JSON Pointer of the first value that JSON cannot hold. */
function unwritableField(value: unknown, path: string, above: ReadonlySet<unknown>): string | undefined {
  if (typeof value === "bigint") return path;
  if (typeof value !== "object" || value === null) return undefined;
  if (above.has(value)) return path;
  const within = new Set(above).add(value);
  for (const [key, item] of Object.entries(value)) {
    const found = unwritableField(item, `${path}/${key}`, within);
    if (found !== undefined) return found;
  }
  return undefined;
}
