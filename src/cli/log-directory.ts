import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeRecord } from "../log/codec.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import { CliError } from "./cli-error.ts";

/** Characters; a file name has at most 255 bytes, and a character up to four. */
const LONGEST_NAME = 60;

/** A directory in which every scenario keeps its log as `<name>.jsonl`, one record on each line. */
export class LogDirectory {
  readonly #path: string;
  readonly #taken = new Set<string>();

  private constructor(path: string) {
    this.#path = path;
  }

  /** @throws CliError `output-unwritable` when the directory cannot be made. */
  static async open(path: string): Promise<LogDirectory> {
    await writing(path, () => mkdir(path, { recursive: true }));
    return new LogDirectory(path);
  }

  /**
   * Writes one log and returns the path of its file.
   *
   * @throws CliError `output-unwritable`.
   */
  async write(name: string, records: Iterable<LogRecord>): Promise<string> {
    const file = join(this.#path, `${this.#fileName(name)}.jsonl`);
    const text = Array.from(records, (record) => `${encodeRecord(record)}\n`).join("");
    await writing(file, () => writeFile(file, text));
    return file;
  }

  /** A scenario's name as a file name: no other directory, no name twice, whatever the file system makes of case. */
  #fileName(name: string): string {
    const plain =
      name
        .replace(/[^\p{L}\p{N}._-]+/gu, "_")
        .replace(/^\.+/, "")
        .slice(0, LONGEST_NAME) || "scenario";
    let free = plain;
    for (let n = 2; this.#taken.has(free.toLowerCase()); n++) free = `${plain}-${n}`;
    this.#taken.add(free.toLowerCase());
    return free;
  }
}

async function writing(path: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new CliError(
      "output-unwritable",
      `${path}: cannot be written: ${(error as Error).message}`,
      "Give another directory.",
    );
  }
}
