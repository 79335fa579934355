import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { IMPURE, PURE } from "./sources.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BIOME = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
const VERDICT = /^× (.+?):\d+:\d+: (?:plugin|lint\/style\/noRestrictedGlobals|lint\/suspicious\/noConsole):/gm;

/** Gives each source a file of its own in a folder, and tells which of them the project's lint rules find impure there. */
function foundImpure(folder: string, sources: readonly string[]): readonly string[] {
  const project = mkdtempSync(join(tmpdir(), "turnwright-purity-"));
  const pathOf = (n: number) => `${folder}/planted-${n}.ts`;
  try {
    cpSync(join(ROOT, ".ci"), join(project, ".ci"), { recursive: true });
    mkdirSync(join(project, dirname(pathOf(0))), { recursive: true });
    sources.forEach((source, n) => {
      writeFileSync(join(project, pathOf(n)), `${source}\n`);
    });
    const args = [BIOME, "lint", "--config-path=.ci", "--reporter=concise", "--max-diagnostics=none", "."];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
    expect(`${stdout}${stderr}`, "it lints every planted file").toContain(`Checked ${sources.length + 1} files`);
    const paths = new Set([...`${stdout}${stderr}`.matchAll(VERDICT)].map(([, path]) => path));
    return sources.filter((_source, n) => paths.has(pathOf(n)));
  } finally {
    rmSync(project, { recursive: true });
  }
}

describe("law 2: the linter keeps clock, randomness, I/O and promises out of the pure core", () => {
  it.each(["machines", "src/engine", "src/protocol"])("in %s", (folder) => {
    expect(foundImpure(folder, [...IMPURE, ...PURE])).toEqual(IMPURE);
  });

  it("and allows them in the shell", () => {
    expect(foundImpure("src/runtime", IMPURE)).toEqual([]);
  });
});
