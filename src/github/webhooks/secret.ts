import { createHmac, timingSafeEqual } from "node:crypto";
import { TollgateError } from "../../kernel/errors.ts";

const MIN_LENGTH = 20;

/**
 * Refuses a webhook secret that could be guessed: with it anyone could speak in GitHub's name. Throws `settings_invalid`,
 * without naming the secret.
 */
export function assertWebhookSecret(secret: string | undefined): asserts secret is string {
  const known = secret === undefined || secret.trim() === "" ? "is not set" : weakness(secret);
  if (known === null) return;
  throw new TollgateError("settings_invalid", `WEBHOOK_SECRET ${known}`, {
    hint: `Set WEBHOOK_SECRET to a random text of at least ${MIN_LENGTH} characters, the same as in the GitHub App's settings.`,
  });
}

function weakness(secret: string): string | null {
  if (secret === "development") return 'is "development", which everybody knows';
  if (secret.length < MIN_LENGTH) return `has fewer than ${MIN_LENGTH} characters`;
  return new Set(secret).size < 5 ? "repeats the same few characters" : null;
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/** Whether a header has the form of a signature at all: cheap enough to ask before reading a body. */
export const looksSigned = (header: string | undefined): header is string =>
  header !== undefined && SIGNATURE.test(header);

/** Whether these very bytes were signed with the secret. Takes as long whichever byte is wrong. */
export function isSignedBy(secret: string, body: Uint8Array, header: string): boolean {
  const stated = SIGNATURE.exec(header)?.[1];
  if (stated === undefined) return false;
  return timingSafeEqual(createHmac("sha256", secret).update(body).digest(), Buffer.from(stated, "hex"));
}
