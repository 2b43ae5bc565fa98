import { createHash, randomUUID } from "node:crypto";
import type { FlagKeyRow } from "./store/keys.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Creates a key and its stored form. A key has 122 random bits, so that a fast hash is sufficient. */
export function makeKey(): { readonly secret: string } & Pick<
  FlagKeyRow,
  "record_id" | "secret_hash" | "last_four"
> {
  const secret = randomUUID();
  return { secret, record_id: randomUUID(), secret_hash: hashOfKey(secret), last_four: secret.slice(-4) };
}

/** Whether a text has the form of an environment's key; no token of the platform has it. */
export const isKeyShaped = (text: string): boolean => UUID.test(text);

export const hashOfKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/** Returns the masked form of a key: its shape and its last four characters. */
export const maskKey = (lastFour: string): string => `********-****-****-****-********${lastFour}`;
