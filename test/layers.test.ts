import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { violations } from "./layers/violations.ts";

const ROOT = new URL("..", import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

function sources(): ReadonlyMap<string, string> {
  const paths = ["machines", "src", "test"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  );
  return new Map(paths.filter((path) => path.endsWith(".ts")).map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}

/** `path: text` lines of an imagined repository, and what must be said of it. */
const PLANTED: readonly (readonly [rule: string, files: Readonly<Record<string, string>>, ...faults: string[]])[] = [
  [
    "a layer imports only what is left of it",
    { "src/log/a.ts": 'import type { A } from "../engine/state.ts";' },
    "src/log/a.ts: may not import src/engine/state.ts",
  ],
  [
    "replay cannot run an effect",
    { "src/replay/a.ts": 'import { a } from "../runtime/driver.ts";' },
    "src/replay/a.ts: may not import src/runtime/driver.ts",
  ],
];

describe("layout and imports", () => {
  it("are kept by every source file", () => {
    expect(violations(sources(), declared)).toEqual([]);
  });

  it.each(PLANTED)("%s", (_rule, files, ...faults) => {
    expect(violations(new Map(Object.entries(files)), ["typebox", "xstate"])).toEqual(faults);
  });
});
