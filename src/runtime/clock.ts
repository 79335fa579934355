/** Where time comes from. The engine never reads it: times enter as payload of records. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** Resolves after so many milliseconds; the returned function gives the wait up. */
  sleep(ms: number): { readonly done: Promise<void>; readonly cancel: () => void };
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep(ms) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const done = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    return { done, cancel: () => clearTimeout(timer) };
  },
};
