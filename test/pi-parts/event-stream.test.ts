import {
  type AssistantMessage,
  createAssistantMessageEventStream as createInPi,
  EventStream as PiEventStream,
} from "@earendil-works/pi-ai";
import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAssistantMessageEventStream, EventStream } from "../../src/pi/event-stream.ts";
import { hop } from "./hops.ts";
import { assistantMessage } from "./messages.ts";

interface Stream {
  push(event: number): void;
  end(result?: string): void;
  result(): Promise<string>;
  [Symbol.asyncIterator](): AsyncIterator<number>;
}

const opArb = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("push" as const), event: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("push" as const), event: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("end" as const), result: fc.constantFrom(undefined, "given") }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("read" as const), reader: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("leave" as const), reader: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("hop" as const), count: fc.integer({ min: 1, max: 4 }) }) },
);
type Op = typeof opArb extends fc.Arbitrary<infer T> ? T : never;

/** What readers saw, and after how many microtasks. */
async function play(stream: Stream, ops: readonly Op[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  let hops = 0;
  const readers = [0, 1, 2].map(() => stream[Symbol.asyncIterator]());
  void stream.result().then((result) => seen.push({ hops, result }));
  const act = (op: Op) => {
    if (op.do === "push") stream.push(op.event);
    if (op.do === "end") stream.end(op.result);
    if (op.do === "read") readers[op.reader]?.next().then((read) => seen.push({ hops, reader: op.reader, ...read }));
    if (op.do === "leave") readers[op.reader]?.return?.().then((left) => seen.push({ hops, left: op.reader, ...left }));
  };
  for (const op of [...ops, { do: "hop" as const, count: 12 }]) {
    act(op);
    for (let n = 0; op.do === "hop" && n < op.count; n++, hops++) await hop(1);
  }
  return seen;
}

describe("EventStream", () => {
  const isLast = (event: number) => event === 0;
  const resultOf = (event: number) => `result of ${event}`;

  test.prop([fc.array(opArb, { maxLength: 25 })], { numRuns: 1500 })(
    "gives each reader what Pi's stream gives it, in the same microtask",
    async (ops) => {
      const ours = await play(new EventStream(isLast, resultOf), ops);
      const theirs = await play(new PiEventStream(isLast, resultOf), ops);
      expect(ours).toEqual(theirs);
    },
  );

  it("has read all that was pushed before it ended", async () => {
    const stream = new EventStream(isLast, resultOf);
    for (let n = 1; n <= 5; n++) stream.push(n);
    stream.end();
    stream.push(6);
    const read: number[] = [];
    for await (const event of stream) read.push(event);
    expect(read).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("createAssistantMessageEventStream", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "performance"], now: 10_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const messageArb = fc
    .record({ timestamp: fc.constantFrom(9_999, 10_000, 10_001), durationMs: fc.constantFrom(undefined, 0, 7) })
    .map(({ timestamp, durationMs }) => ({ timestamp, ...(durationMs === undefined ? {} : { durationMs }) }));
  const endings = {
    done: (stream: ReturnType<typeof createInPi>, message: AssistantMessage) =>
      stream.push({ type: "done", reason: "stop", message }),
    error: (stream: ReturnType<typeof createInPi>, error: AssistantMessage) =>
      stream.push({ type: "error", reason: "error", error }),
    end: (stream: ReturnType<typeof createInPi>, message: AssistantMessage) => stream.end(message),
  };

  test.prop([fc.constantFrom("done", "error", "end"), messageArb, fc.nat(5_000), fc.boolean()])(
    "times the final message as Pi does",
    async (ending, parts, takes, endsTwice) => {
      const timed = async (create: typeof createInPi) => {
        vi.setSystemTime(10_000);
        const stream = create();
        vi.advanceTimersByTime(takes);
        endings[ending](stream, assistantMessage(parts));
        const late = assistantMessage({ timestamp: 99_999 });
        if (endsTwice) endings[ending](stream, late);
        return { result: await stream.result(), late };
      };
      const ours = await timed(createAssistantMessageEventStream);
      expect(ours).toStrictEqual(await timed(createInPi));
      expect(ours.result.durationMs).toBe(parts.durationMs ?? (parts.timestamp < 10_000 ? undefined : takes));
    },
  );

  it("times by the clock that it is given", async () => {
    let time = 100;
    const stream = createAssistantMessageEventStream({ now: () => time, monotonic: () => time });
    time = 130.4;
    stream.end(assistantMessage({ timestamp: 100 }));
    expect((await stream.result()).durationMs).toBe(30);
  });

  it("ends also with a final event that carries no message", async () => {
    const stream = createAssistantMessageEventStream();
    stream.push({ type: "done", reason: "stop", message: undefined as unknown as AssistantMessage });
    expect(await stream.result()).toBeUndefined();
  });
});
