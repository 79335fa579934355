/** Every bound of the library in one place. */
export const LIMITS = {
  /** Attempts at one model request over crashes and resumes. */
  modelAttempts: 3,
  /** Milliseconds that a stream may take to give its final message after it has ended. */
  finalMessageMs: 1_000,
} as const;
