import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { stateDigest } from "../engine/step-digest.ts";
import { decodeLog, encodeRecord } from "../log/codec.ts";
import { Agent } from "../pi/agent.ts";
import { fold } from "../replay/replay.ts";
import { Replayer } from "../replay/replayer.ts";
import type { CliCommand } from "./cli-command.ts";
import { DEMO_MODEL, demoStream } from "./demo/demo-model.ts";
import { demoTools } from "./demo/demo-tools.ts";
import { realModel } from "./demo/real-model.ts";
import { TimelinePrinter } from "./timeline-printer.ts";

const PACKAGE_ROOT = dirname(createRequire(import.meta.url).resolve("turnwright/package.json"));
const QUESTION = "What is in this package, and what does it depend on?";
const STEER = "Answer in one sentence.";
const FOLLOW_UP = "And under which licence is it?";

interface DemoFlags {
  readonly model?: string;
  readonly json?: boolean;
}

/** `turnwright demo`, the main job: one Trace on the embedded defaults, printed live, then replayed from its log. */
export const demoCommand: CliCommand = (program, { shell, exitWith }) => {
  program
    .command("demo")
    .summary("run a demo Trace and replay its log")
    .description("Runs a demo Trace, prints its timeline live, then replays its log. It needs no key and no network.")
    .option("--model <provider/id>", "ask a real model through @earendil-works/pi-ai instead of the script")
    .option("--json", "print one JSON object a line on stdout")
    .action(async (flags: DemoFlags) => {
      const agent = await demoAgent(flags.model);
      const printer = new TimelinePrinter(flags.json === true, shell);
      playHost(agent);
      const shown = show(agent, printer);
      await agent.prompt(QUESTION);
      await shown;
      printer.queues();
      const live = agent.digest();
      const replayed = stateDigest(fold(decodeLog([...agent.log].map(encodeRecord).join("\n"), "the demo's log")));
      const answer = live === replayed ? "the same" : "ANOTHER";
      shell.err(`Replayed ${agent.log.length} records: digest ${replayed} is ${answer} as the live agent's.\n`);
      shell.err("What the ids and P0 to P4 mean: docs/concepts.md\n");
      if (live !== replayed || agent.state.errorMessage !== undefined) {
        if (agent.state.errorMessage) shell.err(`The run failed: ${agent.state.errorMessage}\n`);
        exitWith(1);
      }
    });
};

async function demoAgent(name: string | undefined): Promise<Agent> {
  const tools = demoTools(PACKAGE_ROOT);
  const systemPrompt = "You answer questions about the package in the current folder. Use the tools.";
  const { model, streamFn } = name ? await realModel(name) : { model: DEMO_MODEL, streamFn: demoStream(pause) };
  return new Agent({ initialState: { model, tools, systemPrompt }, streamFn, digests: true });
}

/** Somebody types while the agent works: a steer during the first tool batch, and a follow-up behind it. */
function playHost(agent: Agent): void {
  const unsubscribe = agent.subscribe((event) => {
    if (event.type !== "tool_execution_start") return;
    unsubscribe();
    agent.steer(user(STEER));
    agent.followUp(user(FOLLOW_UP));
  });
}

/** Follows the agent's log while it grows, as any viewer can, until the Trace is over. */
async function show(agent: Agent, printer: TimelinePrinter): Promise<void> {
  const replayer = new Replayer();
  for await (const record of agent.log) {
    printer.step(replayer.advance(record));
    if (record.type === "trace.closed") return;
  }
}

function user(text: string): AgentMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: Date.now() };
}

/** The scripted model speaks a word at a time, so that the timeline can be watched. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 12));
}
