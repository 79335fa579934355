import type { AgentEvent, AgentLoopConfig, AgentMessage, AgentState, QueueMode } from "@earendil-works/pi-agent-core";
import type { ImageContent } from "@earendil-works/pi-ai";
import { nextDrain, queued } from "../engine/queue.ts";
import { runningTrace, type StepResult } from "../engine/step.ts";
import { stateDigest } from "../engine/step-digest.ts";
import type { InputLog } from "../log/input-log.ts";
import type { Command, CommandOptions } from "../protocol/command.ts";
import type { Effect } from "../protocol/effect.ts";
import { RefusedError } from "../protocol/errors.ts";
import type { IdentifiedMessage } from "../protocol/message.ts";
import type { QueueName } from "../protocol/queue-mode.ts";
import { Admission, type Admitted, type Receipt } from "../runtime/admission.ts";
import { type Clock, systemClock } from "../runtime/clock.ts";
import { Driver } from "../runtime/driver.ts";
import { type ActiveRun, openRun } from "./active-run.ts";
import type { AgentOptions } from "./agent-options.ts";
import { AgentSettings } from "./agent-settings.ts";
import { LiveAgentState } from "./agent-state.ts";
import { agentStateView } from "./agent-state-view.ts";
import { only } from "./command-options.ts";
import type { CommandReceipt } from "./command-receipt.ts";
import { checkCommand } from "./command-shape.ts";
import { type AgentListener, Listeners } from "./listeners.ts";
import { runConfigOf } from "./loop-config.ts";
import { openLog, policyOfOptions } from "./open-log.ts";
import type { PiProjection } from "./projection.ts";
import { promptMessages } from "./prompt-messages.ts";
import { type RestoredLog, restoreLog } from "./restore-log.ts";
import { Run } from "./run.ts";
import { currentSystemMessage } from "./system-prompt.ts";

/**
 * A drop-in for `Agent` of `@earendil-works/pi-agent-core` 1.6.0, on an event-sourced engine: every input goes into
 * `log`, the machines decide, and the log can be replayed, verified and resumed.
 */
export class Agent extends AgentSettings {
  readonly #state: LiveAgentState;
  readonly #view: AgentState;
  readonly #listeners: Listeners;
  readonly #clock: Clock;
  readonly #projection: PiProjection;
  readonly #driver: Driver;
  readonly #admission: Admission;
  #active: ActiveRun | undefined;

