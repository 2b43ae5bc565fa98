import { createPrivateKey, createSign, type KeyObject, webcrypto } from "node:crypto";

/**
 * Signs in the same turn of the event loop: Web Crypto answers from another thread at a time that no seed decides. The signatures
 * of the App's tokens stay real. Call the answer to bring Web Crypto back.
 */
export function installSyncCrypto(): () => void {
  const prototype: Record<"importKey" | "sign", unknown> = Object.getPrototypeOf(webcrypto.subtle);
  const real = { importKey: prototype.importKey, sign: prototype.sign };
  prototype.importKey = async (_format: string, der: ArrayBuffer) => importKey(Buffer.from(der));
  prototype.sign = async (_algorithm: string, key: KeyObject, message: ArrayBuffer) =>
    sign(key, Buffer.from(message));
  return () => {
    Object.assign(prototype, real);
  };
}

const keys = new Map<string, KeyObject>();
/** Each key is read once: it is the same in all stories. */
function importKey(der: Buffer): KeyObject {
  const known = keys.get(der.toString("base64"));
  if (known !== undefined) return known;
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  keys.set(der.toString("base64"), key);
  return key;
}

const signatures = new WeakMap<KeyObject, Map<string, Buffer>>();
/** Stories have the same key and begin at the same time: they sign the same. */
function sign(key: KeyObject, message: Buffer): Buffer {
  const known = signatures.get(key) ?? new Map<string, Buffer>();
  signatures.set(key, known);
  const text = message.toString("base64");
  const signature = known.get(text) ?? createSign("RSA-SHA256").update(message).sign(key);
  known.set(text, signature);
  return signature;
}
