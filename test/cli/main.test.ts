import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("../../dist/src/cli/main.js", import.meta.url));
const RECORDINGS = fileURLToPath(new URL("../conformance/recordings/", import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function turnwright(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { cwd: RECORDINGS }, (_error, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });
}

/** Runs with a reader that leaves after the first bytes. */
function turnwrightToHead(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: RECORDINGS });
    let out = "";
    let err = "";
    child.stdout.once("data", (first: Buffer) => {
      out = first.toString();
      child.stdout.destroy();
    });
    child.stderr.on("data", (more: Buffer) => {
      err += more.toString();
    });
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

beforeAll(() => {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is not there: run "npm run build" first.`);
});

describe("the built turnwright", () => {
  test("exits with 0 when all is as expected", async () => {
    const { code, out, err } = await turnwright("run", "handwritten.jsonl", "--profile", "pi-1.6");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/\n36 compared, 36 as expected, 0 not \(profile pi-1\.6\)\n$/);
  });

  test("exits with 1 when something is not", async () => {
    expect((await turnwright("run", "handwritten.jsonl", "--profile", "strict")).code).toBe(1);
  });

  test("exits with 2 on bad input", async () => {
    const { code, out, err } = await turnwright("run", "replacement.jsonl");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^replacement\.jsonl:1: \$\.scenario: is a replacement scenario;/);
  });

  test("goes on to a true exit code when its reader has left", async () => {
    const args = ["run", "--json", ...Array<string>(4).fill("generated.jsonl")];
    const { code, err } = await turnwrightToHead(...args, "--profile", "pi-1.6");
    expect([code, err]).toEqual([0, "1200 compared, 1200 as expected, 0 not (profile pi-1.6)\n"]);
  });
});
