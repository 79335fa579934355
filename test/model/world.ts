import type { HookName } from "../../src/protocol/command.ts";
import type { Effect, EffectBody } from "../../src/protocol/effect.ts";
import type { Fact, FactBody, InjectionSource, PollPoint } from "../../src/protocol/fact.ts";
import { messageId, traceId } from "../../src/protocol/ids.ts";
import type { RecordOf } from "../../src/protocol/log-record.ts";
import type { Policy } from "../../src/protocol/policy.ts";
import type { QueueMode, QueueName } from "../../src/protocol/queue-mode.ts";

/** Everything that the oracle knows, as plain lists that are pushed to and spliced. */
export class World {
  readonly policy: Policy;
  readonly queues: Record<QueueName, string[]> = { steering: [], followUp: [] };
  readonly modes: Record<QueueName, QueueMode>;
  seq = 0;
  trace = 0;
  turn = 0;
  running = false;
  aborted = false;
  hooks: readonly HookName[] = [];
  /** What was drained and is not delivered yet. Under `reserved` it still stands in its queue. */
  hand: { from: "prompt" | QueueName; ids: string[] } = { from: "prompt", ids: [] };
  /** What prepareNextTurn gave for the next turn. */
  prepared: string[] = [];
  /** What continue() has made its prompt. */
  committed: string[] = [];
  facts: Fact[] = [];
  asked: Effect[] = [];
  /** What was asked and has not been answered. */
  open: Effect[] = [];

  constructor({ policy, steeringMode, followUpMode }: RecordOf<"log.opened">) {
    this.policy = policy;
    this.modes = { steering: steeringMode, followUp: followUpMode };
  }

  /** The strict reading of an abort: it is checked at every boundary and consumes nothing from a queue. */
  get abortEndsHere(): boolean {
    return this.aborted && this.policy.onAbort === "boundary";
  }

  tell(body: FactBody): void {
    const trace = this.running ? traceId(this.trace) : null;
    this.facts.push({ ...body, seq: this.seq, trace, turn: this.running ? this.turn : 0 });
  }

  ask(work: string, body: EffectBody): void {
    const effect: Effect = { ...body, id: `t${this.trace}/n${this.turn}/${work}#1` };
    this.asked.push(effect);
    if (effect.type !== "signal.abort") this.open.push(effect);
  }

  /** The ids of the messages that the current record brought. */
  idsOf(messages: readonly unknown[] = []): string[] {
    return messages.map((_, n) => messageId(this.seq, n));
  }

  /** G8: takes the oldest or all, by the mode of this moment (L8). */
  drain(queue: QueueName): void {
    const ids = this.modes[queue] === "all" ? [...this.queues[queue]] : this.queues[queue].slice(0, 1);
    this.hand = { from: queue, ids };
    if (this.policy.drained === "limbo") this.#remove(ids);
  }

  /** Takes what the host's queue gave. Under `reserved` it is queued here until it is delivered. */
  takePolled(queue: QueueName, ids: string[]): void {
    this.hand = { from: queue, ids };
    if (this.#isReserved()) this.queues[queue].unshift(...ids);
  }

  /** P4: what continue() drains is its prompt: under `reserved` it is queued until delivered, but nobody takes it back. */
  takeAsPrompt(queue: QueueName): void {
    this.drain(queue);
    this.committed = this.hand.ids;
    this.hand.from = "prompt";
  }

  tellDrained(poll: PollPoint, queue: QueueName): void {
    this.tell({ type: "input.drained", messages: this.hand.ids, queue, poll });
  }

  /** What the next injection delivers from a queue: of what is reserved, only what nobody has taken back. */
  pending(): string[] {
    const { from, ids } = this.hand;
    if (from === "prompt" || !this.#isReserved()) return ids;
    return ids.filter((id) => this.queues[from].includes(id));
  }

  /** Undoes a drain: the messages stand at the head of their queue again. */
  giveBack(): void {
    const { from, ids } = this.hand;
    if (from === "prompt") return;
    if (!this.#isReserved()) this.queues[from].unshift(...ids);
    this.hand = { from: "prompt", ids: [] };
  }

  /** E7: prepared, then drained messages, or the list that the declared tools made of them. */
  deliver(list?: RecordOf<"tools.declared">["messages"]): void {
    const due = [...this.prepared, ...this.pending()];
    const told = list?.map(({ id }, n) => id ?? messageId(this.seq, n)) ?? due;
    const isNew = (id: string) => id.startsWith(`${this.seq}.`);
    for (const message of told) {
      if (due.includes(message) || isNew(message)) {
        this.tell({ type: "input.delivered", message, from: this.#sourceOf(message) });
      }
    }
    this.#remove(due);
    this.hand = { from: "prompt", ids: [] };
    this.committed = [];
    this.prepared = [];
  }

  /** Empties a queue and tells what is handed back. */
  clear(queue: QueueName): void {
    const messages = this.queues[queue].filter((id) => !this.committed.includes(id));
    this.queues[queue] = this.queues[queue].filter((id) => this.committed.includes(id));
    if (messages.length > 0) this.tell({ type: "input.returned", messages, queue });
  }

  /** L10: an exception in limbo loses what was drained; what prepareNextTurn gave is lost with it. */
  lose(): void {
    const { from } = this.hand;
    const kept = from !== "prompt" && this.#isReserved();
    const messages = kept ? this.prepared : [...this.prepared, ...this.hand.ids];
    if (messages.length > 0) this.tell({ type: "input.lost", messages });
    this.#remove(this.committed);
    this.committed = [];
    this.hand = { from: "prompt", ids: [] };
    this.prepared = [];
  }

  #isReserved(): boolean {
    return this.policy.drained === "reserved";
  }

  #sourceOf(id: string): InjectionSource {
    if (this.prepared.includes(id)) return "prepared";
    return this.hand.ids.includes(id) ? this.hand.from : "declaration";
  }

  #remove(ids: readonly string[]): void {
    for (const queue of ["steering", "followUp"] as const) {
      this.queues[queue] = this.queues[queue].filter((id) => !ids.includes(id));
    }
  }
}
