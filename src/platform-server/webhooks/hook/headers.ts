import { z } from "zod";
import { MASK, type NewHeader } from "../../../platform/contract/shapes/webhook-shapes.ts";
import { createStoredJsonParser } from "../../area/stored-json.ts";
import type { SecretBox } from "../../outbound/secret-box.ts";

/** A header of a webhook as it is stored: the value of a masked one is sealed. */
const StoredHeader = z.object({ key: z.string(), value: z.string(), masked: z.boolean() });
export type StoredHeader = z.output<typeof StoredHeader>;

/** Returns the headers of a webhook's `headers` column. @throws TollgateError `stored_value_unreadable` */
export const readHeaders = createStoredJsonParser("headers of a webhook", z.array(StoredHeader));

/** Returns the headers as a reader sees them. */
export const readShownHeaders = (text: string): StoredHeader[] =>
  readHeaders(text).map((header) => (header.masked ? { ...header, value: MASK } : header));

/** Headers that belong to the connection or to the message's framing: a caller who sets them changes what is sent, not what is said. */
const OWN =
  /^(connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

export type SealResult<T> =
  | { readonly state: "sealed"; readonly value: T }
  | { readonly state: "wrong"; readonly message: string }
  /** A value is secret, and there is no key to encrypt it. */
  | { readonly state: "keyless" };

export interface SealContext {
  readonly account: string;
  readonly box: SecretBox | null;
  /** The webhook's stored headers before this change. */
  readonly before: string;
}

/**
 * Returns headers in their stored form. A masked value `******` leaves the value that is stored under the
 * same name unchanged.
 */
export function sealHeaders(headers: readonly NewHeader[], context: SealContext): SealResult<string> {
  const before = readHeaders(context.before).filter(({ masked }) => masked);
  const stored: StoredHeader[] = [];
  for (const header of headers) {
    const { key } = header;
    if (OWN.test(key)) return { state: "wrong", message: `the header ${key} is the connection's own` };
    if (stored.some((other) => isSameName(other, header)))
      return { state: "wrong", message: `the header ${key} is given twice` };
    const sealed = sealHeader(header, context, before);
    if (sealed.state !== "sealed") return sealed;
    stored.push(sealed.value);
  }
  return { state: "sealed", value: JSON.stringify(stored) };
}

function sealHeader(
  header: NewHeader,
  { account, box }: SealContext,
  maskedBefore: readonly StoredHeader[],
): SealResult<StoredHeader> {
  const { key, value, masked } = header;
  const storedHeader = value === MASK ? maskedBefore.find((one) => isSameName(one, header)) : undefined;
  if (!masked)
    return storedHeader === undefined
      ? { state: "sealed", value: header }
      : { state: "wrong", message: `the header ${key} was masked: give its value anew to show it` };
  if (storedHeader !== undefined) return { state: "sealed", value: { ...storedHeader, key } };
  if (box === null) return { state: "keyless" };
  return { state: "sealed", value: { key, value: box.seal(account, value), masked } };
}

const isSameName = (a: { readonly key: string }, b: { readonly key: string }): boolean =>
  a.key.toLowerCase() === b.key.toLowerCase();
