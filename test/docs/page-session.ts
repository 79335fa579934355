import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { type ConsoleCommand, commandsOf, showsOutput } from "./console-commands.ts";
import { type Block, type Page, ROOT, wordOf } from "./pages.ts";
import { runNode } from "./run-program.ts";
import { withScratchFolder } from "./scratch.ts";

const TURNWRIGHT = join(ROOT, "dist/src/cli/main.js");

/** Whether a page does anything with a block but show it. */
export function isFollowed({ language, words }: Block): boolean {
  return language === "console" || words.includes("run") || words.some((word) => word.startsWith("file="));
}

/** Goes through a page as a reader does: files are written, programs and commands are run, in order, in one folder. */
export function followPage(page: Page): Promise<void> {
  return withScratchFolder(async (folder) => {
    for (const [n, block] of page.blocks.entries()) await followBlock(page, block, page.blocks[n + 1], folder);
  });
}

async function followBlock(page: Page, block: Block, next: Block | undefined, folder: string): Promise<void> {
  const place = `${page.path}:${block.line}`;
  const file = wordOf(block, "file");
  if (file !== undefined) await writeFile(join(folder, file), block.text);
  if (block.words.includes("run")) {
    const name = `line-${block.line}.mjs`;
    await writeFile(join(folder, name), block.text);
    const output = next?.words.includes("output") ? next.text : undefined;
    await follow({ command: `node ${name}`, exit: 0, output }, folder, place);
  }
  if (block.language !== "console") return;
  for (const command of commandsOf(block.text)) await follow(command, folder, place);
}

async function follow({ command, exit, output }: ConsoleCommand, folder: string, place: string): Promise<void> {
  const { code, printed } = await runNode(nodeArguments(command), folder);
  const title = `${place}: ${command}`;
  expect(code, `${title}\n${printed}`).toBe(exit);
  if (output !== undefined && !showsOutput(output, printed)) expect(printed, title).toBe(output);
}

function nodeArguments(command: string): readonly string[] {
  const [program, first = "", ...rest] = command.split(" ");
  if (program === "node") return [first, ...rest];
  if (program === "npx" && first === "turnwright") return [TURNWRIGHT, ...rest];
  throw new Error(`A console block runs node and npx turnwright, not: ${command}`);
}
