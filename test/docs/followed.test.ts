import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { showsOutput } from "./console-commands.ts";
import { followPage, isFollowed } from "./page-session.ts";
import { type Page, readPages } from "./pages.ts";
import { withScratchFolder } from "./scratch.ts";
import { typeFaults } from "./type-check.ts";

const pages = await readPages();
const followed = pages.filter(({ blocks }) => blocks.some(isFollowed)).map((page) => [page.path, page] as const);

describe.concurrent("what a page shows is what happens", () => {
  it.each(followed)("every program and command of %s prints what is shown, and ends as it is shown", (_path, page) =>
    followPage(page),
  );

  it("every TypeScript block that is marked as checked fits the types of the package and of Pi", () =>
    withScratchFolder(async (folder) => {
      const blocks = pages.flatMap(checkedBlocks);
      for (const { name, text } of blocks) await writeFile(join(folder, name), text);
      expect(blocks).not.toEqual([]);
      expect(await typeFaults(folder)).toBe("");
    }));

  it("… in shown output stands for any lines, or for any text of one line, and nothing else is left out", () => {
    expect(showsOutput("one\n…\nfour", "one\ntwo\nthree\nfour\n")).toBe(true);
    expect(showsOutput("one … three", "one two three")).toBe(true);
    expect(showsOutput("one\nthree", "one\ntwo\nthree")).toBe(false);
    expect(showsOutput("one … three", "one\ntwo three")).toBe(false);
    expect(showsOutput("one", "one\ntwo")).toBe(false);
  });
});

function checkedBlocks({ path, blocks }: Page) {
  return blocks
    .filter(({ language, words }) => language === "ts" && words.includes("check"))
    .map(({ line, text }) => ({ name: `${path.replaceAll(/\W/g, "-")}-${line}.mts`, text }));
}
