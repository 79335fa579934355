import type {
  AgentTool,
  AgentToolCallOutcome,
  AgentToolResult,
  RunToolCallOptions,
} from "@earendil-works/pi-agent-core";
import type { ToolCall } from "@earendil-works/pi-ai";
import fc from "fast-check";
import { hop } from "./hops.ts";
import { assistantMessage, toolCall } from "./messages.ts";

const text = (value: string) => [{ type: "text" as const, text: value }];

/** What tools return, of which Pi makes something that can stand in a transcript; made anew, so that identity shows. */
export const RETURNED: Readonly<Record<string, () => unknown>> = {
  plain: () => ({ content: text("done"), details: { n: 1 } }),
  full: () => ({
    content: text("done"),
    details: 1,
    usage: { input: 1 },
    structuredContent: { a: 1 },
    terminate: true,
  }),
  failed: () => ({ content: text("failed"), details: undefined, isError: true }),
  untruthful: () => ({ content: [], details: {}, isError: "yes", terminate: "yes" }),
  nothing: () => undefined,
  null: () => null,
  string: () => "done",
  number: () => 7,
  array: () => ["done"],
  empty: () => ({}),
  nullContent: () => ({ content: null, details: 1 }),
};

/** What is thrown: by tools, by hooks and by `prepareArguments`. */
export const THROWN: Readonly<Record<string, unknown>> = {
  error: new TypeError("broken"),
  string: "broken",
  object: { broken: true },
  symbol: Symbol("broken"),
  undefined,
};

const hopCount = fc.nat(3);
const thrown = fc.constantFrom(...Object.keys(THROWN));
const variant = <T>(plain: number, value: fc.Arbitrary<T>, weight = 1) =>
  fc.oneof({ weight: plain, arbitrary: fc.constant(undefined) }, { weight, arbitrary: value });

/** One call: of which tool, which hooks answer what, when it is aborted, and after how many microtasks. */
export const callProgramArb = fc.record({
  name: fc.constantFrom("work", "work", "work", "absent"),
  args: fc.constantFrom({ n: 1 }, { n: "2" }, { n: "x" }, {}),
  argumentsError: variant(9, fc.constant("not JSON")),
  signal: fc.constantFrom("none", "given", "given", "aborted"),
  prepareArguments: variant(4, fc.oneof(fc.constantFrom("same", "other", "promise"), thrown)),
  tool: fc.record({
    isAsync: fc.boolean(),
    hops: hopCount,
    updates: fc.nat(2),
    lateUpdates: fc.boolean(),
    aborts: variant(5, fc.constant(true)),
    returns: fc.constantFrom("plain", "plain", ...Object.keys(RETURNED)),
    throws: variant(4, thrown),
  }),
  sink: fc.record({ given: fc.boolean(), hops: variant(1, hopCount) }),
  before: variant(
    1,
    fc.record({
      hops: hopCount,
      throws: variant(5, thrown),
      aborts: variant(5, fc.constant(true)),
      editsArgs: fc.boolean(),
      answer: fc.constantFrom(
        undefined,
        {},
        { block: false, reason: "no" },
        { block: true },
        { block: true, reason: "", terminate: false },
        { block: true, reason: "no", terminate: true },
      ),
    }),
  ),
  after: variant(
    1,
    fc.record({
      hops: hopCount,
      throws: variant(5, thrown),
      change: fc.oneof(
        fc.constant(undefined),
        fc.record(
          {
            content: fc.constantFrom(undefined, text("changed"), []),
            details: fc.constantFrom(undefined, null, { changed: true }),
            usage: fc.constantFrom(undefined, { input: 2 }),
            isError: fc.constantFrom(undefined, true, false),
            terminate: fc.constantFrom(undefined, true, false),
            structuredContent: fc.constantFrom(undefined, { changed: 1 }),
          },
          { requiredKeys: [] },
        ),
      ),
    }),
  ),
});

export type CallProgram = typeof callProgramArb extends fc.Arbitrary<infer T> ? T : never;

/** One program's objects, and what was seen of them. */
export class CallStage {
  readonly toolCall: ToolCall;
  readonly options: RunToolCallOptions;
  readonly seen: unknown[] = [];
  readonly #program: CallProgram;
  readonly #controller = new AbortController();
  #returned: unknown;

