// Writes docs/reference from the docstrings, the error tables and the machines. With --check it writes nothing and ends
// with 1 when what is committed differs. It reads the built package: run it as `npm run docs` or `npm run docs:check`.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { apiPages } from "./generator/api.mjs";
import { cliPage } from "./generator/cli.mjs";
import { errorsPage } from "./generator/errors.mjs";
import { machinesPage } from "./generator/machines.mjs";

const FOLDER = fileURLToPath(new URL("reference/", import.meta.url));

const pages = new Map([
  ["cli.md", cliPage()],
  ["errors.md", errorsPage()],
  ["machines.md", machinesPage()],
  ...apiPages(),
]);
const stale = await stalePages();

if (process.argv.includes("--check")) {
  for (const name of stale) console.error(`docs/reference/${name} is not what the code says. Run: npm run docs`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  await mkdir(FOLDER, { recursive: true });
  for (const name of stale) {
    const page = pages.get(name);
    await (page === undefined ? rm(FOLDER + name) : writeFile(FOLDER + name, page));
    console.log(`docs/reference/${name}`);
  }
}

/** The names of pages that are missing, differ, or stand there without being generated. */
async function stalePages() {
  const there = await readdir(FOLDER).catch(() => []);
  const names = [...new Set([...pages.keys(), ...there])].sort();
  const differs = await Promise.all(
    names.map(async (name) => (await readFile(FOLDER + name, "utf8").catch(() => undefined)) !== pages.get(name)),
  );
  return names.filter((_, n) => differs[n]);
}
