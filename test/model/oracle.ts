import type { Effect } from "../../src/protocol/effect.ts";
import type { RefusalCode } from "../../src/protocol/errors.ts";
import type { Fact } from "../../src/protocol/fact.ts";
import { messageId, traceId } from "../../src/protocol/ids.ts";
import type { LogRecord, RecordOf } from "../../src/protocol/log-record.ts";
import type { QueueName } from "../../src/protocol/queue-mode.ts";
import { traceScript } from "./run.ts";
import type { Script } from "./script.ts";
import { World } from "./world.ts";

/** What one record does by the oracle's reading of the rules, and what there is after it. */
export interface Reading {
  readonly facts: readonly Fact[];
  readonly effects: readonly Effect[];
  readonly outstanding: readonly Effect[];
  readonly steering: readonly string[];
  readonly followUp: readonly string[];
  readonly trace: string | null;
}

/** The most naive reading of the specification: lists, and a script that is resumed with each answer. */
export class Oracle {
  readonly #world: World;
  #script: Script | undefined;

  constructor(opened: RecordOf<"log.opened">) {
    this.#world = new World(opened);
  }

  read(record: LogRecord): Reading {
    const world = this.#world;
    world.seq = record.seq;
    world.facts = [];
    world.asked = [];
    this.#apply(record);
    return {
      facts: world.facts,
      effects: world.asked,
      outstanding: [...world.open],
      steering: [...world.queues.steering],
      followUp: [...world.queues.followUp],
      trace: this.#traceId(),
    };
  }

  #traceId(): string | null {
    return this.#world.running ? traceId(this.#world.trace) : null;
  }

  #apply(record: LogRecord): void {
    const world = this.#world;
    const refusal = this.#refusalOf(record);
    if (refusal) refuse(world, record, refusal);
    else if (record.type === "prompt") this.#start(record);
    else if (record.type === "continue")
      this.#start(record, record.lastRole === "assistant" ? this.#next() : undefined);
    else if (record.type === "steer") enqueue(world, "steering");
    else if (record.type === "followUp") enqueue(world, "followUp");
    else if (record.type === "setSteeringMode") changeMode(world, "steering", record);
    else if (record.type === "setFollowUpMode") changeMode(world, "followUp", record);
    else if (record.type === "editTranscript") world.tell({ type: "transcript.edited" });
    else if (record.type === "abort") requestAbort(world);
    else if (record.type === "log.resumed") reissue(world);
    else if (record.type === "clearSteering") world.clear("steering");
    else if (record.type === "clearFollowUp") world.clear("followUp");
    else if (record.type === "clearAll" || record.type === "reset") {
      world.clear("steering");
      world.clear("followUp");
      if (record.type === "reset") world.tell({ type: "transcript.reset" });
    } else this.#answer(record);
  }

  /** A2 to A4, and the Trace that a command expects. */
  #refusalOf(record: LogRecord): RefusalCode | undefined {
    const { running } = this.#world;
    if ("expect" in record && record.expect && record.expect.traceId !== this.#traceId()) return "trace-mismatch";
    if (record.type === "prompt" && running) return "busy-prompt";
    if (record.type === "reset" && running) return "busy-reset";
    if (record.type !== "continue") return undefined;
    if (running) return "busy-continue";
    if (record.lastRole === null || !record.hasConversation) return "nothing-to-continue";
    return record.lastRole === "assistant" && !this.#next() ? "assistant-is-last" : undefined;
  }

  /** P4: the queue that continue() drains, steering first. */
  #next(): QueueName | undefined {
    return (["steering", "followUp"] as const).find((queue) => this.#world.queues[queue].length > 0);
  }

  #start(record: RecordOf<"prompt"> | RecordOf<"continue">, continued?: QueueName): void {
    const world = this.#world;
    world.trace += 1;
    world.turn = 1;
    world.running = true;
    world.aborted = false;
    world.hooks = record.run.hooks;
    world.hand = { from: "prompt", ids: record.type === "prompt" ? world.idsOf(record.messages) : [] };
    if (continued) world.takeAsPrompt(continued);
    this.#script = traceScript(world, { record, continued });
    this.#proceed();
  }

  #answer(record: LogRecord): void {
    const world = this.#world;
    const asked = world.open.findIndex((effect) => effect.id === record.id);
    if (asked < 0) {
      world.tell({ type: "outcome.ignored", outcome: record.type, effect: record.id });
      return;
    }
    if (record.type === "run.failed") world.open = [];
    else if (record.type !== "model.started") world.open.splice(asked, 1);
    this.#proceed(record);
  }

  #proceed(answer?: LogRecord): void {
    const { done } = answer ? (this.#script as Script).next(answer) : (this.#script as Script).next();
    if (done) this.#world.running = false;
  }
}

function refuse(world: World, record: LogRecord, code: RefusalCode): void {
  world.tell({ type: "input.refused", command: record.type as RecordOf<"prompt">["type"], code });
}

function enqueue(world: World, queue: QueueName): void {
  const message = messageId(world.seq, 0);
  world.queues[queue].push(message);
  world.tell({ type: "input.accepted", message, queue });
}

function changeMode(
  world: World,
  queue: QueueName,
  { mode }: RecordOf<"setSteeringMode"> | RecordOf<"setFollowUpMode">,
): void {
  world.modes[queue] = mode;
  world.tell({ type: "queue.mode.changed", queue, mode });
}

/** A10: it only signals. */
function requestAbort(world: World): void {
  if (!world.running) return;
  world.aborted = true;
  world.tell({ type: "abort.requested" });
  world.ask("abort", { type: "signal.abort" });
}

/** Law 4: whatever has no answer is asked again, as the next attempt. */
function reissue(world: World): void {
  world.open = world.open.map((effect) => {
    const [place, attempt] = effect.id.split("#");
    const next = Number(attempt) + 1;
    return { ...effect, id: `${place}#${next}`, ...("attempt" in effect ? { attempt: next } : {}) };
  });
  world.asked = [...world.open];
}
