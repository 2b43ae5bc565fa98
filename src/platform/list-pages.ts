import { createHash } from "node:crypto";
import { z } from "zod";
import type { PlatformClient } from "./client.ts";
import type { ClientInput, Endpoint, EndpointOutput, LooseInput } from "./contract/endpoint.ts";
import { getAtPath, type Pagination, withAt } from "./contract/shapes/pagination.ts";
import { unwrapSchema, type ZodSchema } from "./contract/wire/schema-parts.ts";
import { createFailure, type Failure, type PlatformResult } from "./errors.ts";

export type PagedEndpoint = Endpoint & { readonly pagination: Pagination };

type MemberAt<T, P extends readonly string[]> = P extends readonly [
  infer Name,
  ...infer Rest extends readonly string[],
]
  ? Name extends keyof T
    ? MemberAt<T[Name], Rest>
    : never
  : T;

export type Item<E extends PagedEndpoint> =
  MemberAt<EndpointOutput<E>, E["pagination"]["items"]> extends readonly (infer One)[] ? One : unknown;

/** A failure in the middle of a list is its last element. */
export type ItemOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

const ENDLESS_LIST = "endless_list";

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
  const request = readPageRequest(endpoint, input as LooseInput); // every input has these parts
  const digests = new Set<string>();
  const progress: WalkProgress = { pages: 0, items: 0, longest: 0 };
  let mayBeEnd = false;
  while (progress.pages < MAX_PAGES) {
    const outcome = await client.call<Endpoint>(endpoint, createPageInput(request, progress));
    if (!outcome.ok && mayBeEnd && isNoSuchPage(outcome.failure)) return;
    const page = outcome as PlatformResult<EndpointOutput<E>>; // the value was read by the schema that the type is made from
    if (!outcome.ok) return yield page;
    const items = listItems(endpoint, outcome.value);
    const total = readTotal(endpoint.pagination, outcome);
    mayBeEnd = total === null && request.size !== null && items.length < request.size;
    progress.pages += 1;
    progress.items += items.length;
    progress.longest = Math.max(progress.longest, items.length);
    if (isRepeated(items, digests)) {
      // A list without paging returns all items each time.
      if (!mayBeEnd)
        yield createPagingFailure(endpoint, "the service repeats a page, so the list has no end");
      return;
    }
    yield page;
    if (
      items.length === 0 ||
      isLast(request, progress, { length: items.length, total, headers: outcome.headers })
    )
      return;
  }
  yield createPagingFailure(endpoint, `the list does not end within ${MAX_PAGES} pages`);
}

/** Some services answer so for a page beyond the last. */
const isNoSuchPage = ({ kind }: Failure): boolean => kind === "not_found" || kind === "rejected";

/** Whether a page with the same items was read before, as the digests of earlier pages say; adds its own. */
function isRepeated(items: readonly unknown[], digests: Set<string>): boolean {
  const digest = createHash("sha256").update(JSON.stringify(items)).digest("base64");
  const known = items.length > 0 && digests.has(digest);
  digests.add(digest);
  return known;
}

export async function* readItems<E extends PagedEndpoint>(
  client: Pick<PlatformClient, "call">,
  endpoint: E,
  input: ClientInput<E>,
): AsyncGenerator<ItemOutcome<Item<E>>, void, undefined> {
  for await (const outcome of readPages(client, endpoint, input)) {
    if (!outcome.ok) return yield outcome;
    for (const value of listItems(endpoint, outcome.value)) yield { ok: true, value: value as Item<E> }; // read by the schema of the type
  }
}

/**
 * Whether the first page of a list holds all of it: as its total states, or because it is shorter than any page size of a service
 * (registry webhooks and unit metrics have the smallest: 20).
 */
export function isWholeList<Item>(
  { pagination }: PagedEndpoint,
  answer: { readonly value: readonly Item[]; readonly headers: PageAnswer["headers"] },
): boolean {
  const total = readTotal(pagination, answer);
  return total === null ? answer.value.length < SMALLEST_PAGE : answer.value.length >= total;
}

const SMALLEST_PAGE = 20;

interface PageAnswer {
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request for the pages of a list from `first` on. */
interface PageRequest {
  readonly ask: Pagination["ask"];
  readonly input: LooseInput;
  /** Paths of the parameters for the position and the size of a page. */
  readonly position: readonly string[];
  readonly sizePath: readonly string[];
  readonly first: number;
  /** Null: not stated, the service's default applies. */
  readonly size: number | null;
}

interface WalkProgress {
  pages: number;
  items: number;
  longest: number;
}

function readPageRequest(endpoint: PagedEndpoint, input: LooseInput): PageRequest {
  const { ask } = endpoint.pagination;
  const [position, sizePath] = ask.by === "page" ? [[ask.page], [ask.size]] : [ask.offset, ask.limit];
  const start = getAtPath(input[ask.in], position);
  const size = getAtPath(input[ask.in], sizePath) ?? getLargestSize(endpoint, sizePath);
  return {
    ...{ ask, input, position, sizePath },
    first: typeof start === "number" ? start : ask.by === "page" ? ask.first : 0,
    size: typeof size === "number" && size > 0 ? size : null,
  };
}

function createPageInput(
  { ask, input, position, sizePath, first, size }: PageRequest,
  progress: WalkProgress,
) {
  const part = withAt(input[ask.in], position, first + (ask.by === "page" ? progress.pages : progress.items));
  return { ...input, [ask.in]: size === null ? part : withAt(part, sizePath, size) };
}

function isLast(
  { ask, first }: PageRequest,
  { items, longest }: WalkProgress,
  {
    length,
    total,
    headers,
  }: Pick<PageAnswer, "headers"> & { readonly length: number; readonly total: number | null },
): boolean {
  // A page shorter than requested may be the service's maximum: only the next page shows the end. All services that state a page size
  // use this header (document 1, section 8).
  if (total === null) return length < Math.max(longest, parseWholeNumber(headers["x-page-size"]) ?? 0);
  // A service may return smaller pages than requested, so the items before the first page are computed from its own size.
  const before = ask.by === "offset" ? first : (first - ask.first) * longest;
  return before + items >= total;
}

/** Returns the endpoint's maximum page size; null: not stated, the service's default applies. */
function getLargestSize(endpoint: PagedEndpoint, path: readonly string[]): number | null {
  const whole = endpoint.pagination.ask.in === "query" ? endpoint.query : endpoint.body;
  if (whole === undefined || whole === "bytes") return null;
  const member = path.reduce<ZodSchema | undefined>(
    (found, name) => found && unwrapSchema(found).shape?.[name],
    whole,
  );
  const size = member && unwrapSchema(member).schema;
  if (!(size instanceof z.ZodNumber) || size.maxValue === null) return null;
  return size.maxValue < Number.MAX_SAFE_INTEGER ? size.maxValue : null;
}

function listItems({ pagination }: PagedEndpoint, value: unknown): readonly unknown[] {
  const items = getAtPath(value, pagination.items);
  return Array.isArray(items) ? items : [];
}

/** Returns the total number of items in the answer; null: not stated. */
function readTotal({ total }: Pagination, { value, headers }: PageAnswer): number | null {
  if (total.in === "body") {
    const found = getAtPath(value, total.path);
    return typeof found === "number" ? found : null;
  }
  return parseWholeNumber(total.names.map((name) => headers[name]).find((found) => found !== undefined));
}

const parseWholeNumber = (text = ""): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

const createPagingFailure = (
  { area, operation }: Endpoint,
  words: string,
): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure: createFailure("malformed", `${area} ${operation}: ${words}`, { code: ENDLESS_LIST }),
});
