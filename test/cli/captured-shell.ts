import { runCommandLine } from "../../src/cli/program.ts";

/** What a command line did. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with its output in memory. */
export async function turnwright(...args: string[]): Promise<Ran> {
  let out = "";
  let err = "";
  const shell = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
  };
  const code = await runCommandLine(args, shell);
  return { code, out, err };
}
