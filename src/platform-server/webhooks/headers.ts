import { z } from "zod";
import { CODE_TRIGGERS, MASK, type NewHeader } from "../../platform/contract/shapes/webhook-shapes.ts";
import { refuse } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import type { SecretBox } from "../area/webhook-settings.ts";

/** A header of a webhook as it is stored: the value of a masked one is sealed. */
const StoredHeader = z.object({ key: z.string(), value: z.string(), masked: z.boolean() });
type StoredHeader = z.output<typeof StoredHeader>;

/** Returns the headers of a webhook's `headers` column. @throws TollgateError `stored_value_unreadable` */
export const readHeaders = createStoredJsonParser("headers of a webhook", z.array(StoredHeader));

/** Returns the headers as a reader sees them. */
export const readShownHeaders = (text: string): StoredHeader[] =>
  readHeaders(text).map((header) => (header.masked ? { ...header, value: MASK } : header));

/** Headers that belong to the connection or to the message's framing: a caller who sets them changes what is sent, not what is said. */
const OWN =
  /^(connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

export interface SealContext {
  readonly account: string;
  readonly box: SecretBox | null;
  /** The webhook's stored headers before this change. */
  readonly before: string;
}

/**
 * Returns headers in their stored form. A masked value `******` leaves the value that is stored under the
 * same name unchanged. @throws Refusal
 */
export function sealHeaders(headers: readonly NewHeader[], context: SealContext): string {
  const before = readHeaders(context.before).filter(({ masked }) => masked);
  const names = new Set<string>();
  const stored = headers.map((header) => {
    const { key } = header;
    if (OWN.test(key)) refuse("bad_request", `the header ${key} is the connection's own`);
    if (names.has(key.toLowerCase())) refuse("bad_request", `the header ${key} is given twice`);
    names.add(key.toLowerCase());
    return sealHeader(header, context, before);
  });
  return JSON.stringify(stored);
}

function sealHeader(
  header: NewHeader,
  { account, box }: SealContext,
  maskedBefore: readonly StoredHeader[],
): StoredHeader {
  const { key, value, masked } = header;
  const isSame = (one: StoredHeader) => one.key.toLowerCase() === key.toLowerCase();
  const stored = value === MASK ? maskedBefore.find(isSame) : undefined;
  if (masked)
    return stored === undefined
      ? { key, value: sealSecret(value, { account, box }), masked }
      : { ...stored, key };
  if (stored !== undefined)
    refuse("bad_request", `the header ${key} was masked: give its value again to show it`);
  return header;
}

/** @throws Refusal without a key to encrypt it */
export const sealSecret = (secret: string, { account, box }: Omit<SealContext, "before">): string =>
  box?.seal(account, secret) ??
  refuse(
    "precondition_failed",
    "this platform stores no secrets: its operator has not set TOLLGATE_KEY, so no secret and no masked header can be stored",
  );

/** Returns the events of a webhook's `triggers` column. @throws TollgateError `stored_value_unreadable` */
export const readTriggers = createStoredJsonParser("triggers of a webhook", z.array(z.enum(CODE_TRIGGERS)));
