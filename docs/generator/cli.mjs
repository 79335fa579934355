import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { joined, pageHead } from "./markdown.mjs";

const MAIN = fileURLToPath(new URL("../../dist/src/cli/main.js", import.meta.url));
const ABOUT = `What \`turnwright --help\` and the help of each command say. Exit codes: 0 all well, 1 something is not as it
should be, 2 bad usage or bad input. Results go to standard output, remarks and faults to standard error.`;

/** The help of the command line. */
export function cliPage() {
  const main = help();
  const commands = [...main.matchAll(/^ {2}(\w+) .*$/gm)].map(([, name]) => name).filter((name) => name !== "help");
  const sections = commands.flatMap((name) => [`## \`turnwright ${name}\``, block(help(name))]);
  return joined([pageHead("Command line", ABOUT), block(main), ...sections]);
}

function help(...command) {
  return execFileSync(process.execPath, [MAIN, ...command, "--help"], { encoding: "utf8" });
}

function block(text) {
  return `\`\`\`text\n${text.trim()}\n\`\`\``;
}
