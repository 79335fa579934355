import { describe, expect, test } from "vitest";
import { StalledError } from "../../src/testing/stalled-error.ts";
import { VirtualTime } from "../../src/testing/virtual-time.ts";

const never = () => false;

/** Lets sleepers tell when they wake, and drives until all have. */
async function wakes(sleepers: readonly (readonly [name: string, ticks: number])[]): Promise<string[]> {
  const time = new VirtualTime();
  const told: string[] = [];
  for (const [name, ticks] of sleepers) void time.sleep(ticks).then(() => told.push(`${name}@${time.now}`));
  await time.drive(() => told.length === sleepers.length);
  return told;
}

describe("virtual time", () => {
  test("the earliest sleeper wakes first", async () => {
    expect(
      await wakes([
        ["late", 9],
        ["early", 2],
        ["middle", 5],
      ]),
    ).toEqual(["early@2", "middle@5", "late@9"]);
  });

  test("ties wake in the order in which they fell asleep", async () => {
    expect(
      await wakes([
        ["a", 3],
        ["b", 3],
        ["first", 1],
        ["c", 3],
      ]),
    ).toEqual(["first@1", "a@3", "b@3", "c@3"]);
  });

  test("no ticks are no wait", async () => {
    const time = new VirtualTime();
    await time.sleep(0);
    expect(time.now).toBe(0);
  });

  test("the clock moves only when no promise reaction is left", async () => {
    const time = new VirtualTime();
    let reactions = 0;
    const work = async () => {
      for (; reactions < 10_000; reactions++) await Promise.resolve();
    };
    const woken = time.sleep(1).then(() => reactions);
    void work();
    let seen: number | undefined;
    void woken.then((count) => {
      seen = count;
    });
    await time.drive(() => seen !== undefined);
    expect(seen).toBe(10_000);
  });

  test("what a sleeper does when it wakes is done before the next one wakes", async () => {
    const time = new VirtualTime();
    const told: string[] = [];
    const nap = async (name: string, ticks: number) => {
      await time.sleep(ticks);
      for (let n = 0; n < 50; n++) await Promise.resolve();
      told.push(name);
    };
    void nap("a", 1);
    void nap("b", 1);
    void nap("c", 2).then(() => nap("d", 1));
    void nap("e", 3);
    await time.drive(() => told.length === 5);
    expect(told).toEqual(["a", "b", "c", "e", "d"]);
  });

  test("a program that is done does not move the clock", async () => {
    const time = new VirtualTime();
    void time.sleep(5);
    await time.drive(() => true);
    expect(time.now).toBe(0);
  });

  test("a program that nobody wakes is stalled", async () => {
    const time = new VirtualTime();
    void time.sleep(4);
    const stalled = await time.drive(never).catch((error: unknown) => error);
    expect(stalled).toBeInstanceOf(StalledError);
    expect(stalled).toMatchObject({ code: "stalled", tick: 4 });
  });

  test("as a clock, one tick is one millisecond and a wait can be given up", async () => {
    const time = new VirtualTime();
    const clock = time.asClock();
    const told: string[] = [];
    const long = clock.sleep(100);
    void long.done.then(() => told.push(`long@${clock.now()}`));
    void clock.sleep(7).done.then(() => {
      told.push(`short@${clock.monotonic()}`);
      long.cancel();
    });
    await time.drive(() => told.length === 2);
    expect(told).toEqual(["short@7", "long@7"]);
  });
});
