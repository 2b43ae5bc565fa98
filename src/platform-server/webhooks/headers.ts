import { z } from "zod";
import { isPlatformId } from "../../kernel/ids.ts";
import { CODE_TRIGGERS, MASK, type NewHeader } from "../../platform/contract/shapes/webhook-shapes.ts";
import type { Token } from "../../store/tokens.ts";
import { createProblem, type Problem } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import type { SecretBox } from "../outbound/secret-box.ts";
import type { HookParentKey } from "./store/tables.ts";

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

/**
 * Returns a numeric id of the caller: the platform has tokens instead of users. Derived from the token's
 * public id, so it is stable.
 */
export const getPrincipalNumber = ({ id }: Pick<Token, "id">): number => Number.parseInt(id.slice(0, 12), 16);

/** Returns the principal of an event for payloads. Members that a token does not have are omitted. */
export const buildPrincipal = (token: Pick<Token, "id">) => ({
  id: getPrincipalNumber(token),
  uid: `token-${token.id}`,
  display_name: `token ${token.id}`,
  email: "",
  type: "serviceaccount",
});

/** Parses a registry reference: `account/…/registry/+`. */
export function parseRegistryParent(
  ref: string,
  token: Token,
): HookParentKey | Problem<"bad_request" | "forbidden"> {
  const parts = ref.split("/");
  const end = parts.pop();
  const [account = "", ...inside] = parts;
  const name = inside.pop() ?? "";
  const [org = "", project = ""] = inside;
  if (end !== "+" || inside.length > 2 || ![account, name, ...inside].every(isPlatformId))
    return createProblem(
      "bad_request",
      "registry_ref must be account/registry/+, account/org/registry/+ or account/org/project/registry/+",
    );
  if (account !== token.account)
    return createProblem("forbidden", "the token does not belong to the account in registry_ref");
  return { account, kind: "registry", org, project, name };
}

export interface SpaceQuery {
  readonly orgIdentifier?: string | undefined;
  readonly projectIdentifier?: string | undefined;
}

/** Returns the parent of a code webhook: a space, or a repository in it. */
export function parseCodeParent(
  query: SpaceQuery,
  token: Token,
  repository?: string,
): HookParentKey | Problem<"bad_request"> {
  const { orgIdentifier: org = "", projectIdentifier: project = "" } = query;
  if (project !== "" && org === "")
    return createProblem(
      "bad_request",
      "projectIdentifier needs orgIdentifier: a project belongs to an organisation",
    );
  if (repository !== undefined && !isPlatformId(repository))
    return createProblem("bad_request", "a repository is 1 to 128 letters, digits or _ . $ -");
  const { account } = token;
  return repository === undefined
    ? { account, kind: "space", org, project, name: "" }
    : { account, kind: "repo", org, project, name: repository };
}

/** Returns the spaces that contain a repository, innermost first; their webhooks receive its events too. */
export function listSpacesAbove({ account, org, project }: HookParentKey): readonly HookParentKey[] {
  const space = { account, kind: "space", name: "" } as const;
  return [
    ...(project === "" ? [] : [{ ...space, org, project }]),
    ...(org === "" ? [] : [{ ...space, org, project: "" }]),
    { ...space, org: "", project: "" },
  ];
}

/** Returns the events of a webhook's `triggers` column. @throws TollgateError `stored_value_unreadable` */
export const readTriggers = createStoredJsonParser("triggers of a webhook", z.array(z.enum(CODE_TRIGGERS)));
