import { createHash } from "node:crypto";
import type { MatchedCloud } from "./code-types.ts";

/** A parsed resource identifier of a cloud. Unstated parts are null. */
export interface ResourceId {
  /** The comparable form of an identifier that is unique in the whole cloud; null: it is not unique. */
  readonly full: string | null;
  /** The comparable form of a short identifier. */
  readonly short: string;
  /** The last part, which a short identifier of the same resource has too. */
  readonly last: string;
  readonly account: string | null;
  readonly region: string | null;
}

/**
 * Returns a key that groups identifiers of possibly one resource: a digest, because identifiers can exceed
 * the maximum size of an index entry.
 */
export const toResourceKey = (text: string): string =>
  createHash("sha256").update(getLastPart(text).toLowerCase()).digest("base64url").slice(0, 22);

const getLastPart = (text: string): string =>
  text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf(":")) + 1);

const READERS: Readonly<Record<MatchedCloud, (text: string) => ResourceId | null>> = {
  CLOUD_1: (text) => (text.startsWith("arn:") ? readArn(text) : parseShortId(text)),
  CLOUD_2: readAzureId,
  CLOUD_3: readGoogleId,
  CLUSTER: (text) => (/^[^/]+(\/[^/]+){0,2}$/.test(text) ? parseShortId(text) : null),
};

/** Parses an identifier in its cloud's form; null: it has another form. */
export const readResourceId = (cloud: MatchedCloud, text: string): ResourceId | null =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  text === "" || /[\s\u0000-\u001f\u007f]/.test(text) || getLastPart(text) === ""
    ? null
    : READERS[cloud](text);

const parseShortId = (text: string): ResourceId => ({
  full: null,
  short: text,
  last: getLastPart(text),
  account: null,
  region: null,
});

/** `arn:partition:service:region:account:resource`; region and account may be empty. */
function readArn(text: string): ResourceId | null {
  const found = /^arn:[a-z0-9-]+:[a-z0-9-]+:([a-z0-9-]*):([a-z0-9]*):.+$/i.exec(text);
  if (found === null) return null;
  return { ...parseShortId(text), full: text, region: found[1] || null, account: found[2] || null };
}

/** Upper and lower case are the same in it. */
function readAzureId(text: string): ResourceId | null {
  const found =
    /^\/subscriptions\/([^/]+)(?:\/resourcegroups\/[^/]+)?\/providers\/[^/]+(?:\/[^/]+\/[^/]+)+$/i.exec(text);
  if (found === null) return null;
  const lower = text.toLowerCase();
  return { ...parseShortId(lower), full: lower, account: found[1]?.toLowerCase() ?? null };
}

/** A path below `projects/`, perhaps behind a service's address; or a plain name. */
function readGoogleId(text: string): ResourceId | null {
  const path = text.replace(/^(?:https?:)?\/\/[^/]+\/(?:.*?\/)??(?=projects\/)/, "");
  if (!path.includes("/") && !path.includes(":")) return parseShortId(path);
  const found =
    /^projects\/([^/]+)(?:\/(?:zones|regions|locations)\/([^/]+)|\/global)?(?:\/[^/]+\/[^/]+)+$/.exec(path);
  if (found === null) return null;
  return { ...parseShortId(path), full: path, account: found[1] ?? null, region: found[2] ?? null };
}
