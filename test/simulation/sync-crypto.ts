import { createPrivateKey, createSign, webcrypto } from "node:crypto";

/**
 * Signs in the same turn of the event loop: Web Crypto answers from another thread at a time that no seed decides. The signatures
 * of the App's tokens stay real. Call the answer to bring Web Crypto back.
 */
export function installSyncCrypto(): () => void {
  const prototype: Record<"importKey" | "sign", unknown> = Object.getPrototypeOf(webcrypto.subtle);
  const real = { importKey: prototype.importKey, sign: prototype.sign };
  prototype.importKey = async (_format: string, der: ArrayBuffer) => Buffer.from(der);
  prototype.sign = async (_algorithm: string, key: Buffer, message: ArrayBuffer) =>
    createSign("RSA-SHA256")
      .update(Buffer.from(message))
      .sign(createPrivateKey({ key, format: "der", type: "pkcs8" }));
  return () => {
    Object.assign(prototype, real);
  };
}
