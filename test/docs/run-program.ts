import { execFile } from "node:child_process";

/** How a program ended. */
export interface Ended {
  readonly code: number;
  /** Standard output, then standard error. */
  readonly printed: string;
}

/** Runs Node.js with these arguments to its end. */
export function runNode(args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd }, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : error ? -1 : 0;
      resolve({ code, printed: stdout + stderr });
    });
  });
}
