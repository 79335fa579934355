/** How far a host wants Pi's exact behaviour: with its holes (`pi-1.6`) or without them (`strict`). */
export type Profile = "pi-1.6" | "strict";

/**
 * What differs between hosts, as data. It stands in the first record of every log.
 * Each value that is not Pi's own has a line in `docs/deviations.md`.
 */
export interface Policy {
  readonly profile: Profile;
  /** `next-request`: an abort is seen by the next model request (spec L16). `boundary`: at every boundary, and it consumes nothing. */
  readonly onAbort: "next-request" | "boundary";
  /** `limbo`: a drained message has left its queue before it is delivered (spec L10). `reserved`: it stays in the queue until then. */
  readonly drained: "limbo" | "reserved";
  /** `suffix`: Pi's failure suffix (spec E11). `turn`: a failure ends the Trace within the grammar. `reject`: the caller gets the exception (spec L15). */
  readonly onFailure: "suffix" | "turn" | "reject";
  /** Whether a Turn 1 that continues with follow-ups may add steering to them (spec L5). */
  readonly continuedFollowUps: "with-steering" | "alone";
  /** `own`: the engine holds the queues. `host`: polls are effects, and the host answers them (raw loops). */
  readonly queues: "own" | "host";
}

/** The flags of a profile. */
export const PROFILES: Readonly<Record<Profile, Policy>> = {
  "pi-1.6": {
    profile: "pi-1.6",
    onAbort: "next-request",
    drained: "limbo",
    onFailure: "suffix",
    continuedFollowUps: "with-steering",
    queues: "own",
  },
  strict: {
    profile: "strict",
    onAbort: "boundary",
    drained: "reserved",
    onFailure: "turn",
    continuedFollowUps: "alone",
    queues: "own",
  },
};

/** What each flag may be. `queues: "host"` and `onFailure: "reject"` are for the loop functions, which have no Agent. */
export const POLICY_VALUES = {
  onAbort: ["next-request", "boundary"],
  drained: ["limbo", "reserved"],
  onFailure: ["suffix", "turn"],
  continuedFollowUps: ["with-steering", "alone"],
} as const satisfies Partial<{ [K in keyof Policy]: readonly Policy[K][] }>;

/** The flags that an agent's options may change. */
export type PolicyFlags = { readonly [K in keyof typeof POLICY_VALUES]?: (typeof POLICY_VALUES)[K][number] };

/** The policy of a profile, with single flags changed. */
export function policyOf(profile: Profile, flags: Partial<Omit<Policy, "profile">> = {}): Policy {
  return { ...PROFILES[profile], ...flags };
}
