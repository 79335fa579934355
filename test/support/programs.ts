import fc from "fast-check";
import { pendingInjection } from "../../src/engine/queue.ts";
import { open, type State } from "../../src/engine/state.ts";
import { type Step, type StepResult, step } from "../../src/engine/step.ts";
import type { HookName } from "../../src/protocol/command.ts";
import type { Effect } from "../../src/protocol/effect.ts";
import type { Input, LogRecord } from "../../src/protocol/log-record.ts";
import type { Call, StopReason } from "../../src/protocol/message.ts";
import type { Outcome, Verdict } from "../../src/protocol/outcome.ts";
import { type Policy, type Profile, policyOf } from "../../src/protocol/policy.ts";

/** Numbers that decide a program: each turn of the wheel takes some of them. */
export class Choices {
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  get left(): number {
    return this.#numbers.length - this.#next;
  }

  below(limit: number): number {
    return (this.#numbers[this.#next++] ?? 0) % limit;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}

/** One step of a program, with what it did. */
export interface ProgramStep extends StepResult {
  readonly record: LogRecord;
  readonly before: State;
}

/** A random program: what the outside decides and finds out, always an answer to something that was asked. */
export interface Program {
  readonly policy: Policy;
  readonly numbers: readonly number[];
}

export const programArb = (
  profiles: readonly Profile[] = ["strict", "pi-1.6"],
  queues: readonly Policy["queues"][] = ["own"],
): fc.Arbitrary<Program> =>
  programOf(
    fc
      .record({ profile: fc.constantFrom(...profiles), queues: fc.constantFrom(...queues) })
      // Only Pi's own flags go with queues of the host.
      .map(({ profile, queues: owner }) => policyOf(owner === "host" ? "pi-1.6" : profile, { queues: owner })),
  );

/** Random programs under random policies. */
export const programOf = (policy: fc.Arbitrary<Policy>): fc.Arbitrary<Program> =>
  fc.record({ policy, numbers: fc.array(fc.nat(9_999), { minLength: 20, maxLength: 400, size: "max" }) });

/** Runs a program on an engine. */
export function runProgram(program: Program, engine: Step = step): readonly ProgramStep[] {
  const choices = new Choices(program.numbers);
  const opened: LogRecord = {
    seq: 0,
    id: "0",
    at: 0,
    type: "log.opened",
    format: 1,
    machines: "",
    policy: program.policy,
    steeringMode: choices.of(["one-at-a-time", "all"]),
    followUpMode: choices.of(["one-at-a-time", "all"]),
    messages: [],
  };
  const steps: ProgramStep[] = [{ record: opened, before: open(opened), state: open(opened), facts: [], effects: [] }];
  while (choices.left > 0) {
    const last = steps.at(-1) as ProgramStep;
    const before = last.state;
    const { id, ...input } = nextInput(last, choices);
    const seq = before.seq + 1;
    const record = { seq, id: id ?? `${seq}`, at: seq, ...input } as LogRecord;
    steps.push({ record, before, ...engine(before, record) });
  }
  return steps;
}

type Next = Input & { readonly id?: string };

function nextInput({ state, record }: ProgramStep, choices: Choices): Next {
  const [effect] = state.outstanding;
  if (holdsQueued(state) && choices.chance(20)) return interference(choices);
  if (effect && !choices.chance(25)) return answer(state, choices.of(state.outstanding), choices);
  if (!effect && choices.chance(50)) return start(choices);
  if (choices.chance(5)) return withoutPlace(record);
  return command(state.trace.context.policy, choices);
}

/** Between a drain and its delivery. */
function holdsQueued({ trace: { context } }: State): boolean {
  return context.pending.length > 0 && context.pendingFrom !== "prompt";
}

/** What a host can do to messages that are drained and not delivered. */
function interference(choices: Choices): Next {
  return choices.of<Next>([
    { type: "abort" },
    { type: "clearSteering" },
    { type: "clearFollowUp" },
    { type: "clearAll" },
  ]);
}

/** The same input once more: a command repeats itself, an outcome comes twice. */
function withoutPlace({ seq: _seq, at: _at, id, ...input }: LogRecord): Next {
  if (input.type === "log.opened") return { type: "log.resumed" };
  return id.includes("/") ? { id, ...input } : input;
}

const user = (choices: Choices) => ({ role: "user", content: choices.of(["a", "b", "c"]) });

function start(choices: Choices): Next {
  const run = {
    hooks: (["prepareRequest", "finishTurn", "prepareNextTurn"] as const satisfies readonly HookName[]).filter(() =>
      choices.chance(40),
    ),
    toolExecution: choices.of(["parallel", "sequential"] as const),
  };
  if (choices.chance(60)) {
    return { type: "prompt", messages: Array.from({ length: choices.below(3) }, () => user(choices)), run };
  }
  const lastRole = choices.of(["assistant", "assistant", "user", "toolResult", null]);
  return { type: "continue", run, lastRole, hasConversation: lastRole !== null };
}

function command(policy: Policy, choices: Choices): Next {
  const mode = choices.of(["one-at-a-time", "all"] as const);
  const expect = choices.chance(5) ? { expect: { traceId: `t${choices.below(3)}` } } : {};
  const queueing: (() => Next)[] = [
    () => ({ type: "steer", message: user(choices), ...expect }),
    () => ({ type: "steer", message: user(choices) }),
    () => ({ type: "followUp", message: user(choices), ...expect }),
    () => ({ type: "followUp", message: user(choices) }),
  ];
  const command = choices.of<() => Next>([
    // A host that owns the queues queues nothing here.
    ...(policy.queues === "own" ? queueing : []),
    () => ({ type: "abort", ...expect }),
    () => ({ type: "clearSteering" }),
    () => ({ type: "clearFollowUp" }),
    () => ({ type: "clearAll" }),
    () => ({ type: "setSteeringMode", mode }),
    () => ({ type: "setFollowUpMode", mode }),
    () => ({ type: "reset" }),
    () => ({ type: "editTranscript", keep: 0, messages: [] }),
    () => start(choices),
    () => ({ type: "trace.opened", id: "t0/n0/stale#1" }),
    () => ({ type: "log.resumed" }),
  ]);
  return command();
}

function answer(state: State, effect: Effect, choices: Choices): Next {
  if (effect.type !== "listeners.settle" && !effect.type.startsWith("tool.") && choices.chance(4)) {
    return { id: effect.id, type: "run.failed", message: { role: "assistant" }, error: "boom" };
  }
  if (effect.type === "tools.declare") return { id: effect.id, ...declared(state, choices) };
  return { id: effect.id, ...outcomeOf(effect, choices) };
}

/** E7: a patch before the pending messages, or merged into one of them. */
function declared(state: State, choices: Choices): Outcome {
  if (choices.chance(70)) return { type: "tools.declared" };
  const pending = pendingInjection(state).map((id) => ({ id }));
  const message = { role: "system" };
  if (pending.length === 0 || choices.chance(50))
    return { type: "tools.declared", messages: [{ message }, ...pending] };
  const merged = choices.below(pending.length);
  return {
    type: "tools.declared",
    messages: pending.map((place, n) => (n === merged ? { ...place, message } : place)),
  };
}

function outcomeOf(effect: Effect, choices: Choices): Outcome {
  const messages = Array.from({ length: choices.below(3) }, () => user(choices));
  switch (effect.type) {
    case "listeners.settle":
      return { type: effect.then };
    case "queue.poll":
      return { type: "queue.polled", messages };
    case "hook.run":
      return hookOutcome(effect.hook, choices, messages);
    case "model.request":
      return choices.chance(30) ? { type: "model.started", message: { role: "assistant" } } : reply(choices);
    case "tool.prepare":
      return { type: "tool.prepared", call: effect.call, verdict: verdict(choices) };
    case "tool.run":
      return {
        type: "tool.finished",
        call: effect.call,
        outcome: choices.chance(90)
          ? {
              kind: "finished",
              result: { content: [] },
              isError: choices.chance(30),
              ...(choices.chance(50) ? { terminate: true } : {}),
            }
          : { kind: choices.of(["aborted", "lost"] as const) },
      };
    default:
      return { type: "tool.finished", call: "call" in effect ? effect.call : 0, outcome: { kind: "aborted" } };
  }
}

function hookOutcome(hook: HookName, choices: Choices, messages: { role: string }[]): Outcome {
  if (hook === "prepareRequest") return { type: "request.prepared" };
  if (hook === "prepareNextTurn") return { type: "turn.prepared", ...(messages.length > 0 ? { messages } : {}) };
  const decision = choices.of(["end", "continue", undefined, undefined] as const);
  return { type: "turn.finished", ...(decision ? { decision } : {}) };
}

function verdict(choices: Choices): Verdict {
  const kind = choices.of(["ready", "ready", "ready", "aborted", "unknown", "refused"] as const);
  if (kind !== "refused") return { kind };
  const terminate = choices.chance(50) ? ({ terminate: true } as const) : {};
  return { kind, reason: "blocked", text: "no", ...terminate };
}

const ASSISTANT = { role: "assistant", content: [] };

function reply(choices: Choices): Outcome {
  const ids = ["c1", "c2", "c2", "c3"].slice(0, choices.below(5));
  const calls = ids.map(
    (id): Call => ({ id, name: "work", ...(choices.chance(10) ? { mode: "sequential" as const } : {}) }),
  );
  const ordinary: StopReason = calls.length > 0 ? "toolUse" : "stop";
  const stopReason = choices.of<StopReason>([
    ordinary,
    ordinary,
    ordinary,
    ordinary,
    "length",
    "error",
    "aborted",
    "deferred",
  ]);
  return { type: "model.replied", message: ASSISTANT, stopReason, calls };
}
