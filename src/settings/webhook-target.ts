import { isIP } from "node:net";
import { z } from "zod";

const HOST = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i;

/**
 * Whether a text is a host or network in one of the forms `10.0.0.0/8`, `192.168.1.4`, `fd00::/8`,
 * `hooks.internal`, `*.internal`.
 */
function isTarget(text: string): boolean {
  const [address = "", bits, more] = text.split("/");
  const family = isIP(address);
  if (family === 0) return bits === undefined && HOST.test(text) && !/^[0-9.]+$/.test(text);
  const most = family === 6 ? 128 : 32;
  return more === undefined && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}

/** A non-public host or network that webhooks may reach. */
export const WebhookTarget = z
  .string()
  .refine(
    isTarget,
    "must be an address, a network such as 10.0.0.0/8, or a host such as hooks.internal or *.internal",
  );
