import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { build } from "vite";
import { describe, expect, it } from "vitest";
import { machinesFingerprint } from "../../src/engine/fingerprint.ts";
import { stepDigest } from "../../src/engine/step-digest.ts";
import { decodeLog, encodeRecord } from "../../src/log/codec.ts";
import { fold, replay } from "../../src/replay/replay.ts";
import { logText } from "../support/log-text.ts";
import { programArb, runProgram } from "../support/programs.ts";
import { runs } from "../support/runs.ts";

const anyProgram = programArb(["strict", "pi-1.6"], ["own", "own", "host"]);

describe("law 3: same log, same everything", () => {
  test.prop([anyProgram], { numRuns: runs(60) })("folding any prefix gives the live state at that point", (program) => {
    const steps = runProgram(program);
    for (const [n, { state }] of steps.entries()) {
      const prefix = steps.slice(0, n + 1);
      expect(fold(prefix.map(({ record }) => record)), logText(prefix)).toStrictEqual(state);
    }
  });

  test.prop([anyProgram], { numRuns: runs(200) })(
    "replaying gives the facts, effects, states and digests of the live run, record by record",
    (program) => {
      const steps = runProgram(program);
      const live = steps.map(({ record, state, facts, effects }) => ({
        record: { ...record, digest: stepDigest({ state, facts, effects }) },
        state,
        facts,
        effects,
      }));
      expect([...replay(live.map(({ record }) => record))], logText(steps)).toStrictEqual(live);
    },
  );

  test.prop([anyProgram], { numRuns: runs(100) })(
    "a log that was written down and read again folds to the same",
    (program) => {
      const steps = runProgram(program);
      const text = steps.map(({ record }) => encodeRecord(record)).join("\n");
      const { state } = steps.at(-1) ?? {};
      expect(fold(decodeLog(text, "a.jsonl")), logText(steps)).toStrictEqual(state);
    },
  );

  it("another process gives the same digests for the same logs", async () => {
    const programs = fc.sample(anyProgram, { numRuns: runs(50), seed: 1 }).map((program) => runProgram(program));
    const logs = programs.map((steps) => steps.map(({ record }) => record));
    const digests = programs.map((steps) => steps.map(stepDigest));
    expect(await foldElsewhere(logs)).toStrictEqual({ machines: machinesFingerprint(), digests });
  });
});

/** Folds logs in a process of its own, by a program that is bundled from the sources as they are now. */
async function foldElsewhere(logs: unknown): Promise<unknown> {
  const folder = mkdtempSync(`${tmpdir()}/turnwright-fold-`);
  try {
    await build({
      configFile: false,
      logLevel: "error",
      root: fileURLToPath(new URL("../..", import.meta.url)),
      ssr: { noExternal: true },
      build: { ssr: "test/property/fold-log.ts", outDir: folder, emptyOutDir: false },
    });
    const { stdout, stderr } = spawnSync(process.execPath, [`${folder}/fold-log.js`], {
      input: JSON.stringify(logs),
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
