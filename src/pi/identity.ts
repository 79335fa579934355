import type { ClientIdentity } from "@earendil-works/pi-ai";

/** How requests name the calling app to providers where the host says nothing else: pi's attribution, as Pi's loops do. */
export const DEFAULT_AGENT_IDENTITY: ClientIdentity = {
  attribution: { name: "pi", url: "https://pi.dev", categories: ["cli-agent"] },
};

/** Identities as one, field by field: a later one wins, and a field that is undefined says nothing. */
export function mergeClientIdentity(...identities: (ClientIdentity | undefined)[]): ClientIdentity | undefined {
  let merged: ClientIdentity | undefined;
  for (const identity of identities) {
    if (!identity) continue;
    const { userAgent, attribution, version } = identity;
    merged = {
      ...merged,
      ...(userAgent === undefined ? {} : { userAgent }),
      ...(attribution === undefined ? {} : { attribution }),
      ...(version === undefined ? {} : { version }),
    };
  }
  return merged;
}
