import { expect, test } from "vitest";
import { machinesFingerprint } from "../../src/engine/fingerprint.ts";
import { open } from "../../src/engine/state.ts";
import { step } from "../../src/engine/step.ts";
import { stepDigest } from "../../src/engine/step-digest.ts";
import type { LogRecord } from "../../src/protocol/log-record.ts";
import { policyOf } from "../../src/protocol/policy.ts";
import { requireSameMachines } from "../../src/replay/same-machines.ts";

const opened = (machines: string): LogRecord => ({
  seq: 0,
  id: "0",
  at: 0,
  type: "log.opened",
  format: 1,
  machines,
  policy: policyOf("strict"),
  steeringMode: "all",
  followUpMode: "all",
  messages: [],
});
const ABORT: LogRecord = { seq: 1, id: "1", at: 0, type: "abort" };

test("a log of these machines is taken", () => {
  expect(() => requireSameMachines([opened(machinesFingerprint()), ABORT])).not.toThrow();
});

test("a log of other machines is refused when its records prove nothing", () => {
  expect(() => requireSameMachines([opened("others"), ABORT])).toThrowError(
    expect.objectContaining({
      code: "machine-mismatch",
      details: { recorded: "others", here: machinesFingerprint(), seq: 1 },
    }),
  );
});

test("a log of other machines is taken when every record carries digests to compare", () => {
  const digest = stepDigest(step(open(opened("others")), ABORT));
  expect(() => requireSameMachines([opened("others"), { ...ABORT, digest }])).not.toThrow();
});

test("the fingerprint does not depend on the process", () => {
  expect(machinesFingerprint()).toMatch(/^[0-9a-f]{64}$/);
  expect(machinesFingerprint()).toBe(machinesFingerprint());
});
