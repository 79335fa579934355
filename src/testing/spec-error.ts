/** A specification on a log does not hold; the message shows what was expected and what came. */
export class SpecError extends Error {
  override readonly name = "SpecError";
}
