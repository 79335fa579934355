import { type Import, importsOf } from "./imports.ts";
import { BARE_LAYERS, ENTRIES, FILE_NAME, JUDGED, LAYERS, MOST_LINES, ORACLE, PACKAGE_RULES } from "./rules.ts";

type Imports = ReadonlyMap<string, readonly Import[]>;

/**
 * Every breach of the rules of layout and imports, a line each, in the order of the files.
 * `files`: the text of each source file by its path from the root. `declared`: the packages in package.json.
 */
export function violations(files: ReadonlyMap<string, string>, declared: readonly string[]): readonly string[] {
  const imports = new Map([...files].map(([path, text]) => [path, importsOf(path, text)]));
  return [...files].flatMap(([path, text]) => {
    const found = isProduct(path) ? (imports.get(path) ?? []) : [];
    const faults = [
      ...fileFaults(path, text),
      ...found.flatMap((one) => (one.isPackage ? packageFaults(one, declared) : layerFaults(one))),
      ...found.flatMap(exportFaults),
      ...reachFaults(path, imports),
    ];
    return faults.map((fault) => `${path}: ${fault}`);
  });
}

function isProduct(path: string): boolean {
  return /^(src|machines)\//.test(path);
}

function layerOf(path: string): string | undefined {
  const fitting = Object.keys(LAYERS).filter((name) => path.startsWith(`${name}/`) || path === `${name}.ts`);
  return fitting.sort((a, b) => b.length - a.length)[0];
}

function fileFaults(path: string, text: string): readonly string[] {
  const faults: string[] = [];
  const lines = text.trimEnd().split("\n").length;
  if (!FILE_NAME.test(path.slice(path.lastIndexOf("/") + 1))) faults.push("its name is not kebab-case");
  if (lines > MOST_LINES) faults.push(`it has ${lines} lines, more than ${MOST_LINES}`);
  if (isProduct(path) && layerOf(path) === undefined) faults.push("it is in no layer");
  return faults;
}

function layerFaults({ from, to }: Import): readonly string[] {
  const own = layerOf(from);
  const other = layerOf(to);
  if (ENTRIES.includes(to) && own !== "src/cli") return [`may not import the public entry ${to}`];
  const isAllowed = own !== undefined && other !== undefined && (own === other || LAYERS[own]?.includes(other));
  return isAllowed ? [] : [`may not import ${to}`];
}

function packageFaults(found: Import, declared: readonly string[]): readonly string[] {
  const { from, to, kind } = found;
  const name = /^(node:|(@[^/]+\/)?[^/]+)/.exec(to)?.[0] ?? to;
  const rules = PACKAGE_RULES.filter((rule) => rule.name.test(name));
  const isAllowed = rules.some(({ files, allows }) => files.test(from) && allows(found));
  const isFree = rules.length === 0 && !BARE_LAYERS.includes(layerOf(from) ?? "");
  const faults: string[] = [];
  if (!isAllowed && !isFree) faults.push(`may not import ${kind === "type" ? "types" : "values"} from ${to}`);
  if (name !== "node:" && !declared.includes(name)) faults.push(`${name} is not declared in package.json`);
  return faults;
}

function exportFaults({ from, to, isReExport, names }: Import): readonly string[] {
  if (!isReExport) return [];
  if (!ENTRIES.includes(from)) return [`only a public entry may export from ${to}`];
  return names.includes("*") ? [`must name what it exports from ${to}`] : [];
}

function reachFaults(path: string, imports: Imports): readonly string[] {
  const reached = reachedFrom(path, imports);
  const faults: string[] = [];
  if (reached.has(path)) faults.push("it is in a cycle of imports");
  if (ORACLE.test(path)) {
    const direct = (imports.get(path) ?? []).map(({ to }) => to);
    const judged = [...new Set([...direct, ...reached])].filter((to) => JUDGED.test(to));
    faults.push(...judged.map((to) => `an oracle may not depend on ${to}`));
  }
  return faults;
}

/** The files that are loaded together with this one; itself among them if it is in a cycle. */
function reachedFrom(path: string, imports: Imports): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (from: string): void => {
    for (const { to, kind } of imports.get(from) ?? []) {
      if (kind === "type" || reached.has(to)) continue;
      reached.add(to);
      visit(to);
    }
  };
  visit(path);
  return reached;
}
