/** The part of the process that a command may touch; tests give their own. */
export interface Shell {
  /** Writes to standard output, as it is. */
  out(text: string): void;
  /** Writes to standard error, as it is. */
  err(text: string): void;
}

/** Standard output and standard error of this process. */
export const processShell: Shell = {
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
};
