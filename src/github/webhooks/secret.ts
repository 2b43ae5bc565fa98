import { createHmac, type Hmac, timingSafeEqual } from "node:crypto";
import { TollgateError } from "../../kernel/errors.ts";

const MIN_LENGTH = 20;

/**
 * Refuses a webhook secret that could be guessed: with it anyone could speak in GitHub's name. Throws `settings_invalid`,
 * without naming the secret.
 */
export function assertWebhookSecret(secret: string | undefined): asserts secret is string {
  const known = secret === undefined || secret.trim() === "" ? "is not set" : findWeakness(secret);
  if (known === null) return;
  throw new TollgateError("settings_invalid", `WEBHOOK_SECRET ${known}`, {
    hint: `Set WEBHOOK_SECRET to a random text of at least ${MIN_LENGTH} characters, the same as in the GitHub App's settings.`,
  });
}

function findWeakness(secret: string): string | null {
  if (secret === "development") return 'is "development", which everybody knows';
  if (secret.length < MIN_LENGTH) return `has fewer than ${MIN_LENGTH} characters`;
  return new Set(secret).size < 5 ? "repeats the same few characters" : null;
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/** The header value that GitHub sends with a text. */
export const signText = (secret: string, text: string): string =>
  `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;

/** Whether a header has the form of a signature at all: cheap enough to ask before reading a body. */
export const hasSignatureShape = (header: string | undefined): header is string =>
  header !== undefined && SIGNATURE.test(header);

/** Compares what is sent with the signature in its header, piece by piece, so that no part has to be stored. */
export class SignatureCheck {
  readonly #hmac: Hmac;
  readonly #stated: string | undefined;

  constructor(secret: string, header: string) {
    this.#hmac = createHmac("sha256", secret);
    this.#stated = SIGNATURE.exec(header)?.[1];
  }

  update(bytes: Uint8Array): this {
    this.#hmac.update(bytes);
    return this;
  }

  /** Whether exactly the bytes so far were signed with the secret; called once. Takes the same time whichever byte is wrong. */
  isValid(): boolean {
    const digest = this.#hmac.digest();
    return this.#stated !== undefined && timingSafeEqual(digest, Buffer.from(this.#stated, "hex"));
  }
}
