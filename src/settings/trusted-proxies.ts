import { isIP } from "node:net";
import { z } from "zod";

/** Whether a text is an IP address, or a network such as `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = "", prefix, ...more] = text.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
  return longest > 0 && isPrefix && more.length === 0;
}

/** A list of addresses and networks, separated by commas. */
export const TrustedProxies = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((network) => network.trim())
      .filter((network) => network !== ""),
  )
  .refine(
    (networks) => networks.every(isNetwork),
    "must be IP addresses or networks such as 10.0.0.0/8, with commas between them",
  );
