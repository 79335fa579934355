/** What the process says when it ends: 0 all well, 1 something is not as it should be, 2 bad usage or bad input. */
export type ExitCode = 0 | 1 | 2;
