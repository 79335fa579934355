import { machinesFingerprint } from "../engine/fingerprint.ts";
import { LifecycleError } from "../protocol/errors.ts";
import type { LogRecord } from "../protocol/log-record.ts";

/**
 * Refuses a log of other machines, unless every record carries digests: then the replay itself shows whether these
 * machines do the same.
 *
 * @throws LifecycleError `machine-mismatch` with both fingerprints and the first record without digests.
 */
export function requireSameMachines(records: readonly LogRecord[]): void {
  const [first] = records;
  if (first?.type !== "log.opened" || first.machines === machinesFingerprint()) return;
  const unproven = records.find((record) => record.seq > 0 && !record.digest);
  if (!unproven) return;
  throw new LifecycleError("machine-mismatch", {
    recorded: first.machines,
    here: machinesFingerprint(),
    seq: unproven.seq,
  });
}
