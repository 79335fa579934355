import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

const made: string[] = [];

afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** A directory of its own for one test. */
export class Workspace {
  readonly path = mkdtempSync(join(tmpdir(), "turnwright-"));

  constructor() {
    made.push(this.path);
  }

  /** Writes a file and returns its path; anything but text becomes one line of JSON per item. */
  file(name: string, content: string | Uint8Array | readonly unknown[]): string {
    const path = join(this.path, name);
    const isLines = Array.isArray(content);
    writeFileSync(path, isLines ? content.map((line) => `${JSON.stringify(line)}\n`).join("") : (content as string));
    return path;
  }
}
