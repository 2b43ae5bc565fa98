import { z } from "zod";
import { CODE_TRIGGERS, MASK, type NewHeader } from "../../platform/contract/shapes/webhook-shapes.ts";
import type { Seal } from "../../store/seal.ts";
import { refuse } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";

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
  readonly seal: Seal | null;
  /** The webhook's stored headers before this change. */
  readonly before: string;
}

/**
 * Returns headers in their stored form. A masked value `******` leaves the value that is stored under the
 * same name unchanged. @throws Refusal
 */
export async function sealHeaders(headers: readonly NewHeader[], context: SealContext): Promise<string> {
  const before = readHeaders(context.before).filter(({ masked }) => masked);
  const names = new Set<string>();
  const stored = headers.map((header) => {
    const { key } = header;
    if (OWN.test(key)) refuse("bad_request", `the header ${key} is the connection's own`);
    if (names.has(key.toLowerCase())) refuse("bad_request", `the header ${key} is given twice`);
    names.add(key.toLowerCase());
    return sealHeader(header, context, before);
  });
  return JSON.stringify(await Promise.all(stored));
}

async function sealHeader(
  header: NewHeader,
  { account, seal }: SealContext,
  maskedBefore: readonly StoredHeader[],
): Promise<StoredHeader> {
  const { key, value, masked } = header;
  const isSame = (one: StoredHeader) => one.key.toLowerCase() === key.toLowerCase();
  const stored = value === MASK ? maskedBefore.find(isSame) : undefined;
  if (masked)
    return stored === undefined
      ? { key, value: await sealSecret(value, { account, seal }), masked }
      : { ...stored, key };
  if (stored !== undefined)
    refuse("bad_request", `the header ${key} was masked: give its value again to show it`);
  return header;
}

/** @throws Refusal without a key to encrypt it */
export const sealSecret = async (
  secret: string,
  { account, seal }: Omit<SealContext, "before">,
): Promise<string> =>
  (await seal?.seal({ account, secret })) ??
  refuse(
    "precondition_failed",
    "this platform stores no secrets: its operator has not set TOLLGATE_KEY, so no secret and no masked header can be stored",
  );

const SealedSecret = z.object({ account: z.string(), secret: z.string() });

/** Returns what `sealSecret` encrypted; null: for another account or with another key, or it is damaged. */
export async function openSecret(
  sealed: string,
  { account, seal }: Omit<SealContext, "before">,
): Promise<string | null> {
  const opened = SealedSecret.safeParse(await seal?.open(sealed));
  return opened.data?.account === account ? opened.data.secret : null;
}

/** Returns the events of a webhook's `triggers` column. @throws TollgateError `stored_value_unreadable` */
export const readTriggers = createStoredJsonParser("triggers of a webhook", z.array(z.enum(CODE_TRIGGERS)));
