/** A command of a `console` block: what stands behind `$`, the output that follows it, and how it ends. */
export interface ConsoleCommand {
  readonly command: string;
  /** Shown as `# exit <code>` behind the command; 0 when nothing is shown. */
  readonly exit: number;
  /** Undefined when the page shows no output. */
  readonly output: string | undefined;
}

const COMMAND = /^\$ (?<command>.*?)(?: +# exit (?<exit>\d+))?$/;

/** The commands of a `console` block, in order. */
export function commandsOf(text: string): readonly ConsoleCommand[] {
  const commands: { command: string; exit: number; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const { command, exit = "0" } = COMMAND.exec(line)?.groups ?? {};
    if (command !== undefined) commands.push({ command, exit: Number(exit), lines: [] });
    else commands.at(-1)?.lines.push(line);
  }
  return commands.map(({ command, exit, lines }) => {
    const output = lines.join("\n").trimEnd();
    return { command, exit, output: output === "" ? undefined : output };
  });
}

/**
 * Whether a program printed what a page shows. A line `…` stands for any lines, `…` within a line for any text. Space at
 * the ends of lines does not count.
 */
export function showsOutput(shown: string, printed: string): boolean {
  const lines = trimmed(shown).split("\n");
  const pattern = lines.map((line) => (line.trim() === "…" ? "(?:.*\n)*?" : `${escaped(line)}\n`)).join("");
  return new RegExp(`^${pattern}$`).test(`${trimmed(printed)}\n`);
}

function escaped(line: string): string {
  return line.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("…", ".*");
}

function trimmed(text: string): string {
  return text.replaceAll(/[ \t]+$/gm, "").trimEnd();
}
