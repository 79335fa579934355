/** `t3`: the third Trace of a log. */
export function traceId(trace: number): string {
  return `t${trace}`;
}

/** `12.0`: the first message that record 12 brought. */
export function messageId(seq: number, n: number): string {
  return `${seq}.${n}`;
}

/** `t3/n2/`: the place of a Turn, with which the ids of its effects begin. */
export function turnPlace(trace: number, turn: number): string {
  return `t${trace}/n${turn}/`;
}

/** `t3/n2/finishTurn#1`: the first attempt at an effect by its place and its work. */
export function effectId(place: string, work: `${string}#1`): string {
  return place + work;
}
