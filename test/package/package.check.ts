import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HostProject, ROOT, run } from "./host-project.ts";

const MANIFEST = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
const MODULES = Object.keys(MANIFEST.exports)
  .filter((subpath) => !subpath.endsWith(".json"))
  .map((subpath) => subpath.replace(/^\./, "turnwright"));
const PARTS = ["CHANGELOG.md", "LICENSE", "README.md", "dist", "docs", "machines", "package.json", "src"];

/** A program as a user writes it: it names every entry, and what it gets fits Pi's types. */
const HOST_PROGRAM = `
import type { Agent as PiAgent, AgentTool, StreamFn } from "@earendil-works/pi-agent-core";
${MODULES.map((name, n) => `import * as entry${n} from "${name}";`).join("\n")}
import { Agent } from "turnwright/pi";

export const entries: readonly object[] = [${MODULES.map((_name, n) => `entry${n}`).join(", ")}];

export function start(streamFn: StreamFn, tools: AgentTool[]): Pick<PiAgent, "prompt" | "subscribe" | "abort"> {
  return new Agent({ streamFn, initialState: { tools, systemPrompt: "Be brief." } });
}
`;

const TSCONFIG = {
  compilerOptions: {
    module: "nodenext",
    target: "es2023",
    lib: ["es2023", "dom"],
    types: [],
    strict: true,
    noEmit: true,
  },
  include: ["host.ts"],
};

const SCENARIO = {
  scenario: { name: "one-turn", model: [{ text: "hi" }], host: [{ when: "start", do: "prompt", text: "go" }] },
};

describe("the packed package", () => {
  let host: HostProject;
  let files: readonly string[];

  beforeAll(async () => {
    host = await HostProject.create();
    const entries = await readdir(host.path(), { recursive: true, withFileTypes: true });
    files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  });
  afterAll(() => host.remove());

  it("has nothing that publint would change", async () => {
    await run(ROOT, "npx", "publint", "run", "--strict", host.tarball);
  });

  it("has types that are right for ESM hosts", async () => {
    await run(ROOT, "npx", "attw", "--profile", "esm-only", host.tarball);
  });

  it("holds the code with its sources and documents, and no more", () => {
    const top = new Set(files.map((file) => file.slice(host.path().length + 1).split("/")[0]));
    expect([...top].sort()).toEqual(PARTS);
    expect(files.filter((file) => /\.tsbuildinfo$|\.test\.|\/dist\/test\//.test(file))).toEqual([]);
  });

  it("has source maps that lead to files of the package", async () => {
    const lost: string[] = [];
    for (const file of files.filter((name) => name.endsWith(".map"))) {
      const { sources } = JSON.parse(await readFile(file, "utf8")) as { sources: readonly string[] };
      lost.push(...sources.map((source) => join(dirname(file), source)).filter((source) => !files.includes(source)));
    }
    expect(lost).toEqual([]);
  });

  it.each(MODULES)("loads %s in a project without Pi", async (name) => {
    await host.write("load.js", `console.log(Object.keys(await import("${name}")).join());`);
    expect(await host.node("load.js")).toMatch(/^\w+(,\w+)*\n$/);
  });

  it("installs a command that helps, runs a scenario and the demo", async () => {
    await host.write("one-turn.json", JSON.stringify(SCENARIO));
    expect(await host.turnwright("--help")).toContain("Usage: turnwright");
    expect(await host.turnwright("--version")).toBe(`${MANIFEST.version}\n`);
    expect(await host.turnwright("run", "one-turn.json")).toContain("one-turn");
    expect(await host.turnwright("demo")).toContain("is the same as the live agent's");
  });

  it("type-checks in a host that has Pi, declarations and all", async () => {
    await host.link("@earendil-works/pi-agent-core");
    await host.link("@earendil-works/pi-ai");
    await host.write("host.ts", HOST_PROGRAM);
    await host.write("tsconfig.json", JSON.stringify(TSCONFIG));
    await host.node(join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".");
  });
});
