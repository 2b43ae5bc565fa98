import { createHmac } from "node:crypto";

/** Returns GitHub's two signature headers of a delivery with this body. */
export const signatures = (secret: string, body: string): Record<string, string> => ({
  "x-hub-signature": `sha1=${createHmac("sha1", secret).update(body).digest("hex")}`,
  "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
});
