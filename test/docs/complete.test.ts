import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { FAULTS, PROFILES, REFUSALS } from "../../src/index.ts";
import { SCENARIO_FAULTS } from "../../src/testing/index.ts";
import { anchorsOf, linksOf } from "./links.ts";
import { ROOT, readPages } from "./pages.ts";

const pages = await readPages();
const pageAt = (path: string) => pages.find((page) => page.path === path);
const textOf = (path: string) => pageAt(path)?.text ?? "";

describe("links", () => {
  it.each(pages.map((page) => [page.path, page] as const))("every link of %s leads somewhere", async (_path, page) => {
    const broken: string[] = [];
    for (const { path, anchor } of linksOf(page)) {
      const exists = await stat(join(ROOT, path)).then(Boolean, () => false);
      const target = pageAt(path);
      const leads = exists && (anchor === undefined || (target && anchorsOf(target).has(anchor)));
      if (!leads) broken.push(anchor === undefined ? path : `${path}#${anchor}`);
    }
    expect(broken).toEqual([]);
  });

  it("every page can be reached from the README", () => {
    const reached = new Set(["README.md"]);
    for (const path of reached) {
      const page = pageAt(path);
      for (const link of page ? linksOf(page) : []) reached.add(link.path);
    }
    expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });
});

describe("completeness", () => {
  it("the error reference has every code, with its text and its first fix", () => {
    const errors = { ...REFUSALS, ...FAULTS, ...SCENARIO_FAULTS };
    const lines = textOf("docs/reference/errors.md").split("\n");
    const missing = Object.entries(errors).filter(
      ([code, { text, fix }]) => !lines.some((line) => [`\`${code}\``, text, fix].every((part) => line.includes(part))),
    );
    expect(missing).toEqual([]);
  });

  it("the deviations name every policy flag with its value in both profiles", () => {
    const { "pi-1.6": pi, strict } = PROFILES;
    const flags = Object.keys(strict).filter((flag) => flag !== "profile") as Exclude<keyof typeof strict, "profile">[];
    const rows = textOf("docs/deviations.md").split("\n");
    const missing = flags.filter(
      (flag) =>
        !rows.some((row) =>
          row.startsWith(`| [\`${flag}\`](#${flag.toLowerCase()}) | \`${pi[flag]}\` | \`${strict[flag]}\` |`),
        ),
    );
    expect(missing).toEqual([]);
  });

  it("every rule that the sources or the pages name is in the table of rules", async () => {
    const known = new Set(Array.from(textOf("docs/rules.md").matchAll(/^\| (\S+(?: \d)?) \|/gm), ([, id]) => id));
    const texts = [...(await sources()), ...pages.map(({ path, text }) => [path, text] as const)];
    const unknown = texts.flatMap(([path, text]) => {
      const ids = text.match(/\bINV-[A-Z]\d+\b|(?<![\w-])[GELTA]\d{1,2}\b|\b[Ll]aw \d\b/g) ?? [];
      return ids.filter((id) => !known.has(id.replace("law", "Law"))).map((id) => `${path}: ${id}`);
    });
    expect(unknown).toEqual([]);
  });

  it("the README names every command of the command line, and no other", () => {
    const rows = Array.from(textOf("README.md").matchAll(/^\| `turnwright (\w+)/gm), ([, name]) => name);
    expect(rows).toHaveLength(COMMANDS.length);
    for (const name of rows) expect(textOf("docs/reference/cli.md")).toContain(`## \`turnwright ${name}\``);
  });

  it("shell blocks hold npm commands that exist; everything else is a console block, and is run", async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    const shell = pages.flatMap(({ path, blocks }) =>
      blocks.filter(({ language }) => language === "sh" || language === "").map(({ text }) => ({ path, text })),
    );
    const parts = shell.flatMap(({ path, text }) =>
      text
        .replaceAll(/#.*/g, "")
        .split(/&&|\n/)
        .map((part) => part.trim())
        .filter(Boolean)
        .map((part) => ({ path, part })),
    );
    const wrong = parts.filter(
      ({ part }) =>
        !/^npm (ci|install|pack|start|test)\b/.test(part) && !((/^npm run (\S+)/.exec(part)?.[1] ?? "") in scripts),
    );
    expect(parts).not.toEqual([]);
    expect(wrong).toEqual([]);
  });
});

async function sources(): Promise<readonly (readonly [path: string, text: string])[]> {
  const names = (await Promise.all(["src", "machines"].map(filesOf))).flat();
  return Promise.all(names.map(async (name) => [name, await readFile(join(ROOT, name), "utf8")] as const));
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true });
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
}
