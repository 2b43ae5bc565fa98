import { createPrivateKey, createPublicKey } from "node:crypto";

/**
 * Returns why a PEM text is not the private key of a GitHub App, as the end of the sentence "the key …"; null: it is an RSA private
 * key. Contains nothing of the key.
 */
export function findKeyProblem(pem: string): string | null {
  if (!pem.includes("-----BEGIN")) return `is not a PEM private key; ${EXPECTED}`;
  if (pem.includes("-----BEGIN OPENSSH PRIVATE KEY-----")) return `is an OpenSSH key; ${EXPECTED}`;
  if (pem.includes("ENCRYPTED")) return `is encrypted with a passphrase; ${EXPECTED}`;
  const type = readKeyType(pem);
  if (type === "rsa") return null;
  if (type !== null) return `is a private key of the type ${type}; ${EXPECTED}`;
  return isPublicKey(pem)
    ? `is a public key or a certificate; ${EXPECTED}`
    : `is damaged or incomplete; ${EXPECTED}`;
}

const EXPECTED = "expected the RSA private key (.pem) that GitHub generated for the App";

/** Returns the type of a private key, such as `rsa` or `ec`; null: the text is none. */
function readKeyType(pem: string): string | null {
  try {
    return createPrivateKey(pem).asymmetricKeyType ?? null;
  } catch {
    return null;
  }
}

function isPublicKey(pem: string): boolean {
  try {
    createPublicKey(pem);
    return true;
  } catch {
    return false;
  }
}