  constructor(options: AgentOptions);
  /** @internal For `Agent.resume`: the agent takes over a log instead of opening one. */
  constructor(options: AgentOptions, restored: RestoredLog);
  constructor(options: AgentOptions, restored?: RestoredLog) {
    super(options);
    // Older compiled hosts may omit the options although the types require them.
    const given: Partial<AgentOptions> = options ?? {};
    this.#clock = given.clock ?? systemClock;
    this.#listeners = new Listeners(given.onListenerError);
    this.#state = new LiveAgentState(given.initialState, {
      isStreaming: () => this.#driver.state.trace.context.running,
      transcriptAssigned: () => this.#logTranscriptEdit(),
    });
    this.#view = agentStateView(this.#state);
    const opened = restored ?? openLog(policyOfOptions(given), given, this.#state.messages, this.#clock);
    if (restored) this.#state.restoreMessages(restored.messages, restored.projection.derivedMessages);
    this.#projection = opened.projection;
    this.#driver = new Driver({
      state: opened.state,
      log: opened.log,
      clock: this.#clock,
      digests: given.digests ?? false,
      surroundings: {
        learn: (record, result) => this.#projection.learn(record, result),
        abort: () => this.#active?.controller.abort(),
      },
    });
    this.#admission = new Admission(this.#driver, () => this.#projection.takeReturned(), restored?.receipts);
  }

  /**
   * An agent at the end of a log. Nothing starts by itself: see `outstanding` and `resume()`.
   *
   * @param records The whole log, from `log.opened`.
   * @throws LifecycleError `record-invalid`, `log-not-opened`, `sequence-gap`, `machine-mismatch`, `replay-diverged`.
   */
  static resume(records: Iterable<unknown>, options: AgentOptions): Agent {
    return new this(options, restoreLog(records));
  }

  /** Every input of this agent, live: iterate it, or iterate it asynchronously to follow it. */
  get log(): InputLog {
    return this.#driver.log;
  }

  /** The Trace that is running, or null. */
  get traceId(): string | null {
    return runningTrace(this.#driver.state);
  }

  /** Effects of the log that have no outcome and that nobody works on; empty unless the agent was resumed in mid-run. */
  get outstanding(): readonly Effect[] {
    return this.#active ? [] : this.#driver.state.outstanding;
  }

  /** The digest of the engine's state: a replay of `log` gives the same (law 3). */
  digest(): string {
    return stateDigest(this.#driver.state);
  }

  /** Adds a listener; its promise is awaited, what it throws is reported and changes nothing (law 6). */
  subscribe(listener: AgentListener): () => void {
    return this.#listeners.add(listener);
  }

  get state(): AgentState {
    return this.#view;
  }

  get steeringMode(): QueueMode {
    return this.#driver.state.trace.context.steeringMode;
  }

  /** How many steering messages one drain takes; read by the next drain (spec L8). */
  set steeringMode(mode: QueueMode) {
    this.#submit({ type: "setSteeringMode", mode }).receipt;
  }

  get followUpMode(): QueueMode {
    return this.#driver.state.trace.context.followUpMode;
  }

  /** How many follow-ups one drain takes; read by the next drain (spec L8). */
  set followUpMode(mode: QueueMode) {
    this.#submit({ type: "setFollowUpMode", mode }).receipt;
  }

  /** Queues a message for the next turn boundary (spec G5). */
  steer(message: AgentMessage, options: CommandOptions = {}): CommandReceipt {
    return this.#submit({ type: "steer", message, ...only(options) }).receipt;
  }

  /** Queues a message for when the run would otherwise end (spec G6). */
  followUp(message: AgentMessage, options: CommandOptions = {}): CommandReceipt {
    return this.#submit({ type: "followUp", message, ...only(options) }).receipt;
  }

  clearSteeringQueue(options: CommandOptions = {}): CommandReceipt {
    return this.#submit({ type: "clearSteering", ...only(options) }).receipt;
  }

  clearFollowUpQueue(options: CommandOptions = {}): CommandReceipt {
    return this.#submit({ type: "clearFollowUp", ...only(options) }).receipt;
  }

  clearAllQueues(options: CommandOptions = {}): CommandReceipt {
    return this.#submit({ type: "clearAll", ...only(options) }).receipt;
  }

  hasQueuedMessages(): boolean {
    return nextDrain(this.#driver.state).length > 0;
  }

  /** What the next drain would take (spec A9). */
  peekQueuedMessages(): AgentMessage[] {
    return nextDrain(this.#driver.state).map((id) => this.#projection.body(id));
  }

  /** Both queues with ids, oldest first. */
  queued(): Record<QueueName, readonly IdentifiedMessage<AgentMessage>[]> {
    const list = (queue: QueueName) =>
      queued(this.#driver.state, queue).map((id) => ({ id, message: this.#projection.body(id) }));
    return { steering: list("steering"), followUp: list("followUp") };
  }

  /** The signal of the current run. */
  get signal(): AbortSignal | undefined {
    return this.#active?.controller.signal;
  }

  /** Requests the end of the current run; the signal has fired when this returns (spec A10). */
  abort(options: CommandOptions = {}): CommandReceipt {
    return this.#submit({ type: "abort", ...only(options) }).receipt;
  }

  /** Resolves when the current run and its agent_end listeners have settled (spec A6). */
  waitForIdle(): Promise<void> {
    return this.#active?.settled ?? Promise.resolve();
  }

  /** Clears the transcript down to its system baseline, and both queues (spec A4). */
  reset(options: CommandOptions = {}): CommandReceipt {
    const baseline = currentSystemMessage(this.#state.messages);
    const { receipt, step } = this.#submit({ type: "reset", ...(baseline ? { baseline } : {}), ...only(options) });
    if (!step) return receipt;
    this.#state.restoreMessages(baseline ? [baseline] : []);
    this.#state.endRun();
    this.#state.errorMessage = undefined;
    return receipt;
  }

  prompt(message: AgentMessage | AgentMessage[], options?: CommandOptions): Promise<void>;
  prompt(input: string, images?: ImageContent[], options?: CommandOptions): Promise<void>;
  /**
   * Starts a run (spec A2). Resolves when it is over, also when the model, a tool or a hook failed.
   *
   * @throws RefusedError `busy-prompt` while a run is active; then nothing has changed.
   */
  async prompt(
    input: string | AgentMessage | AgentMessage[],
    second?: ImageContent[] | CommandOptions,
    third?: CommandOptions,
  ): Promise<void> {
    const [images, options] = Array.isArray(second) ? [second, third] : [undefined, second ?? third];
    const messages = promptMessages(input, images, this.#clock.now());
    const config = this.#config();
    await this.#start({ type: "prompt", messages, run: runConfigOf(config), ...only(options) }, config);
  }

  /**
   * Continues from the transcript, or with what is queued when an assistant message is last (spec A3, P4).
   *
   * @throws RefusedError `busy-continue`, `nothing-to-continue` or `assistant-is-last`.
   */
  async continue(options: CommandOptions = {}): Promise<void> {
    const { messages } = this.#state;
    const config = this.#config();
    const lastRole = messages.at(-1)?.role ?? null;
    const hasConversation = messages.some((message) => message.role !== "system");
    const run = runConfigOf(config);
    await this.#start({ type: "continue", run, lastRole, hasConversation, ...only(options) }, config);
  }

  /**
   * Takes up the run that the log left in mid-air: a model request is sent again as its next attempt, a tool runs again
   * only if it declares `replay: "safe"`, else its call ends with a result that says its outcome is unknown (law 4).
   */
  async resume(): Promise<void> {
    if (this.outstanding.length === 0) return;
    this.#logTranscriptEdit();
    const step = this.#driver.apply({ type: "log.resumed" }, `${this.#driver.state.seq + 1}`);
    await this.#run(step, this.#config());
  }

  /** The receipt of an earlier command, by its key. */
  receipt(key: string | undefined): Receipt | undefined {
    return this.#admission.receipt(key);
  }

  #submit(command: Command): Admitted & { readonly receipt: CommandReceipt } {
    checkCommand(command);
    return this.#admission.submit(command) as Admitted & { readonly receipt: CommandReceipt };
  }

  #config(): AgentLoopConfig {
    return this.loopConfig(this.#view, () => this.signal);
  }

  // Not asynchronous: a refusal reaches the caller of prompt() as soon as in Pi.
  #start(command: Command, config: AgentLoopConfig): Promise<void> {
    if (!this.#active) this.#logTranscriptEdit();
    const { outstanding } = this;
    if (outstanding.length > 0 && !this.receipt(command.key)) throw new RefusedError("interrupted", { outstanding });
    const { receipt, step } = this.#submit(command);
    return step ? this.#run(step, config) : receipt.traceId === this.traceId ? this.waitForIdle() : Promise.resolve();
  }

  async #run(step: Pick<StepResult, "facts" | "effects">, config: AgentLoopConfig): Promise<void> {
    const active = openRun(this.#driver.state.trace.context.aborted);
    this.#active = active;
    const { signal } = active.controller;
    this.#state.startRun();
    const run = new Run({
      context: this.#state.contextFor(this.#projection.openResults),
      config,
      signal,
      streamFn: this.streamFunction,
      emit: (event) => this.#emit(event, signal),
      projection: this.#projection,
      state: () => this.#driver.state,
      clock: this.#clock,
      failureModel: () => this.#state.model,
    });
    try {
      await this.#driver.run(step, run);
    } finally {
      this.#state.endRun();
      active.settle();
      this.#active = undefined;
    }
  }

  /** The state changes first, then the listeners hear of it (spec A8). */
  #emit(event: AgentEvent, signal: AbortSignal): Promise<void> {
    this.#state.reduce(event);
    return this.#listeners.tell(event, signal);
  }

  #logTranscriptEdit(): void {
    const edit = this.#state.transcriptEdit(this.#projection.derivedMessages);
    if (!edit) return;
    this.#submit(edit);
    this.#state.transcriptLogged();
  }
}
