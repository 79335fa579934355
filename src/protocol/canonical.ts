import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import canonicalizeModule from "canonicalize";

// The package is CommonJS and declares an ES default export: the types see a module where there is the function.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/** JSON with sorted keys and one spelling per value (RFC 8785): equal data, equal text. */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? "null";
}

/** SHA-256 of the canonical JSON, as 64 hex digits. */
export function digest(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))));
}
