import { createHash } from "node:crypto";
import type { z } from "zod";
import type { Endpoint, LooseInput } from "./contract/endpoint.ts";
import type { Pagination } from "./contract/shapes/pagination.ts";
import { getAtPath, withAt } from "./contract/wire/codec.ts";

/** An endpoint with a paged answer. */
export type PagedEndpoint = Endpoint & { readonly pagination: Pagination };

/**
 * The state of the list after a page. `more`: further pages may follow. `last`: this page ends the list.
 * `over`: the list ended before this page. `repeated`: the page was read before.
 */
export type PageStep = "more" | "last" | "over" | "repeated";

/** The progress through a list: the next request, and whether one is needed. */
export interface PageWalk {
  next(): LooseInput;
  read(items: readonly unknown[], answer: PageResponse): PageStep;
  /** Returns true when the last page read may be the final one, so that the next may not exist. */
  canBeEnd(): boolean;
}

interface PageResponse {
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** The parameters of a request for the position and the size of a page. */
interface PageParameters {
  readonly in: "query" | "body";
  readonly position: readonly string[];
  readonly size: readonly string[];
}

const getPageParameters = ({ ask }: Pagination): PageParameters =>
  ask.by === "page"
    ? { in: ask.in, position: [ask.page], size: [ask.size] }
    : { in: ask.in, position: ask.offset, size: ask.limit };

export function createPageWalk(endpoint: PagedEndpoint, input: LooseInput): PageWalk {
  const { pagination } = endpoint;
  const places = getPageParameters(pagination);
  const requestedSize = getAtPath(input[places.in], places.size) ?? getLargestSize(endpoint, places);
  const size = typeof requestedSize === "number" && requestedSize > 0 ? requestedSize : null;
  const start = getAtPath(input[places.in], places.position);
  const first = typeof start === "number" ? start : getFirstPage(pagination);
  const repeats = createRepeats();
  const so = { first, size, pages: 0, items: 0, longest: 0, statedSize: null as number | null, short: false };
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
      so.statedSize = readPageSize(answer);
      const total = readTotal(pagination, answer);
      so.short = total === null && size !== null && items.length < size;
      if (items.length === 0) return "last";
      // A list without paging returns all items each time.
      if (repeats(items)) return so.short ? "over" : "repeated";
      return isLast(pagination, so, { length: items.length, total }) ? "last" : "more";
    },
    canBeEnd: () => so.short,
  };
}

/** Totals of the pages read so far. */
interface WalkProgress {
  readonly first: number;
  readonly items: number;
  readonly longest: number;
  /** Page size stated by the newest answer; null: not stated. */
  readonly statedSize: number | null;
}

function isLast(
  { ask }: Pagination,
  { first, items, longest, statedSize }: WalkProgress,
  { length, total }: { readonly length: number; readonly total: number | null },
): boolean {
  // A page shorter than requested may be the service's maximum: only the next page shows the end.
  if (total === null) return length < Math.max(longest, statedSize ?? 0);
  // A service may return smaller pages than requested, so the items before the first page are computed from its own size.
  const before = ask.by === "offset" ? first : (first - ask.first) * longest;
  return before + items >= total;
}

/** Returns a function that reports whether a page with the same items was read before. It stores digests only. */
function createRepeats(): (items: readonly unknown[]) => boolean {
  const digests = new Set<string>();
  return (items) => {
    const digest = createHash("sha256").update(JSON.stringify(items)).digest("base64");
    const known = digests.has(digest);
    digests.add(digest);
    return known;
  };
}

/**
 * Whether the first page of a list holds all of it: as its total states, or because it is shorter than any page size of a service
 * (registry webhooks and unit metrics have the smallest: 20).
 */
export function isWholeList<Item>(
  { pagination }: PagedEndpoint,
  answer: { readonly value: readonly Item[]; readonly headers: PageResponse["headers"] },
): boolean {
  const total = readTotal(pagination, answer);
  return total === null ? answer.value.length < SMALLEST_PAGE : answer.value.length >= total;
}

const SMALLEST_PAGE = 20;

const getFirstPage = ({ ask }: Pagination): number => (ask.by === "page" ? ask.first : 0);

/** Returns the endpoint's maximum page size; null: not stated, the service's default applies. */
function getLargestSize(endpoint: Endpoint, { in: part, size }: PageParameters): number | null {
  const schema = part === "query" ? endpoint.query : endpoint.body;
  if (schema === undefined || schema === "bytes") return null;
  const member = findMember(schema, size);
  return member === null ? null : findMaximum(member);
}

/** Returns the total number of items in the answer; null: not stated. */
function readTotal({ total }: Pagination, { value, headers }: PageResponse): number | null {
  if (total.in === "body") {
    const found = getAtPath(value, total.path);
    return typeof found === "number" ? found : null;
  }
  const text = total.names.map((name) => headers[name]).find((found) => found !== undefined);
  return parseWholeNumber(text);
}

/** All services that state a page size use this header (document 1, section 8). */
const readPageSize = ({ headers }: PageResponse): number | null => parseWholeNumber(headers["x-page-size"]);

const parseWholeNumber = (text = ""): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

type ZodSchema = z.core.$ZodType;

/** The used members of zod's definitions of wrappers and objects. */
interface LimitDefinition {
  readonly innerType?: ZodSchema;
  readonly in?: ZodSchema;
  readonly out?: ZodSchema;
  readonly shape?: Readonly<Record<string, ZodSchema>>;
  readonly checks?: readonly z.core.$ZodCheck[];
}

const getLimitDefinition = (schema: ZodSchema): LimitDefinition =>
  schema._zod.def as unknown as LimitDefinition; // members that any kind may have

/** Returns the maximum of a schema; null: no limit. */
function findMaximum(schema: ZodSchema): number | null {
  const { checks = [], innerType, in: input, out } = getLimitDefinition(schema);
  const limits = checks.map(toLimit).filter((limit) => limit < Number.MAX_SAFE_INTEGER);
  if (limits.length > 0) return Math.min(...limits);
  for (const inner of [innerType, input, out]) {
    const found = inner === undefined ? null : findMaximum(inner);
    if (found !== null) return found;
  }
  return null;
}

function toLimit(check: z.core.$ZodCheck): number {
  const { check: kind, value } = check._zod.def as { check: string; value?: unknown }; // members that any check may have
  return kind === "less_than" && typeof value === "number" ? value : Number.POSITIVE_INFINITY;
}

/** Returns the schema of the member at a path; null when it does not exist. */
function findMember(schema: ZodSchema, path: readonly string[]): ZodSchema | null {
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  const { shape, innerType, in: input, out } = getLimitDefinition(schema);
  const member = shape !== undefined && Object.hasOwn(shape, name) ? shape[name] : undefined;
  if (member !== undefined) return findMember(member, rest);
  for (const inner of [innerType, input, out]) {
    const found = inner === undefined ? null : findMember(inner, path);
    if (found !== null) return found;
  }
  return null;
}
