/** How many microtasks pass until a promise has settled. */
export async function hopsUntilSettled(promise: Promise<unknown>): Promise<number> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  let hops = 0;
  while (!settled) {
    await Promise.resolve();
    hops++;
  }
  return hops;
}

/** Lets so many microtasks pass. */
export async function hop(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await Promise.resolve();
}
