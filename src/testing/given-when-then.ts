import { type InitialModes, init, open, type State } from "../engine/state.ts";
import { step } from "../engine/step.ts";
import { canonicalJson } from "../protocol/canonical.ts";
import type { Effect, EffectType } from "../protocol/effect.ts";
import type { RefusalCode } from "../protocol/errors.ts";
import type { Fact, FactType } from "../protocol/fact.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import type { Outcome } from "../protocol/outcome.ts";
import { type Policy, type Profile, policyOf } from "../protocol/policy.ts";
import { answeredBy, type InputSource } from "./spec-answers.ts";
import { SpecError } from "./spec-error.ts";
import type { BareInput } from "./spec-inputs.ts";
import { type MessageNames, namesAfter } from "./spec-names.ts";
import { type Expected, expectProducts, productLine } from "./spec-products.ts";

type SpecInput = BareInput | InputSource;

/**
 * The beginning of a specification on a log: an empty log under a profile or policy, or the records of one.
 *
 * @throws LifecycleError when the records are no log.
 */
export function given(start: Profile | Policy | readonly LogRecord[], modes?: InitialModes): Given {
  if (!Array.isArray(start)) {
    const policy = typeof start === "string" ? policyOf(start) : (start as Policy);
    return new Given({ state: init(policy, modes), records: [], products: [], names: new Map() });
  }
  const [opened, ...records] = start as readonly LogRecord[];
  const run = { state: open(opened as LogRecord), records: [opened as LogRecord], products: [], names: new Map() };
  return new Given(records.reduce(take, run));
}

interface SpecRun {
  readonly state: State;
  readonly records: readonly LogRecord[];
  /** What the records did, each one's facts before its effects. */
  readonly products: readonly (Fact | Effect)[];
  readonly names: MessageNames;
}

/** What has happened. Immutable: several specifications may go on from one. */
export class Given {
  readonly #run: SpecRun;

  constructor(run: SpecRun) {
    this.#run = run;
  }

  get state(): State {
    return this.#run.state;
  }

  /** The records so far. */
  get records(): readonly LogRecord[] {
    return this.#run.records;
  }

  /** More that has happened before; nothing is checked. */
  and(...inputs: readonly SpecInput[]): Given {
    return new Given(inputs.reduce(takeInput, this.#run));
  }

  /** What happens now. Say with one of `then…` what must follow. */
  when(...inputs: readonly SpecInput[]): When {
    const after = inputs.reduce(takeInput, { ...this.#run, products: [] });
    return new When(this.#run.state, after);
  }
}

/** What has just happened and waits to be judged. */
export class When {
  readonly #before: State;
  readonly #run: SpecRun;

  constructor(before: State, run: SpecRun) {
    this.#before = before;
    this.#run = run;
  }

  /**
   * Exactly these facts and effects follow: of each input first its facts, then its effects.
   *
   * @throws SpecError with the difference.
   */
  // biome-ignore lint/suspicious/noThenProperty: the specification style has this word; awaiting it by mistake is refused.
  then(...expected: readonly Expected[]): Given {
    refusePromiseCallbacks(expected);
    expectProducts(this.#run.products, expected, this.#run.names);
    return new Given(this.#run);
  }

  /**
   * Of these types, exactly these facts and effects follow, in this order; of other types there may be any.
   *
   * @throws SpecError with the difference.
   */
  thenAmong(types: readonly (FactType | EffectType)[], ...expected: readonly Expected[]): Given {
    const among = this.#run.products.filter(({ type }) => types.includes(type));
    expectProducts(among, expected, this.#run.names);
    return new Given(this.#run);
  }

  /**
   * No fact, no effect, and the same state.
   *
   * @throws SpecError with what happened.
   */
  thenNothingHappened(): Given {
    expectProducts(this.#run.products, [], this.#run.names);
    this.#expectSameState();
    return new Given(this.#run);
  }

  /**
   * The command was refused, and nothing has changed.
   *
   * @throws SpecError with what happened.
   */
  thenRefusedWith(code: RefusalCode): Given {
    const [refusal, ...more] = this.#run.products;
    if (refusal?.type !== "input.refused" || refusal.code !== code || more.length > 0) {
      const lines = this.#run.products.map((product) => `+ ${productLine(product, this.#run.names)}`);
      throw new SpecError(`Expected a refusal with ${code} and nothing else; there came:\n${lines.join("\n")}`);
    }
    this.#expectSameState();
    return new Given(this.#run);
  }

  #expectSameState(): void {
    const { seq } = this.#before;
    const [before, after] = [canonicalJson(this.#before), canonicalJson({ ...this.#run.state, seq })];
    if (before !== after) throw new SpecError(`The state has changed:\n- ${before}\n+ ${after}`);
  }
}

function takeInput(run: SpecRun, input: SpecInput): SpecRun {
  if (typeof input !== "function") return take(run, recordOf(run.state, input));
  let after = run;
  for (let next = input(run.state); next; next = input(after.state)) after = take(after, recordOf(after.state, next));
  return after;
}

function take(run: SpecRun, record: LogRecord): SpecRun {
  const result = step(run.state, record);
  return {
    state: result.state,
    records: [...run.records, record],
    products: [...run.products, ...result.facts, ...result.effects],
    names: namesAfter(run.names, record, result),
  };
}

/** The input in an envelope: an outcome with the id of the effect that it answers, at a time that is its place. */
function recordOf(state: State, input: BareInput): LogRecord {
  const seq = state.seq + 1;
  return { ...input, seq, at: seq, id: input.id ?? idOf(state, input) ?? `${seq}` } as LogRecord;
}

function idOf({ outstanding }: State, input: BareInput): string | undefined {
  if ("key" in input) return input.key;
  if (!isOutcome(input)) return undefined;
  const effect = answeredBy(input, outstanding);
  if (effect) return effect.id;
  const open = outstanding.map(({ id, type }) => `${type} (${id})`);
  throw new SpecError(`Nobody asked for ${input.type}. Asked for: ${open.join(", ") || "nothing"}.`);
}

/** Outcomes are in dot case, commands are not. */
function isOutcome(input: BareInput): input is Outcome & BareInput {
  return input.type.includes(".") && input.type !== "log.resumed";
}

/** An awaited `When` would be called as a promise, and a specification that checks nothing would pass. */
function refusePromiseCallbacks(expected: readonly unknown[]): void {
  if (typeof expected[0] !== "function") return;
  throw new SpecError("This specification ends in when(): say with then() what must follow.");
}
