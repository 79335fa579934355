/** A run in progress: its signal, and the promise that resolves when it has settled (spec A6). */
export interface ActiveRun {
  readonly controller: AbortController;
  readonly settled: Promise<void>;
  readonly settle: () => void;
}

/** @param aborted The log says that an abort was requested before the run was taken up again. */
export function openRun(aborted: boolean): ActiveRun {
  const controller = new AbortController();
  if (aborted) controller.abort();
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { controller, settled, settle };
}
