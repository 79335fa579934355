import { readFileSync } from "node:fs";
import { machinesFingerprint } from "../../src/engine/fingerprint.ts";
import { stepDigest } from "../../src/engine/step-digest.ts";
import type { LogRecord } from "../../src/protocol/log-record.ts";
import { replay } from "../../src/replay/replay.ts";

/** A process of its own: reads logs as JSON, prints the fingerprint and the digests of every record of every log. */
const logs = JSON.parse(readFileSync(0, "utf8")) as readonly (readonly LogRecord[])[];
const digests = logs.map((log) => Array.from(replay(log), stepDigest));
process.stdout.write(JSON.stringify({ machines: machinesFingerprint(), digests }));
