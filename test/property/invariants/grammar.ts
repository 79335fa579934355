/** One symbol of the Trace grammar (2.3), whether it was a fact or an event. */
export type Token =
  | { readonly kind: "trace<" | "turn<" | "injected" | "message<" | "update" | "turn>" | "trace>" }
  | { readonly kind: "message>"; readonly batch: Batch }
  | { readonly kind: "call<" | "progress" | "call>" | "result"; readonly call: string }
  /** What the grammar has no place for, in words. */
  | { readonly kind: "stray"; readonly what: string };

/** What a whole assistant message calls for. */
export interface Batch {
  /** E5: the turn and the Trace end with it. */
  readonly failed: boolean;
  /** Call ids in source order; ids may repeat. */
  readonly calls: readonly string[];
  readonly mode: "sequential" | "parallel" | "truncated";
}

class Unexpected extends Error {}
class EndOfTokens extends Error {}

/**
 * Reads tokens as `{ Trace }`. The last Trace may be cut off anywhere.
 *
 * @returns what is wrong, or undefined.
 */
export function grammarFault(tokens: readonly Token[]): string | undefined {
  const reader = new Reader(tokens);
  try {
    while (reader.peek()) trace(reader);
    return undefined;
  } catch (error) {
    if (error instanceof EndOfTokens) return undefined;
    if (error instanceof Unexpected) return error.message;
    throw error;
  }
}

function trace(reader: Reader): void {
  reader.take("trace<");
  while (reader.next().kind === "turn<") {
    if (turn(reader)) break;
  }
  reader.take("trace>");
}

/** True: the assistant message failed, so no other turn may follow. */
function turn(reader: Reader): boolean {
  reader.take("turn<");
  while (reader.next().kind === "injected") reader.take("injected");
  reader.take("message<");
  while (reader.next().kind === "update") reader.take("update");
  const { batch } = reader.take("message>");
  if (!batch.failed && batch.mode === "parallel") parallelBatch(reader, batch.calls);
  if (!batch.failed && batch.mode !== "parallel") sequentialBatch(reader, batch);
  reader.take("turn>");
  return batch.failed;
}

function sequentialBatch(reader: Reader, { calls, mode }: Batch): void {
  for (const call of calls) {
    reader.takeCall("call<", call);
    while (mode === "sequential" && reader.next().kind === "progress") reader.takeCall("progress", call);
    reader.takeCall("call>", call);
    reader.takeCall("result", call);
  }
}

function parallelBatch(reader: Reader, calls: readonly string[]): void {
  const running: string[] = [];
  for (const call of calls) {
    reader.takeCall("call<", call);
    const next = reader.next();
    if (next.kind === "call>" && next.call === call) reader.takeCall("call>", call);
    else running.push(call);
  }
  while (running.length > 0) {
    const next = reader.next();
    const at = "call" in next ? running.indexOf(next.call) : -1;
    if (next.kind === "progress" && at >= 0) reader.take("progress");
    else if (next.kind === "call>" && at >= 0) {
      reader.take("call>");
      running.splice(at, 1);
    } else throw reader.unexpected(`an end of ${running.join(" or ")}`);
  }
  for (const call of calls) reader.takeCall("result", call);
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  next(): Token {
    const token = this.peek();
    if (!token) throw new EndOfTokens();
    return token;
  }

  take<K extends Token["kind"]>(kind: K): Extract<Token, { readonly kind: K }> {
    const token = this.next();
    if (token.kind !== kind) throw this.unexpected(kind);
    this.#at += 1;
    return token as Extract<Token, { readonly kind: K }>;
  }

  takeCall(kind: "call<" | "progress" | "call>" | "result", call: string): void {
    const token = this.next();
    if (token.kind !== kind || token.call !== call) throw this.unexpected(`${kind} ${call}`);
    this.#at += 1;
  }

  unexpected(wanted: string): Unexpected {
    return new Unexpected(`token ${this.#at}: ${JSON.stringify(this.peek())} where there should be ${wanted}`);
  }
}
