import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream as PiAssistantMessageEventStream,
} from "@earendil-works/pi-ai";
import { type Clock, systemClock } from "../runtime/clock.ts";
import { Fifo } from "./fifo.ts";

/**
 * Events that one side pushes and the other iterates, and the result that they end in. An event goes to one reader only,
 * at once when it is waiting, else when it asks. After the last event, or `end()`, nothing more is taken.
 */
export class EventStream<T, R = T> implements AsyncIterable<T> {
  protected done = false;
  readonly #isLast: (event: T) => boolean;
  readonly #resultOf: (event: T) => R;
  readonly #events = new Fifo<T>();
  readonly #readers = new Fifo<(read: IteratorResult<T, undefined>) => void>();
  readonly #result: Promise<R>;
  #resolve: (result: R) => void = () => {};

  constructor(isLast: (event: T) => boolean, resultOf: (event: T) => R) {
    this.#isLast = isLast;
    this.#resultOf = resultOf;
    this.#result = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  push(event: T): void {
    if (this.done) return;
    if (this.#isLast(event)) {
      this.done = true;
      this.#resolve(this.#resultOf(event));
    }
    const read = this.#readers.take();
    if (read) read({ value: event, done: false });
    else this.#events.add(event);
  }

  /** Ends the stream. Without a last event and without a result here, `result()` never resolves. */
  end(result?: R): void {
    this.done = true;
    if (result !== undefined) this.#resolve(result);
    for (let read = this.#readers.take(); read; read = this.#readers.take()) read({ value: undefined, done: true });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    while (true) {
      if (!this.#events.isEmpty) {
        yield this.#events.take() as T;
        continue;
      }
      if (this.done) return;
      const next = await new Promise<IteratorResult<T, undefined>>((read) => this.#readers.add(read));
      if (next.done) return;
      yield next.value;
    }
  }

  result(): Promise<R> {
    return this.#result;
  }
}

type StreamClock = Pick<Clock, "now" | "monotonic">;

/** The events of one reply. It writes into the final message how long the reply took since the stream was made. */
class AssistantMessageEventStream extends EventStream<AssistantMessageEvent, AssistantMessage> {
  readonly #clock: StreamClock;
  readonly #startedAt: number;
  readonly #startedMonotonic: number;

  constructor(clock: StreamClock) {
    super(
      ({ type }) => type === "done" || type === "error",
      (event) => finalMessage(event) as AssistantMessage,
    );
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#startedMonotonic = clock.monotonic();
  }

  override push(event: AssistantMessageEvent): void {
    const message = finalMessage(event);
    if (message) this.#time(message);
    super.push(event);
  }

  override end(result?: AssistantMessage): void {
    if (result) this.#time(result);
    super.end(result);
  }

  /** A reply that began before the stream, such as one fetched later, has a duration that nobody here knows. */
  #time(message: AssistantMessage): void {
    if (this.done || message.durationMs !== undefined || message.timestamp < this.#startedAt) return;
    message.durationMs = Math.max(0, Math.round(this.#clock.monotonic() - this.#startedMonotonic));
  }
}

/**
 * A new stream for one reply, for stream functions. The final message gets `durationMs` unless it has one or is older
 * than the stream.
 *
 * @param clock Where the time comes from; the system's clock by default.
 */
export function createAssistantMessageEventStream(clock: StreamClock = systemClock): PiAssistantMessageEventStream {
  // Pi's class has private members, so that no other class is assignable to it; all that it shows to the outside is here.
  return new AssistantMessageEventStream(clock) as unknown as PiAssistantMessageEventStream;
}

function finalMessage(event: AssistantMessageEvent): AssistantMessage | undefined {
  if (event.type === "done") return event.message;
  return event.type === "error" ? event.error : undefined;
}
