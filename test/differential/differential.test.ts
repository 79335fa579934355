import { describe, it } from "vitest";
import { checkSame } from "./check.ts";
import { chooseFeatures } from "./features.ts";
import { PI } from "./implementation-pi.ts";
import { TURNWRIGHT } from "./implementation-turnwright.ts";

const RUNS = 2_000;
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 1);

describe("Turnwright in profile pi-1.6 and the real Pi", () => {
  it(`cannot be told apart by ${RUNS} random programs of seed ${seed}`, { timeout: 600_000 }, async () => {
    await checkSame(PI, TURNWRIGHT, { seed, runs: RUNS, features: chooseFeatures() });
  });
});
