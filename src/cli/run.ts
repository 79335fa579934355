import { type Command, Option } from "commander";
import type { Profile } from "../testing/index.ts";
import type { CliContext } from "./cli-command.ts";
import { LogDirectory } from "./log-directory.ts";
import { reportTotals, reportVerdict } from "./report.ts";
import { readScenarioFiles } from "./scenario-files.ts";
import { judgeScenario, type Verdict } from "./verdict.ts";

interface RunOptions {
  readonly profile: Profile;
  readonly json?: true;
  readonly log?: string;
}

const ABOUT = `
A file is .json (one scenario or a list of them) or .jsonl (one on each line). A scenario stands alone or in a case
{ "scenario": …, "expected": … }; what a case expects is compared with what the agent does.

Exit codes: 0 all well, 1 a scenario did not do what is expected of it, 2 bad usage or input.`;

/** `turnwright run <file...>`: scenarios on our Agent, on virtual time. */
export function runCommand(program: Command, context: CliContext): void {
  program
    .command("run")
    .summary("run scenarios and compare them with what is expected")
    .description("Runs lifecycle scenarios on a scripted model, scripted tools and virtual time.")
    .argument("<file...>", "scenario files, .json or .jsonl")
    .addOption(
      new Option("--profile <profile>", "the agent's rules; recordings of the real Pi hold in pi-1.6")
        .choices(["pi-1.6", "strict"] satisfies Profile[])
        .default("pi-1.6"),
    )
    .option("--json", "print one JSON object per scenario on standard output: name, events, requests, errors, final")
    .option("--log <directory>", "keep the input log of each scenario as <name>.jsonl in this directory")
    .addHelpText("after", ABOUT)
    .action((files: string[], options: RunOptions) => run(files, options, context));
}

async function run(files: readonly string[], options: RunOptions, { shell, exitWith }: CliContext): Promise<void> {
  const { profile, json = false } = options;
  const scenarios = await readScenarioFiles(files);
  const logs = options.log === undefined ? undefined : await LogDirectory.open(options.log);
  for (const remark of scenarios.flatMap(({ remarks }) => remarks)) shell.err(`note: ${remark}\n`);
  const verdicts: Verdict[] = [];
  for (const parsed of scenarios) {
    const { verdict, agent } = await judgeScenario(parsed, { profile, digests: logs !== undefined });
    await logs?.write(parsed.scenario.name, agent.log);
    reportVerdict(verdict, json, shell);
    verdicts.push(verdict);
  }
  reportTotals(verdicts, profile, json, shell);
  if (verdicts.some(({ failure }) => failure !== undefined)) exitWith(1);
}
