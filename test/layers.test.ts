import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { DECLARED, PLANTED } from "./layers/planted.ts";
import { violations } from "./layers/violations.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

function sources(): ReadonlyMap<string, string> {
  const paths = ["machines", "src", "test"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  );
  const typescript = paths.filter((path) => path.endsWith(".ts"));
  return new Map(typescript.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}

describe("the rules of layout and imports", () => {
  it("hold for every source file", () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(violations(sources(), Object.keys({ ...dependencies, ...peerDependencies }))).toEqual([]);
  });

  it.each(PLANTED)("are checked: $rule", ({ files, faults }) => {
    expect(violations(new Map(Object.entries(files)), DECLARED)).toEqual(faults);
  });
});
