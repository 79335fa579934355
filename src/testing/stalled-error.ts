/** `stalled`: nothing is left that could go on. `unsettled`: the program goes on for ever. */
export type StalledCode = "stalled" | "unsettled";

const TEXTS: Readonly<Record<StalledCode, string>> = {
  stalled: "The run waits for something that nothing will bring.",
  unsettled: "The run does not come to rest.",
};

/** A program on virtual time did not come to rest. */
export class StalledError extends Error {
  override readonly name = "StalledError";
  readonly code: StalledCode;
  /** The tick at which the clock stood. */
  readonly tick: number;
  readonly fix = "Look at the last event: what was it that the agent waited for after it?";

  constructor(code: StalledCode, tick: number) {
    super(TEXTS[code]);
    this.code = code;
    this.tick = tick;
  }
}
