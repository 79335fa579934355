/**
 * Hands unhandled rejections to `hear` instead of to the process, until `stop`. A raw loop that fails rejects a
 * promise that nobody holds (spec L15); that is something to compare, not to die of.
 */
export function catchUnhandled(hear: (reason: unknown) => void): { stop(): void } {
  const before = process.rawListeners("unhandledRejection") as NodeJS.UnhandledRejectionListener[];
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", hear);
  return {
    stop: () => {
      process.removeListener("unhandledRejection", hear);
      for (const listener of before) process.on("unhandledRejection", listener);
    },
  };
}
