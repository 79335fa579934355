import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { AgentTool, AgentToolResult } from "@earendil-works/pi-agent-core";

const MOST_CHARACTERS = 20_000;

/** Two real tools over the files of one folder: `list_files` and `read_file`. Neither leaves the folder. */
export function demoTools(root: string): AgentTool[] {
  return [
    {
      name: "list_files",
      label: "List files",
      description: "List the entries of a folder of this package.",
      parameters: pathParameters("The folder, relative to the package; '.' is the package itself."),
      replay: "safe",
      execute: async (_id, args) => {
        const entries = await readdir(inside(root, pathOf(args)), { withFileTypes: true });
        const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
        return text(names.join("\n"));
      },
    },
    {
      name: "read_file",
      label: "Read file",
      description: `Read a text file of this package (its first ${MOST_CHARACTERS} characters).`,
      parameters: pathParameters("The file, relative to the package."),
      replay: "safe",
      execute: async (_id, args) => {
        const file = inside(root, pathOf(args));
        if (!(await stat(file)).isFile()) throw new Error(`${pathOf(args)} is not a file`);
        return text((await readFile(file, "utf8")).slice(0, MOST_CHARACTERS));
      },
    },
  ];
}

function pathParameters(description: string) {
  return { type: "object", properties: { path: { type: "string", description } }, required: ["path"] };
}

function pathOf(args: unknown): string {
  return (args as { readonly path: string }).path;
}

function inside(root: string, path: string): string {
  const file = resolve(root, path);
  const way = relative(root, file);
  if (way.startsWith("..") || resolve(way) === way) throw new Error(`${path} is outside the package`);
  return join(root, way);
}

function text(content: string): AgentToolResult<undefined> {
  return { content: [{ type: "text", text: content }], details: undefined };
}
