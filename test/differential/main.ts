import { parseArgs } from "node:util";
import { type CheckOptions, checkSame, visitPrograms } from "./check.ts";
import { describe } from "./compare.ts";
import { Coverage } from "./coverage.ts";
import { chooseFeatures, FEATURES } from "./features.ts";
import { PI } from "./implementation-pi.ts";
import { TURNWRIGHT } from "./implementation-turnwright.ts";
import { survey } from "./survey.ts";

const HELP = `Compares Turnwright (profile pi-1.6) with the real Pi on random programs.

  npm run differential -- [options]

  --runs N          how many programs (default 2000)
  --seed S          which programs (default: random, printed)
  --path P          replay a failure: the path that it printed
  --with F          add a feature (repeat)
  --without F       leave a feature out (repeat)
  --survey          do not stop at the first difference: group them all, smallest program of each group
  --coverage        only run Pi: in how many programs each situation came up
  --self            compare Pi with itself: shows that the comparison itself is deterministic

Features: ${Object.entries(FEATURES)
  .map(([name, { on, about }]) => `\n  ${name.padEnd(14)} ${on ? "on " : "off"} ${about}`)
  .join("")}`;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "2000" },
    seed: { type: "string" },
    path: { type: "string" },
    with: { type: "string", multiple: true, default: [] },
    without: { type: "string", multiple: true, default: [] },
    survey: { type: "boolean", default: false },
    coverage: { type: "boolean", default: false },
    self: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const options: CheckOptions = {
  seed: values.seed === undefined ? Date.now() & 0x7fffffff : Number(values.seed),
  runs: Number(values.runs),
  features: chooseFeatures(values.with, values.without),
  ...(values.path === undefined ? {} : { path: values.path }),
};
const other = values.self ? { ...PI, name: "pi again" } : TURNWRIGHT;
const startedAt = Date.now();

if (values.help) console.log(HELP);
else if (values.coverage) await printCoverage();
else if (values.survey) await printSurvey();
else await check();

async function check(): Promise<void> {
  try {
    await checkSame(PI, other, options);
    console.log(`${options.runs} programs, seed ${options.seed}: no difference (${pace()})`);
  } catch (failure) {
    console.error(failure instanceof Error ? failure.message : failure);
    process.exitCode = 1;
  }
}

async function printSurvey(): Promise<void> {
  const findings = await survey(PI, other, options);
  for (const { kind, count, difference, program } of findings) {
    console.log(`${count} × ${kind}\n${describe(difference)}\n  program:  ${JSON.stringify(program)}\n`);
  }
  const differing = findings.reduce((sum, { count }) => sum + count, 0);
  console.log(`${differing} of ${options.runs} programs differ, seed ${options.seed} (${pace()})`);
  if (differing > 0) process.exitCode = 1;
}

async function printCoverage(): Promise<void> {
  const coverage = new Coverage();
  await visitPrograms(options, (program) => coverage.add(program));
  for (const [situation, count] of coverage.counts) {
    console.log(`${((100 * count) / options.runs).toFixed(1).padStart(6)} %  ${situation}`);
  }
  console.log(`of ${options.runs} programs, seed ${options.seed} (${pace()})`);
}

function pace(): string {
  const seconds = (Date.now() - startedAt) / 1000;
  return `${seconds.toFixed(1)} s, ${Math.round(options.runs / seconds)} programs per second`;
}
