import { generateKeyPair, randomBytes, randomUUID } from "node:crypto";
import { promisify } from "node:util";

/** PEM texts. */
export interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** The sandbox's source of random values. */
export interface Random {
  uuid(): string;
  /** `length` letters and digits. */
  text(length: number): string;
  /** An RSA key pair of at least 2048 bits. */
  keyPair(): Promise<KeyPair>;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The system's random source; for the demo, and for tests that compare no ids. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  text: (length) => Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join(""),
  keyPair: () =>
    promisify(generateKeyPair)("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
    }),
};
