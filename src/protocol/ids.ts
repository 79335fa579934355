/** `t3`: the third Trace of a log. */
export function traceId(trace: number): string {
  return `t${trace}`;
}

/** `12.0`: the first message that record 12 brought. */
export function messageId(seq: number, n: number): string {
  return `${seq}.${n}`;
}

/** `t3/n2/finishTurn#1`: an effect by its place, its work and its attempt. */
export function effectId(trace: number, turn: number, work: string, attempt = 1): string {
  return `t${trace}/n${turn}/${work}#${attempt}`;
}
