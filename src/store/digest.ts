import { createHash } from "node:crypto";
import { canonicalJson } from "../kernel/canonical-json.ts";

/** Digest of a JSON value or a text: 32 hex characters. The order of an object's keys does not count. */
export const computeDigest = (value: unknown): string =>
  createHash("sha256")
    .update(typeof value === "string" ? value : canonicalJson(value))
    .digest("hex")
    .slice(0, 32);
