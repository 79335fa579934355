import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runNode } from "./run-program.ts";

const TSC = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

const CONFIG = {
  compilerOptions: {
    module: "nodenext",
    target: "es2023",
    lib: ["es2023", "dom"],
    types: [],
    strict: true,
    noEmit: true,
  },
  include: ["*.mts"],
};

/** What the compiler has to say about the modules of a folder; empty when all is well. */
export async function typeFaults(folder: string): Promise<string> {
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(CONFIG));
  const { code, printed } = await runNode([TSC, "--project", folder], folder);
  return code === 0 ? "" : printed;
}
