import { hkdfSync } from "node:crypto";
import { CompactEncrypt, compactDecrypt, errors } from "jose";

/** Encrypts values that a browser or the database keeps, so that nobody else can read, make or change one. */
export interface Seal {
  seal(value: object): Promise<string>;
  /** Returns the value; null: it was sealed for another purpose or with another key, or is damaged. */
  open(sealed: string): Promise<unknown>;
}

const KEY_BYTES = 32;
const ALGORITHM = { alg: "dir", enc: "A256GCM" } as const;
const ACCEPTED = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] };

/** Returns a seal with a key of its own, derived from a secret that cannot be guessed. */
export function createSeal(secret: string, purpose: string): Seal {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", `tollgate ${purpose} v1`, KEY_BYTES));
  return {
    seal: (value) =>
      new CompactEncrypt(Buffer.from(JSON.stringify(value))).setProtectedHeader(ALGORITHM).encrypt(key),
    open: async (sealed) => {
      try {
        const { plaintext } = await compactDecrypt(sealed, key, ACCEPTED);
        return JSON.parse(Buffer.from(plaintext).toString("utf8"));
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
