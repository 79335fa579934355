import { StalledError } from "../../src/testing/stalled-error.ts";
import type { VirtualTime } from "../../src/testing/virtual-time.ts";

/** Runs until `isDone` holds at rest. False: it never will, because nobody is left to wake. */
export async function settles(time: VirtualTime, isDone: () => boolean): Promise<boolean> {
  try {
    await time.drive(isDone);
    return true;
  } catch (error) {
    if (error instanceof StalledError) return false;
    throw error;
  }
}
