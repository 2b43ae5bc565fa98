import { createHash } from "node:crypto";
import type { Endpoint, LooseInput } from "./contract/endpoint.ts";
import type { Pagination } from "./contract/shapes/pagination.ts";
import { maximumOf, memberAt } from "./contract/wire/limits-of.ts";
import { at, withAt } from "./contract/wire/paths.ts";

/** An endpoint whose answer comes in pieces. */
export type PagedEndpoint = Endpoint & { readonly pagination: Pagination };

/** What a page that was read means for the list. `over`: the list ended before it. */
export type PageStep = "more" | "last" | "over" | "repeated";

/** A list's reading: which page to ask for next, and whether there is one. */
export interface PageWalk {
  next(): LooseInput;
  read(items: readonly unknown[], answer: PageResponse): PageStep;
  /** Whether the page that was read last may have been the last one, so that there need not be a next one. */
  canBeOver(): boolean;
}

interface PageResponse {
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a request says which piece it wants, and how large. */
interface PageParameters {
  readonly in: "query" | "body";
  readonly position: readonly string[];
  readonly size: readonly string[];
}

const placesOf = ({ ask }: Pagination): PageParameters =>
  ask.by === "page"
    ? { in: ask.in, position: [ask.page], size: [ask.size] }
    : { in: ask.in, position: ask.offset, size: ask.limit };

export function createPageWalk(endpoint: PagedEndpoint, input: LooseInput): PageWalk {
  const { pagination } = endpoint;
  const places = placesOf(pagination);
  const requestedSize = at(input[places.in], places.size) ?? largest(endpoint, places);
  const size = typeof requestedSize === "number" && requestedSize > 0 ? requestedSize : null;
  const start = at(input[places.in], places.position);
  const first = typeof start === "number" ? start : firstOf(pagination);
  const repeats = createRepeats();
  const so = { first, size, pages: 0, items: 0, longest: 0, given: null as number | null, short: false };
  return {
    next: () => {
      const position = first + (pagination.ask.by === "page" ? so.pages : so.items);
      const part = withAt(input[places.in], places.position, position);
      return { ...input, [places.in]: size === null ? part : withAt(part, places.size, size) };
    },
    read: (items, answer) => {
      so.pages += 1;
      so.items += items.length;
      so.longest = Math.max(so.longest, items.length);
      so.given = pageSizeOf(answer);
      const total = totalOf(pagination, answer);
      so.short = total === null && size !== null && items.length < size;
      if (items.length === 0) return "last";
      // A list that knows no pages is whole each time.
      if (repeats(items)) return so.short ? "over" : "repeated";
      return isLast(pagination, so, { length: items.length, total }) ? "last" : "more";
    },
    canBeOver: () => so.short,
  };
}

/** What was read so far. */
interface WalkProgress {
  readonly first: number;
  readonly items: number;
  readonly longest: number;
  /** Items of a page, as the newest answer says; null: it does not. */
  readonly given: number | null;
}

function isLast(
  { ask }: Pagination,
  { first, items, longest, given }: WalkProgress,
  { length, total }: { readonly length: number; readonly total: number | null },
): boolean {
  // A page that is shorter than what was asked for may be as long as the service makes them: the next one tells.
  if (total === null) return length < Math.max(longest, given ?? 0);
  // A service may give smaller pages than it is asked for, so that its own pages tell what lies before the first one read.
  const before = ask.by === "offset" ? first : (first - ask.first) * longest;
  return before + items >= total;
}

/** Tells whether a page with the same items was there before. Only digests are kept. */
function createRepeats(): (items: readonly unknown[]) => boolean {
  const seen = new Set<string>();
  return (items) => {
    const digest = createHash("sha256").update(JSON.stringify(items)).digest("base64");
    const known = seen.has(digest);
    seen.add(digest);
    return known;
  };
}

const firstOf = ({ ask }: Pagination): number => (ask.by === "page" ? ask.first : 0);

/** The largest piece that the endpoint gives; null: it does not say, and is asked for its own size. */
function largest(endpoint: Endpoint, { in: part, size }: PageParameters): number | null {
  const schema = part === "query" ? endpoint.query : endpoint.body;
  if (schema === undefined || schema === "bytes") return null;
  const member = memberAt(schema, size);
  return member === null ? null : maximumOf(member);
}

/** How many items there are, as the answer says; null: it does not. */
function totalOf({ total }: Pagination, { value, headers }: PageResponse): number | null {
  if (total.in === "body") {
    const found = at(value, total.path);
    return typeof found === "number" ? found : null;
  }
  const text = total.names.map((name) => headers[name]).find((found) => found !== undefined);
  return wholeNumber(text);
}

/** Every service that states the size of its pages calls the header so (document 1, section 8). */
const pageSizeOf = ({ headers }: PageResponse): number | null => wholeNumber(headers["x-page-size"]);

const wholeNumber = (text = ""): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
