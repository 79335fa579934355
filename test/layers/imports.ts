import { posix } from "node:path";
import { parseSync, Visitor } from "vite";

/** One import, re-export, `import()` or import type of a source file. */
export interface Import {
  readonly from: string;
  /** A path from the root of the repository, or the specifier of a package. */
  readonly to: string;
  readonly isPackage: boolean;
  /** `type`: the compiler removes it. `import { type X }` counts as `value`, for the emitted file still loads the module. */
  readonly kind: "value" | "type" | "dynamic";
  readonly isReExport: boolean;
  /** The imported names; `*` stands for all of them. */
  readonly names: readonly string[];
}

/** Reads the imports of one TypeScript file. `path` is relative to the root of the repository. */
export function importsOf(path: string, text: string): readonly Import[] {
  const { program, module } = parseSync(path, text);
  const found: Import[] = [];
  const add = (specifier: string, rest: Pick<Import, "kind" | "isReExport" | "names">) => {
    const isPackage = !specifier.startsWith(".");
    const to = isPackage ? specifier : posix.join(posix.dirname(path), specifier);
    found.push({ from: path, to, isPackage, ...rest });
  };
  const kindAt = (start: number) => (/^(import|export)\s+type\b/.test(text.slice(start)) ? "type" : "value");

  for (const { start, moduleRequest, entries } of module.staticImports) {
    const names = entries.map(({ importName }) => importName.name ?? (importName.kind === "Default" ? "default" : "*"));
    add(moduleRequest.value, { kind: kindAt(start), isReExport: false, names });
  }
  for (const { start, entries } of module.staticExports) {
    for (const { moduleRequest, importName } of entries) {
      if (moduleRequest === null) continue;
      add(moduleRequest.value, { kind: kindAt(start), isReExport: true, names: [importName.name ?? "*"] });
    }
  }
  new Visitor({
    ImportExpression: ({ source }) => add(literal(source), { kind: "dynamic", isReExport: false, names: ["*"] }),
    TSImportType: ({ source }) => add(source.value, { kind: "type", isReExport: false, names: ["*"] }),
  }).visit(program);
  return found;
}

function literal(source: { readonly type: string; readonly value?: unknown }): string {
  return source.type === "Literal" ? String(source.value) : "(computed)";
}
