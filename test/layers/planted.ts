interface Planted {
  readonly rule: string;
  readonly files: Readonly<Record<string, string>>;
  /** What must be said of these files, and nothing else. */
  readonly faults: readonly string[];
}

/** The packages that the imagined package.json declares. */
export const DECLARED = ["@earendil-works/pi-ai", "@noble/hashes", "commander", "typebox", "xstate"];

/** Small imagined repositories: each breach that the checker must see, and the neighbours that it must leave alone. */
export const PLANTED: readonly Planted[] = [
  {
    rule: "a layer imports only what is left of it",
    files: {
      "machines/a.ts": 'import type { A } from "../src/protocol/a.ts";',
      "src/protocol/b.ts": 'import type { A } from "../../machines/a.ts";',
      "src/engine/c.ts": 'type A = import("../log/codec.ts").A;',
      "src/pi/d.ts": 'import { step } from "../engine/step.ts";\nimport "../cli/main.ts";',
    },
    faults: [
      "src/protocol/b.ts: may not import machines/a.ts",
      "src/engine/c.ts: may not import src/log/codec.ts",
      "src/pi/d.ts: may not import src/cli/main.ts",
    ],
  },
  {
    rule: "replay cannot run an effect: it never sees the runtime",
    files: { "src/replay/a.ts": 'import type { Driver } from "../runtime/driver.ts";' },
    faults: ["src/replay/a.ts: may not import src/runtime/driver.ts"],
  },
  {
    rule: "monitor and invariants know only the protocol, the rest of check also the engine",
    files: {
      "src/check/monitor.ts": 'import { fold } from "../replay/replay.ts";',
      "src/check/invariants/queue.ts": 'import type { Fact } from "../../protocol/fact.ts";\nimport "../explorer.ts";',
      "src/check/explorer.ts": 'import { fold } from "../replay/replay.ts";',
    },
    faults: [
      "src/check/monitor.ts: may not import src/replay/replay.ts",
      "src/check/invariants/queue.ts: may not import src/check/explorer.ts",
    ],
  },
  {
    rule: "a new folder has no rights until it has a line in the table",
    files: {
      "src/misc/a.ts": 'import "./b.ts";',
      "src/misc.ts": "",
      "src/log/c.ts": 'import "../../test/support/d.ts";',
      "src/index.ts": 'export { e } from "./log/e.ts";',
    },
    faults: [
      "src/misc/a.ts: it is in no layer",
      "src/misc/a.ts: may not import src/misc/b.ts",
      "src/misc.ts: it is in no layer",
      "src/log/c.ts: may not import test/support/d.ts",
    ],
  },
  {
    rule: "only a public entry re-exports, by name, and only the command line imports it",
    files: {
      "src/pi/a.ts": 'export { b } from "./b.ts";',
      "src/pi/index.ts": 'export { b } from "./b.ts";\nexport * from "./c.ts";',
      "src/testing/d.ts": 'import { b } from "../pi/index.ts";',
      "src/cli/e.ts": 'import { b } from "../pi/index.ts";',
    },
    faults: [
      "src/pi/a.ts: only a public entry may export from src/pi/b.ts",
      "src/pi/index.ts: must name what it exports from src/pi/c.ts",
      "src/testing/d.ts: may not import the public entry src/pi/index.ts",
    ],
  },
  {
    rule: "files that load each other form no cycle; types may",
    files: {
      "src/log/a.ts": 'import { b } from "./b.ts";',
      "src/log/b.ts": 'import { type C } from "./c.ts";',
      "src/log/c.ts": 'import "./a.ts";',
      "src/log/d.ts": 'import type { E } from "./e.ts";\nimport "./a.ts";',
      "src/log/e.ts": 'import { d } from "./d.ts";',
    },
    faults: ["src/log/a.ts", "src/log/b.ts", "src/log/c.ts"].map((path) => `${path}: it is in a cycle of imports`),
  },
  {
    rule: "XState is known to reference.ts; machines take setup and assign from it",
    files: {
      "machines/a.ts": 'import { assign, setup } from "xstate";\nimport type { Snapshot } from "xstate";',
      "machines/b.ts": 'import { createActor } from "xstate";',
      "machines/c.ts": 'import * as xstate from "xstate";',
      "src/engine/reference.ts": 'import { createActor } from "xstate";',
      "src/engine/step.ts": 'import type { Snapshot } from "xstate";',
      "src/inspect/d.ts": 'import { createActor } from "xstate";',
    },
    faults: [
      "machines/b.ts: may not import values from xstate",
      "machines/c.ts: may not import values from xstate",
      "src/engine/step.ts: may not import types from xstate",
      "src/inspect/d.ts: may not import values from xstate",
    ],
  },
  {
    rule: "the core imports no package but for the digest",
    files: {
      "src/protocol/canonical.ts": 'import { sha256 } from "@noble/hashes/sha2.js";',
      "src/protocol/a.ts": 'import { sha256 } from "@noble/hashes/sha2.js";',
      "src/engine/b.ts": 'import { Type } from "typebox";',
      "src/log/c.ts": 'import { Type } from "typebox";',
    },
    faults: [
      "src/protocol/a.ts: may not import values from @noble/hashes/sha2.js",
      "src/engine/b.ts: may not import values from typebox",
    ],
  },
  {
    rule: "Node's modules are for the command line and file stores",
    files: {
      "src/cli/a.ts": 'import { join } from "node:path";',
      "src/log/file-store.ts": 'import { open } from "node:fs/promises";',
      "src/log/memory-store.ts": 'import { open } from "node:fs/promises";',
      "src/pi/b.ts": 'const fs = await import("node:fs");',
    },
    faults: [
      "src/log/memory-store.ts: may not import values from node:fs/promises",
      "src/pi/b.ts: may not import values from node:fs",
    ],
  },
  {
    rule: "Pi's packages give types; only the demo loads one, when it is asked to",
    files: {
      "src/pi/a.ts": 'import type { Model } from "@earendil-works/pi-ai";',
      "src/pi/b.ts": 'import { type Model } from "@earendil-works/pi-ai";',
      "src/engine/c.ts": 'import type { Model } from "@earendil-works/pi-ai";',
      "src/cli/demo/d.ts": 'const models = () => import("@earendil-works/pi-ai/providers/all");',
      "src/cli/demo/e.ts": 'import { models } from "@earendil-works/pi-ai/providers/all";',
    },
    faults: [
      "src/pi/b.ts: may not import values from @earendil-works/pi-ai",
      "src/engine/c.ts: may not import types from @earendil-works/pi-ai",
      "src/cli/demo/e.ts: may not import values from @earendil-works/pi-ai/providers/all",
    ],
  },
  {
    rule: "a package is declared",
    files: { "src/replay/a.ts": 'import { produce } from "immer";', "test/b.test.ts": 'import { it } from "vitest";' },
    faults: ["src/replay/a.ts: immer is not declared in package.json"],
  },
  {
    rule: "the oracle stands on nothing that it judges",
    files: {
      "test/model/a.ts": 'import type { State } from "../../src/engine/state.ts";',
      "test/model/b.ts":
        'import { c } from "../support/c.ts";\nimport type { Fact } from "../../src/protocol/fact.ts";',
      "test/support/c.ts": 'import { traceMachine } from "../../machines/trace.ts";',
      "test/model/d.test.ts": 'import { step } from "../../src/engine/step.ts";',
    },
    faults: [
      "test/model/a.ts: an oracle may not depend on src/engine/state.ts",
      "test/model/b.ts: an oracle may not depend on machines/trace.ts",
    ],
  },
  {
    rule: "names are kebab-case, files have at most 300 lines",
    files: {
      "src/log/inputLog.ts": "",
      "test/layers/Rules.test.ts": "",
      "test/log-2.test.ts": "//\n".repeat(300),
      "machines/long.ts": "//\n".repeat(301),
    },
    faults: [
      "src/log/inputLog.ts: its name is not kebab-case",
      "test/layers/Rules.test.ts: its name is not kebab-case",
      "machines/long.ts: it has 301 lines, more than 300",
    ],
  },
];
