import type { AgentEvent } from "@earendil-works/pi-agent-core";
import { reportGuestError } from "./report-guest-error.ts";

/** A listener of an agent's lifecycle. A promise that it returns is awaited (spec A7). */
export type AgentListener = (event: AgentEvent, signal: AbortSignal) => Promise<void> | void;

/** Told of everything that a listener throws, synchronously or not. */
export type ListenerErrorHandler = (error: unknown, event: AgentEvent, listener: AgentListener) => Promise<void> | void;

/** Listeners are guests (law 6): awaited one after another in the order of subscription, and never able to break a run. */
export class Listeners {
  readonly #listeners = new Set<AgentListener>();
  readonly #onError: ListenerErrorHandler;

  /** @param onError Told of what a listener throws; without it the error is printed. */
  constructor(onError: ListenerErrorHandler = (error, event) => reportGuestError(error, event.type)) {
    this.#onError = onError;
  }

  /** Adds a listener; the same one twice is called once. Returns what removes it. */
  add(listener: AgentListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Tells one event. A listener added meanwhile still hears it, one removed meanwhile does not (spec A7). */
  async tell(event: AgentEvent, signal: AbortSignal): Promise<void> {
    for (const listener of this.#listeners) {
      try {
        await listener(event, signal);
      } catch (error) {
        this.#report(error, event, listener);
      }
    }
  }

  #report(error: unknown, event: AgentEvent, listener: AgentListener): void {
    const handle = async () => this.#onError(error, event, listener);
    handle().catch((second: unknown) => {
      reportGuestError(new AggregateError([error, second], "onListenerError threw as well"), event.type);
    });
  }
}
