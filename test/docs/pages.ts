import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of this repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * A fenced block of a page. What its first line says after the language tells what is done with it:
 * `js run` and `js file=<name>`, `ts check`, `json file=<name>`, `console`, and `text output` behind a `js run`.
 */
export interface Block {
  readonly language: string;
  readonly words: readonly string[];
  readonly text: string;
  /** Where its text starts in the page, from 1. */
  readonly line: number;
}

/** A document for people. */
export interface Page {
  /** Its path from the root. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

const FENCE = /^(?<ticks>`{3,})(?<info>[^\n`]*)\n(?<text>.*?)^\k<ticks> *$/gms;

/** The README, the changelog and everything in `docs`. */
export async function readPages(): Promise<readonly Page[]> {
  const inDocs = await readdir(join(ROOT, "docs"), { recursive: true });
  const names = inDocs.filter((name) => name.endsWith(".md")).sort();
  return Promise.all(["README.md", "CHANGELOG.md", ...names.map((name) => join("docs", name))].map(readPage));
}

async function readPage(path: string): Promise<Page> {
  const text = await readFile(join(ROOT, path), "utf8");
  return { path, text, blocks: blocksOf(text) };
}

function blocksOf(page: string): readonly Block[] {
  return Array.from(page.matchAll(FENCE), (match) => {
    const { info = "", text = "" } = match.groups ?? {};
    const [language = "", ...words] = info.trim().split(/\s+/);
    const line = page.slice(0, match.index).split("\n").length + 1;
    return { language, words, text, line };
  });
}

/** The value of `name=value` among a block's words. */
export function wordOf(block: Block, name: string): string | undefined {
  return block.words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}
