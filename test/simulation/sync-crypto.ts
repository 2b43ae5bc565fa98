import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createSecretKey,
  createSign,
  KeyObject,
  webcrypto,
} from "node:crypto";

/**
 * Signs and seals in the same turn of the event loop: Web Crypto answers from another thread at a time that no seed decides. The
 * signatures of the App's tokens and the seals of cookies stay real. Call the answer to bring Web Crypto back.
 */
export function installSyncCrypto(): () => void {
  const prototype: Record<"importKey" | "sign" | "encrypt" | "decrypt", unknown> = Object.getPrototypeOf(
    webcrypto.subtle,
  );
  const { importKey, sign, encrypt, decrypt } = prototype;
  prototype.importKey = async (format: string, bytes: ArrayBuffer, ...[algorithm, , usages]: KeyRest) =>
    format === "pkcs8"
      ? readPrivateKey(Buffer.from(bytes))
      : createSecretKey(Buffer.from(bytes)).toCryptoKey(algorithm, true, usages);
  prototype.sign = async (_algorithm: string, key: KeyObject, message: ArrayBuffer) =>
    signOnce(key, Buffer.from(message));
  prototype.encrypt = async ({ iv, additionalData }: AesGcm, key: CryptoKey, text: Uint8Array) => {
    const cipher = createCipheriv("aes-256-gcm", KeyObject.from(key), iv).setAAD(additionalData);
    return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  };
  prototype.decrypt = async ({ iv, additionalData }: AesGcm, key: CryptoKey, sealed: Uint8Array) => {
    const decipher = createDecipheriv("aes-256-gcm", KeyObject.from(key), iv).setAAD(additionalData);
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  };
  return () => {
    Object.assign(prototype, { importKey, sign, encrypt, decrypt });
  };
}

const TAG_BYTES = 16;

type CryptoKey = webcrypto.CryptoKey;
/** Algorithm, whether the key may be exported, usages. */
type KeyRest = Parameters<KeyObject["toCryptoKey"]>;

interface AesGcm {
  readonly iv: Uint8Array;
  readonly additionalData: Uint8Array;
}

const keys = new Map<string, KeyObject>();
/** Each key is read once: it is the same in all stories. */
function readPrivateKey(der: Buffer): KeyObject {
  const known = keys.get(der.toString("base64"));
  if (known !== undefined) return known;
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  keys.set(der.toString("base64"), key);
  return key;
}

const signatures = new WeakMap<KeyObject, Map<string, Buffer>>();
/** Stories have the same key and begin at the same time: they sign the same. */
function signOnce(key: KeyObject, message: Buffer): Buffer {
  const known = signatures.get(key) ?? new Map<string, Buffer>();
  signatures.set(key, known);
  const text = message.toString("base64");
  const signature = known.get(text) ?? createSign("RSA-SHA256").update(message).sign(key);
  known.set(text, signature);
  return signature;
}
