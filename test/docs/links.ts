import { dirname, join, normalize } from "node:path";
import type { Page } from "./pages.ts";

/** A link from a page to a file of this repository, or to a place in one. */
export interface Link {
  readonly from: string;
  /** The file, as a path from the root. */
  readonly path: string;
  readonly anchor: string | undefined;
}

const LINK = /\]\((?<target>[^)\s]+)\)/g;
const EXTERNAL = /^[a-z]+:/;

/** The links of a page that lead into this repository. What stands in fenced blocks is no link. */
export function linksOf({ path, text }: Page): readonly Link[] {
  return Array.from(withoutBlocks(text).matchAll(LINK), ({ groups }) => groups?.target ?? "")
    .filter((target) => !EXTERNAL.test(target))
    .map((target) => {
      const [file = "", anchor] = target.split("#");
      return { from: path, path: file === "" ? path : normalize(join(dirname(path), file)), anchor };
    });
}

/** The names that a link can lead to within a page: those of its headings, as GitHub makes them, and its own anchors. */
export function anchorsOf({ text }: Page): ReadonlySet<string> {
  const taken = new Map<string, number>();
  const headings = Array.from(withoutBlocks(text).matchAll(/^#+ (?<title>.+)$/gm), ({ groups }) => {
    const slug = slugOf(groups?.title ?? "");
    const times = taken.get(slug) ?? 0;
    taken.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
  const own = Array.from(text.matchAll(/<a id="(?<id>[^"]+)">/g), ({ groups }) => groups?.id ?? "");
  return new Set([...headings, ...own]);
}

function slugOf(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, "");
}
