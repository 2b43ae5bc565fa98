import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { createTargetGuard, type Resolve, resolveBySystem, type TargetGuard } from "./target-guard.ts";

export interface WebhookSettings {
  /** Word in the names of the delivery headers: `X-<Identity>-Signature`; null: the one of the answer's dialect. */
  readonly identity: string | null;
  /** Version after the identity in `User-Agent`. */
  readonly version: string;
  readonly guard: TargetGuard;
  readonly resolve: Resolve;
  /** Null: there is no `TOLLGATE_KEY`, so secrets are not stored. */
  readonly box: SecretBox | null;
  /** Values of the secrets that webhooks of registries refer to. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
}

/** The defaults: public addresses only, no stored secrets, and the platform's own limit of 10 s. */
export const STRICT_WEBHOOKS: WebhookSettings = {
  identity: null,
  version: "1",
  guard: createTargetGuard([]),
  resolve: resolveBySystem,
  box: null,
  secrets: new Map(),
  timeoutMs: 10_000,
};

/** Encrypts secrets that must be read back later, and binds them to their account. */
export interface SecretBox {
  seal(account: string, plain: string): string;
  /** Returns the decrypted text. Null: encrypted for another account or with another key, or damaged. */
  open(account: string, sealed: string): string | null;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "v1";

/** Creates a box with AES-256-GCM and a key derived from the operator's `TOLLGATE_KEY`, which must not be guessable. */
export function createSecretBox(operatorKey: string): SecretBox {
  const key = Buffer.from(hkdfSync("sha256", operatorKey, "", "tollgate webhook secrets v1", 32));
  return {
    seal: (account, plain) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(account));
      const sealed = Buffer.concat([
        nonce,
        cipher.update(plain, "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${VERSION}.${sealed.toString("base64url")}`;
    },
    open: (account, text) => {
      const [version, rest = ""] = text.split(".", 2);
      const sealed = Buffer.from(rest, "base64url");
      if (version !== VERSION || sealed.length < NONCE_BYTES + TAG_BYTES) return null;
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(account)).setAuthTag(sealed.subarray(-TAG_BYTES));
      try {
        const plain = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([plain, decipher.final()]).toString("utf8");
      } catch {
        return null; // GCM's only way to say that tag and text do not agree
      }
    },
  };
}
