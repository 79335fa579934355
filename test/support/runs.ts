/**
 * How many runs a property gets: the number that keeps the suite quick, times `RUNS_TIMES` of the environment.
 * `RUNS_TIMES=50 npx vitest run --config test/vitest.config.ts test/property test/model` is a night's work.
 */
export function runs(usual: number): number {
  return Math.ceil(usual * Number(process.env.RUNS_TIMES ?? 1));
}