  constructor(program: CallProgram) {
    this.#program = program;
    const { name, args, argumentsError, signal, sink, before, after } = program;
    this.toolCall = toolCall({ name, arguments: structuredClone(args) });
    if (argumentsError) this.toolCall.argumentsError = argumentsError;
    if (signal === "aborted") this.#controller.abort();
    const tools = [this.#tool()];
    this.options = {
      tools,
      assistantMessage: assistantMessage({ content: [this.toolCall] }),
      context: { messages: [], tools },
      ...(signal === "none" ? {} : { signal: this.#controller.signal }),
      ...(sink.given ? { onUpdate: (update) => this.#hear(update) } : {}),
      ...(before ? { beforeToolCall: (context, given) => this.#before(before, context, given) } : {}),
      ...(after ? { afterToolCall: (context, given) => this.#after(after, context, given) } : {}),
    };
  }

  /** The outcome without times, and which of its parts are the objects that went in. */
  brief(outcome: AgentToolCallOutcome): unknown {
    const { durationMs, ...rest } = outcome;
    return {
      ...rest,
      keys: [Object.keys(outcome), Object.keys(Object(outcome.result))],
      timed: typeof durationMs,
      sameCall: outcome.toolCall === this.toolCall,
      sameResult: outcome.result === this.#returned,
    };
  }

  #note(what: string, values: Record<string, unknown>): void {
    this.seen.push([what, structuredClone(values)]);
  }

  #hear(update: AgentToolResult<unknown>): Promise<void> | void {
    this.#note("update", { update });
    const { hops } = this.#program.sink;
    return hops === undefined ? undefined : hop(hops);
  }

  #tool(): AgentTool {
    const { prepareArguments } = this.#program;
    return {
      name: "work",
      label: "work",
      description: "",
      parameters: { type: "object", properties: { n: { type: "number" } } },
      execute: (id, args, signal, onUpdate) => {
        this.#note("execute", { id, args, aborted: signal?.aborted });
        const { isAsync, hops, updates, lateUpdates, aborts, returns, throws } = this.#program.tool;
        const end = (): AgentToolResult => {
          if (aborts) this.#controller.abort();
          for (let n = 0; n < updates; n++) onUpdate?.({ content: text(`${n}`), details: n });
          if (lateUpdates) void hop(hops + 2).then(() => onUpdate?.({ content: text("late"), details: 0 }));
          if (throws) throw THROWN[throws];
          this.#returned = RETURNED[returns]?.();
          return this.#returned as AgentToolResult;
        };
        return isAsync ? hop(hops).then(end) : (end() as unknown as Promise<AgentToolResult>);
      },
      ...(prepareArguments ? { prepareArguments: (args: unknown) => this.#prepare(prepareArguments, args) } : {}),
    };
  }

  #prepare(how: string, args: unknown): unknown {
    this.#note("prepareArguments", { args });
    if (how === "same") return args;
    if (how === "promise") return Promise.resolve(args);
    if (how === "other") return { n: 3 };
    throw THROWN[how];
  }

  async #before(
    { hops, throws, aborts, editsArgs, answer }: NonNullable<CallProgram["before"]>,
    {
      args,
      toolCall: call,
      context,
      assistantMessage: message,
    }: Parameters<NonNullable<RunToolCallOptions["beforeToolCall"]>>[0],
    signal: AbortSignal | undefined,
  ) {
    const { options } = this;
    const same = call === this.toolCall && context === options.context && message === options.assistantMessage;
    this.#note("before", { args, same, signal: signal === options.signal });
    await hop(hops);
    if (editsArgs) Object.assign(args as object, { edited: true });
    if (aborts) this.#controller.abort();
    if (throws) throw THROWN[throws];
    return answer;
  }

  async #after(
    { hops, throws, change }: NonNullable<CallProgram["after"]>,
    { result, isError, args, toolCall: call, context }: Parameters<NonNullable<RunToolCallOptions["afterToolCall"]>>[0],
    signal: AbortSignal | undefined,
  ) {
    const same = call === this.toolCall && context === this.options.context;
    this.#note("after", { result, isError, args, same, signal: signal === this.options.signal });
    await hop(hops);
    if (throws) throw THROWN[throws];
    return change as Awaited<ReturnType<NonNullable<RunToolCallOptions["afterToolCall"]>>>;
  }
}
