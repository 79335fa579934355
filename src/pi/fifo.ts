interface Node<T> {
  readonly value: T;
  next?: Node<T>;
}

/** First in, first out, at the same cost however much is waiting. */
export class Fifo<T> {
  #first: Node<T> | undefined;
  #last: Node<T> | undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  add(value: T): void {
    const node: Node<T> = { value };
    if (this.#last) this.#last.next = node;
    else this.#first = node;
    this.#last = node;
  }

  /** The oldest, which is removed; undefined when there is none. */
  take(): T | undefined {
    const node = this.#first;
    this.#first = node?.next;
    if (!this.#first) this.#last = undefined;
    return node?.value;
  }
}
