import { describeConnectionFailure } from "./describe-connection.ts";
import { GitHubError } from "./github-error.ts";
import { createGitHubFailure } from "./result.ts";

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
