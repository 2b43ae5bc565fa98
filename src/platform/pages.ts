import type { PlatformClient } from "./client.ts";
import type { ClientInput, Endpoint, EndpointOutput, LooseInput } from "./contract/endpoint.ts";
import { at } from "./contract/wire/paths.ts";
import { type Failure, failure, type PlatformResult } from "./errors.ts";
import { createPageWalk, type PagedEndpoint, type PageStep, type PageWalk } from "./page-walk.ts";

type MemberAt<T, P extends readonly string[]> = P extends readonly [
  infer Name,
  ...infer Rest extends readonly string[],
]
  ? Name extends keyof T
    ? MemberAt<T[Name], Rest>
    : never
  : T;

/** One item of the list that an endpoint answers. */
export type Item<E extends PagedEndpoint> =
  MemberAt<EndpointOutput<E>, E["pagination"]["items"]> extends readonly (infer One)[] ? One : unknown;

/** A failure in the middle of a list is its last element. */
export type ItemOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** The code of the failure of a list without an end. */
export const ENDLESS_LIST = "endless_list";

/** So many pages are read before a service is believed to go on for ever. */
const MAX_PAGES = 10_000;

/**
 * All pages of a list, from the one that `input` asks for; each as large as the endpoint allows unless `input` says how large.
 * Ends after the last page or after a failure; a service that repeats a page, or does not come to an end, is such a failure.
 */
export async function* pagesOf<E extends PagedEndpoint>(
  client: Pick<PlatformClient, "call">,
  endpoint: E,
  input: ClientInput<E>,
): AsyncGenerator<PlatformResult<EndpointOutput<E>>, void, undefined> {
  const walk = createPageWalk(endpoint, input as LooseInput); // every input has these parts
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const outcome = await client.call<Endpoint>(endpoint, walk.next());
    const step = stepOf(endpoint, walk, outcome);
    if (step === "repeated") yield broken(endpoint, "the service repeats a page, so the list has no end");
    // The value was read by the schema that the type is made from.
    else if (step !== "over") yield outcome as PlatformResult<EndpointOutput<E>>;
    if (step !== "more") return;
  }
  yield broken(endpoint, `the list does not end within ${MAX_PAGES} pages`);
}

/** What an answer means for the list. A failure ends it, unless it says that there is no such page. */
function stepOf({ pagination }: PagedEndpoint, walk: PageWalk, outcome: PlatformResult<unknown>): PageStep {
  if (!outcome.ok) return walk.canBeOver() && isNoSuchPage(outcome.failure) ? "over" : "last";
  const items = at(outcome.value, pagination.items);
  return walk.read(Array.isArray(items) ? items : [], outcome);
}

/** All items of a list, page after page as `pagesOf` reads them. */
export async function* itemsOf<E extends PagedEndpoint>(
  client: Pick<PlatformClient, "call">,
  endpoint: E,
  input: ClientInput<E>,
): AsyncGenerator<ItemOutcome<Item<E>>, void, undefined> {
  for await (const outcome of pagesOf(client, endpoint, input)) {
    if (!outcome.ok) {
      yield outcome;
      return;
    }
    const items = at(outcome.value, endpoint.pagination.items);
    for (const value of Array.isArray(items) ? items : []) yield { ok: true, value };
  }
}

/** What some services say of a page beyond the last. */
const isNoSuchPage = ({ kind }: Failure): boolean => kind === "not_found" || kind === "rejected";

const broken = (
  { area, operation }: Endpoint,
  words: string,
): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure: failure("malformed", `${area} ${operation}: ${words}`, { code: ENDLESS_LIST }),
});
