import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { declarationsOf } from "./declarations.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The sources, read as far as they are needed: which declaration a name stands for. */
export class Sources {
  #modules = new Map();

  /** What a file exports: each name with its declaration, or with the package that it comes from. */
  exportsOf(file) {
    const { program } = this.#module(file);
    return program.body.filter(isReExport).flatMap(({ source, specifiers }) =>
      specifiers.map(({ local, exported }) => {
        const target = source ? { file: source.value, name: local.name } : this.#imported(file, local.name);
        if (!target.file.startsWith(".")) return { name: exported.name, from: target.file };
        const declaration = this.#find(resolved(file, target.file), target.name);
        if (!declaration) throw new Error(`${file}: ${exported.name} is of a kind that the generator cannot read`);
        return { name: exported.name, declaration };
      }),
    );
  }

  /** The declarations that some are made of, and those that these are made of, in order of their names. */
  usedBy(declarations) {
    const seen = new Set(declarations);
    for (const declaration of seen) {
      for (const name of declaration.uses) {
        const used = this.#find(declaration.file, name);
        if (used) seen.add(used);
      }
    }
    for (const declaration of declarations) seen.delete(declaration);
    return [...seen].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The declaration that a name of a file stands for; undefined when it is not from here. */
  #find(file, name) {
    const { declarations } = this.#module(file);
    const declaration = declarations.get(name);
    if (declaration) return declaration;
    const { file: from, name: original } = this.#imported(file, name) ?? this.#passedOn(file, name) ?? {};
    return from?.startsWith(".") ? this.#find(resolved(file, from), original) : undefined;
  }

  #imported(file, name) {
    for (const { type, source, specifiers } of this.#module(file).program.body) {
      if (type !== "ImportDeclaration") continue;
      const found = specifiers.find(({ local }) => local.name === name);
      if (found) return { file: source.value, name: found.imported?.name ?? name };
    }
    return undefined;
  }

  #passedOn(file, name) {
    for (const statement of this.#module(file).program.body.filter(isReExport)) {
      const found = statement.specifiers.find(({ exported }) => exported.name === name);
      if (found && statement.source) return { file: statement.source.value, name: found.local.name };
    }
    return undefined;
  }

  #module(file) {
    const known = this.#modules.get(file);
    if (known) return known;
    const text = readFileSync(join(ROOT, file), "utf8");
    const { program, comments, errors } = parseSync(file, text);
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
    const module = { program, declarations: declarationsOf({ file, text, program, comments }) };
    this.#modules.set(file, module);
    return module;
  }
}

function isReExport({ type, declaration }) {
  return type === "ExportNamedDeclaration" && !declaration;
}

function resolved(file, specifier) {
  return normalize(join(dirname(file), specifier));
}
