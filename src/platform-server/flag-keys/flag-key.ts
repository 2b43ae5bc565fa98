import { createHash, randomUUID } from "node:crypto";
import type { FlagKeyRow } from "./store/keys.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A new key with what is kept of it. It holds 122 random bits, which nobody can guess, so a fast hash protects it. */
export function makeKey(): { readonly secret: string } & Pick<
  FlagKeyRow,
  "record_id" | "secret_hash" | "last_four"
> {
  const secret = randomUUID();
  return { secret, record_id: randomUUID(), secret_hash: hashOfKey(secret), last_four: secret.slice(-4) };
}

/** Whether a text looks like a key of an environment: no token of the platform does. */
export const isKeyShaped = (text: string): boolean => UUID.test(text);

export const hashOfKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/** The key as it is shown once it has been shown: its shape and its last four characters. */
export const maskKey = (lastFour: string): string => `********-****-****-****-********${lastFour}`;
