import { createHash } from "node:crypto";

/** A short fingerprint of anything that is JSON, or of a text: 32 hex characters. */
export const digestOf = (value: unknown): string =>
  createHash("sha256")
    .update(typeof value === "string" ? value : JSON.stringify(value))
    .digest("hex")
    .slice(0, 32);
