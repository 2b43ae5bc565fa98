import { createHmac, type Hmac, timingSafeEqual } from "node:crypto";
import { TollgateError } from "../../kernel/errors.ts";
import { findSecretWeakness, WEBHOOK_SECRET_RULE } from "../../kernel/webhook-secret.ts";

/**
 * Refuses a webhook secret that could be guessed: with it anyone could speak in GitHub's name. Throws `settings_invalid`,
 * without naming the secret.
 */
export function assertWebhookSecret(secret: string | undefined): asserts secret is string {
  const weakness = findSecretWeakness(secret);
  if (weakness === null) return;
  throw new TollgateError("settings_invalid", `WEBHOOK_SECRET ${weakness}`, {
    hint: `Set WEBHOOK_SECRET to ${WEBHOOK_SECRET_RULE}.`,
  });
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
