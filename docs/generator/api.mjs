import { code, joined, pageHead } from "./markdown.mjs";
import { Sources } from "./sources.mjs";

/** The public entries: their page, the file that says what they export, and what they are for. */
const ENTRIES = [
  {
    name: "turnwright",
    page: "turnwright.md",
    file: "src/index.ts",
    about: "The root entry: the `Agent`, its log, replay, and the pure engine.",
  },
  {
    name: "turnwright/pi",
    page: "turnwright-pi.md",
    file: "src/pi/index.ts",
    about: "What `@earendil-works/pi-agent-core` exports, on this engine: the module to import in its place.",
  },
  {
    name: "turnwright/testing",
    page: "turnwright-testing.md",
    file: "src/testing/index.ts",
    about: "Scripted models and tools on virtual time, and the scenario runner behind `turnwright run`.",
  },
  {
    name: "turnwright/machines",
    page: "turnwright-machines.md",
    file: "machines/index.ts",
    about: "The charts as XState definitions. What is in them: [Machines](machines.md).",
  },
];

/** The pages of the public entries, by file name. */
export function apiPages() {
  const sources = new Sources();
  const entries = ENTRIES.map((entry) => ({ ...entry, exports: sources.exportsOf(entry.file) }));
  const shown = new Set(entries.flatMap(({ exports }) => exports.map(({ declaration }) => declaration)));
  return entries.map((entry) => {
    const own = entry.exports.flatMap(({ declaration }) => (declaration ? [declaration] : []));
    const used = sources.usedBy(own).filter((declaration) => !shown.has(declaration));
    // What several entries are made of stands on the page of the first one.
    for (const declaration of used) shown.add(declaration);
    return [entry.page, entryPage(entry, own, used)];
  });
}

function entryPage({ name, about, exports }, own, used) {
  const sections = [
    ...Object.entries(TITLES).map(([kind, title]) => ({ title, items: own.filter((item) => item.kind === kind) })),
    { title: "Not exported", about: "Types that the ones above are made of.", items: used },
  ].filter(({ items }) => items.length > 0);
  for (const { items } of sections) items.sort((a, b) => (a.name < b.name ? -1 : 1));
  return joined([
    pageHead(code(name), about),
    contents(sections),
    ...sections.flatMap(({ title, about: text, items }) => [`## ${title}`, text, ...items.map(item)]),
    foreignSection(exports.filter(({ declaration }) => !declaration)),
  ]);
}

const TITLES = { function: "Functions", class: "Classes", value: "Values", type: "Types" };

function contents(sections) {
  const taken = new Map();
  const anchor = (name) => {
    const slug = name.toLowerCase();
    const times = taken.get(slug) ?? 0;
    taken.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  };
  return sections
    .map(({ title, items }) => `- ${title}: ${items.map(({ name }) => `[${name}](#${anchor(name)})`).join(", ")}`)
    .join("\n");
}

function item({ name, doc, signature }) {
  return [`### ${code(name)}`, prose(doc), `\`\`\`ts\n${signature}\n\`\`\``].filter(Boolean).join("\n\n");
}

function foreignSection(exports) {
  const modules = [...new Set(exports.map(({ from }) => from))];
  const lists = modules.map((module) => {
    const names = exports.filter(({ from }) => from === module).map(({ name }) => name);
    return `From ${code(module)}: ${names.sort().map(code).join(", ")}.`;
  });
  return lists.length > 0 && ["## Re-exported types", ...lists].join("\n\n");
}

/** A docstring as Markdown: its text, then its tags as a list. */
function prose(doc) {
  const [text = "", ...tags] = doc.split(/^@(?=(?:param|throws|returns)\b)/m);
  const list = tags.map((tag) => {
    const words = tag.trim().replaceAll(/\s+/g, " ");
    const [, name = "", rest = ""] = /^param (\S+) (.*)$/.exec(words) ?? [];
    return name ? `- ${code(name)}: ${rest}` : `- ${words.replace(/^./, (first) => first.toUpperCase())}`;
  });
  return [text.trim(), list.join("\n")].filter(Boolean).join("\n\n");
}
