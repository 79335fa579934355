import type { Import } from "./imports.ts";

const CORE = ["src/protocol", "machines", "src/engine"];
const FOLDED = [...CORE, "src/log", "src/replay"];
const LIBRARY = [...FOLDED, "src/tree", "src/runtime", "src/check", "src/inspect", "src/pi", "src/testing"];

/** What each folder may import besides itself. The longest name that fits a path decides. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  "src/protocol": [],
  machines: ["src/protocol"],
  "src/engine": ["src/protocol", "machines"],
  "src/log": ["src/protocol"],
  "src/tree": ["src/protocol"],
  "src/replay": [...CORE, "src/log"],
  "src/check": FOLDED,
  "src/check/monitor": ["src/protocol"],
  "src/check/invariants": ["src/protocol"],
  "src/inspect": FOLDED,
  "src/runtime": [...CORE, "src/log", "src/tree"],
  "src/pi": [...FOLDED, "src/tree", "src/runtime"],
  "src/testing": LIBRARY,
  "src/index": LIBRARY,
  "src/cli": [...LIBRARY, "src/index"],
};

/** The files that may consist of re-exports. Only the command line imports them. */
export const ENTRIES = ["src/index.ts", "src/pi/index.ts", "src/testing/index.ts", "machines/index.ts"];

export interface PackageRule {
  readonly name: RegExp;
  readonly files: RegExp;
  readonly allows: (found: Import) => boolean;
}

const always = () => true;
const onlyTypes = ({ kind }: Import) => kind === "type";

/** Who may import a package that not everybody may import. One rule that allows it is enough. */
export const PACKAGE_RULES: readonly PackageRule[] = [
  { name: /^xstate$/, files: /^src\/engine\/reference\.ts$/, allows: always },
  {
    name: /^xstate$/,
    files: /^machines\//,
    allows: (found) => onlyTypes(found) || found.names.every((name) => name === "setup" || name === "assign"),
  },
  { name: /^(@noble\/hashes|canonicalize)$/, files: /^src\/protocol\/canonical\.ts$/, allows: always },
  { name: /^node:/, files: /^src\/(cli\/|log\/file-[^/]+$)/, allows: always },
  { name: /^@earendil-works\/pi-(agent-core|ai)$/, files: /^src\/(pi|testing|cli)\//, allows: onlyTypes },
  { name: /^@earendil-works\/pi-ai$/, files: /^src\/cli\/demo\//, allows: ({ kind }) => kind === "dynamic" },
];

/** Layers that import no package at all but by a rule above. */
export const BARE_LAYERS = ["src/protocol", "machines", "src/engine"];

/** The oracle is a second opinion: it may not be built on what it judges. */
export const ORACLE = /^test\/model\/(?!.*\.test\.ts$)/;
export const JUDGED = /^(src\/engine|machines)\//;

export const FILE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|test-d|check|config))?\.ts$/;
export const MOST_LINES = 300;
