import { formatPath, type JsonPath } from "./json-path.ts";

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const DEEPEST = 200;

/** Text that is not JSON, or JSON in which a field stands twice. */
export class JsonTextError extends Error {
  override readonly name = "JsonTextError";
  readonly path: JsonPath;
  /** Line from 1. */
  readonly line: number;
  /** Column from 1. */
  readonly column: number;

  constructor(reason: string, path: JsonPath, line: number, column: number) {
    super(reason);
    this.path = path;
    this.line = line;
    this.column = column;
  }
}

/**
 * JSON text read once, with the line of every value. Unlike `JSON.parse` it refuses a field that stands twice and says
 * where the text is wrong.
 */
export class LocatedJson {
  readonly value: unknown;
  readonly #text: string;
  readonly #starts = new Map<string, number>();
  #at = 0;

  /** @throws JsonTextError with path, line and column. */
  constructor(text: string) {
    this.#text = text;
    this.value = this.#read([]);
    this.#skip(SPACE);
    if (this.#at < text.length) this.#fail("the value has ended, but the text has not", []);
  }

  /** The line, from 1, of the value at a path, or of the nearest value around it. */
  lineOf(path: JsonPath): number {
    for (let length = path.length; length > 0; length--) {
      const start = this.#starts.get(formatPath(path.slice(0, length)));
      if (start !== undefined) return this.#position(start).line;
    }
    return this.#position(this.#starts.get("$") ?? 0).line;
  }

  #read(path: JsonPath): unknown {
    this.#skip(SPACE);
    this.#starts.set(formatPath(path), this.#at);
    if (path.length > DEEPEST) this.#fail(`more than ${DEEPEST} levels deep`, path);
    switch (this.#text[this.#at]) {
      case "{":
        return this.#readObject(path);
      case "[":
        return this.#readArray(path);
      case '"':
        return this.#readString(path);
      default:
        return JSON.parse(this.#take(WORD) ?? this.#take(NUMBER) ?? this.#fail("not a JSON value", path));
    }
  }

  #readObject(path: JsonPath): Record<string, unknown> {
    const fields = new Map<string, unknown>();
    this.#readItems("}", path, () => {
      const nameAt = this.#at;
      const name = this.#readString(path);
      if (fields.has(name)) this.#fail("this field stands twice", [...path, name], nameAt);
      this.#skip(SPACE);
      if (!this.#takeMark(":")) this.#fail('":" is missing after the field name', path);
      fields.set(name, this.#read([...path, name]));
    });
    return Object.fromEntries(fields);
  }

  #readArray(path: JsonPath): unknown[] {
    const items: unknown[] = [];
    this.#readItems("]", path, () => {
      items.push(this.#read([...path, items.length]));
    });
    return items;
  }

  #readItems(end: "}" | "]", path: JsonPath, readItem: () => void): void {
    this.#at += 1;
    this.#skip(SPACE);
    if (this.#takeMark(end)) return;
    do {
      this.#skip(SPACE);
      readItem();
      this.#skip(SPACE);
    } while (this.#takeMark(","));
    if (!this.#takeMark(end)) this.#fail(`"," or "${end}" is missing`, path);
  }

  #readString(path: JsonPath): string {
    return JSON.parse(this.#take(STRING) ?? this.#fail("not a string in double quotes", path));
  }

  #skip(pattern: RegExp): void {
    this.#take(pattern);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.#text)?.[0];
    this.#at += token?.length ?? 0;
    return token;
  }

  #takeMark(mark: string): boolean {
    const found = this.#text[this.#at] === mark;
    if (found) this.#at += 1;
    return found;
  }

  #fail(reason: string, path: JsonPath, at = this.#at): never {
    const { line, column } = this.#position(at);
    throw new JsonTextError(at >= this.#text.length ? "the text ends too early" : reason, path, line, column);
  }

  #position(at: number): { line: number; column: number } {
    const before = this.#text.slice(0, at).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}
