import { isPlainOrigin, parseHost } from "../kernel/host.ts";
import { isPlatformId } from "../kernel/ids.ts";

/** The parsed URL of a status or check. `not_ours`: no execution of an allowed host. `refused`: an unsafe URL. */
export type ParsedExecutionUrl =
  | {
      readonly state: "found";
      readonly org: string;
      readonly project: string;
      readonly pipeline: string;
      readonly executionId: string;
      /** URL of the execution's page, without stage, step and other parameters. */
      readonly page: string;
    }
  | { readonly state: "not_ours" }
  | { readonly state: "refused"; readonly reason: "other_account" | "malformed" };

export interface AllowedUrls {
  /** Hosts in the form that `getHost` returns. */
  readonly hosts: readonly string[];
  readonly account: string;
}

const NOT_OURS: ParsedExecutionUrl = { state: "not_ours" };
const MALFORMED = { state: "refused", reason: "malformed" } as const;

/** Maximum length of a parsed URL, in characters. */
const MAX_LENGTH = 4096;
/** Scheme and authority, and the rest as written. Nothing is normalised, so that "/../" stays visible and is refused. */
const ABSOLUTE = /^(https?:\/\/[^/?#\\]+)(\/[\x21-\x7e]*)$/i;
/** `/ng`, `/ng/#` and `/#` are equivalent routes to the page. */
const FRAGMENT_ROUTE = /^(\/ng)?\/?#\//;
const EXECUTION =
  /^((?:\/ng)?\/account\/([^/]+)\/(?:(?:module|all)\/)?(?:(?!orgs\/)[a-z][a-z0-9-]*\/)?orgs\/([^/]+)\/projects\/([^/]+)\/pipelines\/([^/]+)\/(?:executions|deployments)\/([^/]+))(?:\/.*)?$/;

/**
 * Reads the ids of an execution from a URL that anybody with write access may have posted. The URL itself is never called:
 * the ids are used only below the configured platform's URL.
 */
export function parseExecutionUrl(url: string, allowed: AllowedUrls): ParsedExecutionUrl {
  const [, origin = "", rest = ""] = (url.length <= MAX_LENGTH && ABSOLUTE.exec(url)) || [];
  const host = parseHost(origin);
  if (host === null || !allowed.hosts.includes(host)) return NOT_OURS;
  const [path = ""] = rest.replace(FRAGMENT_ROUTE, "$1/").split(/[?#]/);
  const [, execution = "", ...segments] = EXECUTION.exec(path) ?? [];
  if (execution === "") return NOT_OURS;
  if (!isPlainOrigin(origin)) return MALFORMED;
  const ids = segments.map(decode);
  const [account = "", org = "", project = "", pipeline = "", executionId = ""] = ids;
  if (account !== allowed.account) return { state: "refused", reason: "other_account" };
  if (!ids.every(isPlatformId)) return MALFORMED;
  return { state: "found", org, project, pipeline, executionId, page: origin + pagePath(rest, execution) };
}

/** Returns the path up to the execution, with the URL's original prefix (with or without a fragment). */
function pagePath(rest: string, execution: string): string {
  const start = "/account/";
  return `${rest.slice(0, rest.indexOf(start))}${execution.slice(execution.indexOf(start))}/pipeline`;
}

/** Decodes a segment; a segment that cannot be decoded is not an id. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}
