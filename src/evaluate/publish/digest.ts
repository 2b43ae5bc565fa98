import { createHash } from "node:crypto";

/**
 * Digest of a JSON value or a text: 32 hex characters. The order of an object's keys does not count, because a database may
 * return them in another order.
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
