import type { PlatformClient } from "./client.ts";
import type { ClientInput, Endpoint, EndpointOutput, LooseInput } from "./contract/endpoint.ts";
import { getAtPath } from "./contract/wire/codec.ts";
import { createFailure, type Failure, type PlatformResult } from "./errors.ts";
import { createPageWalk, type PagedEndpoint, type PageStep, type PageWalk } from "./page-walk.ts";

type MemberAt<T, P extends readonly string[]> = P extends readonly [
  infer Name,
  ...infer Rest extends readonly string[],
]
  ? Name extends keyof T
    ? MemberAt<T[Name], Rest>
    : never
  : T;

/** One item of an endpoint's list. */
export type Item<E extends PagedEndpoint> =
  MemberAt<EndpointOutput<E>, E["pagination"]["items"]> extends readonly (infer One)[] ? One : unknown;

/** A failure in the middle of a list is its last element. */
export type ItemOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** The failure code of an endless list. */
export const ENDLESS_LIST = "endless_list";

/** Maximum number of pages of a list; beyond it the list counts as endless. */
const MAX_PAGES = 10_000;

/**
 * Reads all pages of a list, starting at the page of `input`; each as large as the endpoint allows unless `input` states a size.
 * Ends after the last page or a failure. A repeated page and an endless list are failures.
 */
export async function* readPages<E extends PagedEndpoint>(
  client: Pick<PlatformClient, "call">,
  endpoint: E,
  input: ClientInput<E>,
): AsyncGenerator<PlatformResult<EndpointOutput<E>>, void, undefined> {
  const walk = createPageWalk(endpoint, input as LooseInput); // every input has these parts
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const outcome = await client.call<Endpoint>(endpoint, walk.next());
    const step = takeStep(endpoint, walk, outcome);
    if (step === "repeated")
      yield createPagingFailure(endpoint, "the service repeats a page, so the list has no end");
    // The value was read by the schema that the type is made from.
    else if (step !== "over") yield outcome as PlatformResult<EndpointOutput<E>>;
    if (step !== "more") return;
  }
  yield createPagingFailure(endpoint, `the list does not end within ${MAX_PAGES} pages`);
}

/** Returns the next step after an answer. A failure ends the list; "no such page" after a possible last page is its end. */
function takeStep({ pagination }: PagedEndpoint, walk: PageWalk, outcome: PlatformResult<unknown>): PageStep {
  if (!outcome.ok) return walk.canBeEnd() && isNoSuchPage(outcome.failure) ? "over" : "last";
  const items = getAtPath(outcome.value, pagination.items);
  return walk.read(Array.isArray(items) ? items : [], outcome);
}

/** Reads all items of a list, page by page with `pagesOf`. */
export async function* readItems<E extends PagedEndpoint>(
  client: Pick<PlatformClient, "call">,
  endpoint: E,
  input: ClientInput<E>,
): AsyncGenerator<ItemOutcome<Item<E>>, void, undefined> {
  for await (const outcome of readPages(client, endpoint, input)) {
    if (!outcome.ok) {
      yield outcome;
      return;
    }
    const items = getAtPath(outcome.value, endpoint.pagination.items);
    for (const value of Array.isArray(items) ? items : []) yield { ok: true, value };
  }
}

/** Some services answer so for a page beyond the last. */
const isNoSuchPage = ({ kind }: Failure): boolean => kind === "not_found" || kind === "rejected";

const createPagingFailure = (
  { area, operation }: Endpoint,
  words: string,
): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure: createFailure("malformed", `${area} ${operation}: ${words}`, { code: ENDLESS_LIST }),
});
