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
    if ("expect" in record && record.expect && record.expect.traceId !== this.#traceId()) {
      return refuse(world, record, "trace-mismatch");
    }
    switch (record.type) {
      case "prompt":
        return world.running ? refuse(world, record, "busy-prompt") : this.#start(record);
      case "continue":
        return world.running ? refuse(world, record, "busy-continue") : this.#continue(record);
      case "reset":
        if (world.running) return refuse(world, record, "busy-reset");
        world.clear("steering");
        world.clear("followUp");
        return world.tell({ type: "transcript.reset" });
      case "steer":
        return enqueue(world, "steering");
      case "followUp":
        return enqueue(world, "followUp");
      case "clearSteering":
        return world.clear("steering");
      case "clearFollowUp":
        return world.clear("followUp");
      case "clearAll":
        world.clear("steering");
        return world.clear("followUp");
      case "setSteeringMode":
        return changeMode(world, "steering", record);
      case "setFollowUpMode":
        return changeMode(world, "followUp", record);
      case "editTranscript":
        return world.tell({ type: "transcript.edited" });
      case "abort":
        return requestAbort(world);
      case "log.resumed":
        return reissue(world);
      default:
        return this.#answer(record);
    }
  }

  /** A3 and P4. */
  #continue(record: RecordOf<"continue">): void {
    const world = this.#world;
    if (record.lastRole === null || !record.hasConversation) return refuse(world, record, "nothing-to-continue");
    if (record.lastRole !== "assistant") return this.#start(record);
    const queue = (["steering", "followUp"] as const).find((name) => world.queues[name].length > 0);
    if (!queue) return refuse(world, record, "assistant-is-last");
    this.#start(record, queue);
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
    if (asked < 0) return world.tell({ type: "outcome.ignored", outcome: record.type, effect: record.id });
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
