import { createHash } from "node:crypto";

/**
 * A short fingerprint of anything that is JSON, or of a text: 32 hex characters. The order of an object's keys does not count,
 * because a database returns them in another order than they were stored in.
 */
export const digestOf = (value: unknown): string =>
  createHash("sha256")
    .update(typeof value === "string" ? value : JSON.stringify(value, sortKeys))
    .digest("hex")
    .slice(0, 32);

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
