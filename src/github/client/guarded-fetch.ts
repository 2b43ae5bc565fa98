import { createGitHubFailure, GitHubError } from "./result.ts";

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: "manual";
  signal: AbortSignal;
}

/** What is needed of `fetch`; undici's and Node's own both fit. Wiring passes one with its own connection pool. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchedResponse>;

export interface FetchedResponse {
  readonly status: number;
  readonly headers: Iterable<[string, string]> & { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

export interface GuardOptions {
  readonly fetch: Fetch;
  /** The only origin that is ever called, e.g. `https://api.github.com`. */
  readonly origin: string;
  /** For one call with its redirects and its whole body, in milliseconds. */
  readonly timeoutMs: number;
  /** Largest body that is read, in bytes after decompression. */
  readonly maxBytes: number;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const KEEPS_METHOD = new Set([307, 308]);
const MAX_REDIRECTS = 3;
const NO_BODY = new Set([204, 205, 304]);

interface FetchRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * A fetch for Octokit that throws `GitHubError`, never leaves GitHub's origin, never turns a POST into a GET, ends after `timeoutMs`,
 * and never holds more than `maxBytes` of an answer.
 */
export function createGuardedFetch(
  options: GuardOptions,
): (url: string, call?: FetchRequest) => Promise<Response> {
  return async (url, call = {}) => {
    const signal = AbortSignal.timeout(options.timeoutMs);
    try {
      return await collectBody(
        await followRedirects(url, buildFetchInit(call, signal), options),
        options.maxBytes,
      );
    } catch (error) {
      if (error instanceof GitHubError) throw error;
      if (signal.aborted)
        throw new GitHubError(
          createGitHubFailure("timed_out", `no answer of GitHub in ${options.timeoutMs} ms`),
          error,
        );
      throw new GitHubError(createGitHubFailure("unavailable", describeConnectionFailure(error)), error);
    }
  };
}

const buildFetchInit = (call: FetchRequest, signal: AbortSignal): FetchInit => ({
  method: (call.method ?? "GET").toUpperCase(),
  headers: { ...call.headers },
  redirect: "manual",
  signal,
  ...(call.body === undefined ? {} : { body: call.body }),
});

async function followRedirects(
  first: string,
  init: FetchInit,
  options: GuardOptions,
): Promise<FetchedResponse> {
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    if (new URL(url).origin !== options.origin)
      throw new GitHubError(createGitHubFailure("moved", "led to another host"));
    const response = await options.fetch(url, init);
    if (!REDIRECTS.has(response.status)) return response;
    const location = response.headers.get("location");
    await discardBody(response);
    const safe = init.method === "GET" || init.method === "HEAD" || KEEPS_METHOD.has(response.status);
    if (location === null || !safe) {
      throw new GitHubError(
        createGitHubFailure("moved", `${response.status} to an address that may not be followed`),
      );
    }
    url = new URL(location, url).href;
  }
  throw new GitHubError(createGitHubFailure("moved", "too many redirects"));
}

/** Discards a body: an unread body keeps its connection busy. */
async function discardBody(response: FetchedResponse): Promise<void> {
  const iterator = response.body?.[Symbol.asyncIterator]();
  await iterator?.return?.();
}

async function collectBody(response: FetchedResponse, maxBytes: number): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes)
      throw new GitHubError(createGitHubFailure("too_large", `an answer above ${maxBytes} bytes`));
    chunks.push(chunk);
  }
  const headers = new Headers([...response.headers]);
  return new Response(NO_BODY.has(response.status) ? null : Buffer.concat(chunks), {
    status: response.status,
    headers,
  });
}

const UNKNOWN_HOST = "GitHub's host name is not known: check GHE_HOST and the name server of this machine";
const UNREACHABLE = "no connection to GitHub: check GHE_HOST, and the firewall or proxy on the way";
const CLOSED = "the connection to GitHub was closed without an answer";
const UNTRUSTED =
  "GitHub's TLS certificate is not trusted: name the file of its certificate authority in NODE_EXTRA_CA_CERTS";
const OUT_OF_DATE =
  "GitHub's TLS certificate is not valid now: it has to be renewed, or the clock of this machine is wrong";
const OTHER_NAME = "GitHub's TLS certificate is for another host: check GHE_HOST, and the proxy on the way";
const NO_TLS = "what answers in GitHub's place speaks no TLS: check GHE_HOST and GHE_PROTOCOL";

/** By codes of sockets, of undici and of TLS (https://nodejs.org/api/tls.html#x509-certificate-error-codes). No words name a host. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  UND_ERR_CONNECT_TIMEOUT: UNREACHABLE,
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_HAS_EXPIRED: OUT_OF_DATE,
  CERT_NOT_YET_VALID: OUT_OF_DATE,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
};

/** Why no answer came over the connection to GitHub, with the way out and the system's own code. */
function describeConnectionFailure(error: unknown): string {
  let last: string | null = null;
  // Other messages of the system name hosts and addresses.
  for (let one = error; one instanceof Error; one = one.cause) {
    const code = "code" in one && typeof one.code === "string" ? one.code : null;
    if (code !== null && Object.hasOwn(REASONS, code)) return `${REASONS[code]} (${code})`;
    last = code ?? last;
  }
  return `the connection to GitHub failed${last === null ? "" : ` (${last})`}`;
}

/**
 * The REST address that belongs to an operator's `GHE_HOST`. Null is github.com, as are `api.github.com` and `www.github.com`. A host, an address, and either of them with
 * `/api/v3` mean the same server; a `*.ghe.com` tenant answers on its `api.` host without a prefix.
 */
export function resolveGitHubApiUrl(gheHost: string | null): string {
  if (gheHost === null) return "https://api.github.com";
  const { protocol, host, pathname } = new URL(gheHost.includes("://") ? gheHost : `https://${gheHost}`);
  if (/^((api|www)\.)?github\.com$/.test(host)) return "https://api.github.com";
  if (host.endsWith(".ghe.com")) return `https://${host.startsWith("api.") ? host : `api.${host}`}`;
  const prefix = pathname.replace(/\/+$/, "");
  return `${protocol}//${host}${prefix === "" ? "/api/v3" : prefix}`;
}

/** Root of the pages that people read on the same server, without a slash at the end. */
export function resolveGitHubPagesUrl(gheHost: string | null): string {
  const { protocol, host } = new URL(resolveGitHubApiUrl(gheHost));
  const isApiHost = host === "api.github.com" || host.endsWith(".ghe.com");
  return `${protocol}//${isApiHost ? host.replace(/^api\./, "") : host}`;
}
