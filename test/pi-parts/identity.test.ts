import { DEFAULT_AGENT_IDENTITY as PI_DEFAULT } from "@earendil-works/pi-agent-core";
import { type ClientIdentity, mergeClientIdentity as mergeInPi } from "@earendil-works/pi-ai";
import { test } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_AGENT_IDENTITY, mergeClientIdentity } from "../../src/pi/identity.ts";

const identity = fc.record(
  {
    userAgent: fc.constantFrom<unknown>(undefined, "short", "detailed", { custom: "x" }),
    attribution: fc.constantFrom<unknown>(undefined, null, { name: "n", url: "u" }),
    version: fc.constantFrom(undefined, "1.0"),
    unknown: fc.constant(1),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ClientIdentity>;

describe("request identity", () => {
  it("is by default Pi's", () => {
    expect(DEFAULT_AGENT_IDENTITY).toStrictEqual(PI_DEFAULT);
  });

  test.prop([fc.array(fc.option(identity, { nil: undefined }), { maxLength: 4 })])(
    "is merged as in Pi",
    (identities) => {
      expect(mergeClientIdentity(...identities)).toStrictEqual(mergeInPi(...identities));
    },
  );
});
