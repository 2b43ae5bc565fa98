/** The paging of a list: its request parameters, and the places of items and total in its answer. */
export interface Pagination {
  readonly ask: AskByPage | AskByOffset;
  /** Path to the list in the answer; empty: the answer is the list. */
  readonly items: readonly string[];
  /**
   * The place of the total number of items in an answer. The list of a service without a total ends with the
   * first incomplete page.
   */
  readonly total: TotalPlace;
  /** The service's own headers, in addition to those of document 1; names in lower case. */
  readonly headers?: PageHeaders;
}

interface AskByPage {
  readonly by: "page";
  readonly in: "query";
  /** Names of the parameters for the page's number and its size. */
  readonly page: string;
  readonly size: string;
  /** Number of the first page. */
  readonly first: 0 | 1;
}

interface AskByOffset {
  readonly by: "offset";
  readonly in: "query" | "body";
  /** Paths of the members for the number of items to skip and to return; in a query, one name each. */
  readonly offset: readonly string[];
  readonly limit: readonly string[];
  /** Default number of items of a page. */
  readonly defaultLimit: number;
}

type TotalPlace =
  /** Response headers; the first present one counts. Names in lower case. */
  | { readonly in: "headers"; readonly names: readonly string[] }
  | { readonly in: "body"; readonly path: readonly string[] };

/** The figures in the headers of a page. `next` is omitted on the last page. */
export type PageFigure = "total" | "page" | "size" | "pages" | "next";
export type PageHeaders = Readonly<Record<string, PageFigure>>;

/** Every header of a list's pages: those of document 1 (section 8), then the service's own. */
export const getPageHeaders = ({ headers = {} }: Pagination): PageHeaders => ({
  "x-total-elements": "total",
  "x-page-number": "page",
  "x-page-size": "size",
  ...headers,
});

/** The header families of document 1 (section 8) and of document 3's service; code hosting's own names come last. */
export const TOTAL_HEADERS = {
  in: "headers",
  names: ["x-total-elements", "x-total-items", "x-total"],
} as const satisfies TotalPlace;

/** Returns the value at a path; undefined when it does not exist. */
export function getAtPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) =>
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? (found as Readonly<Record<string, unknown>>)[name] // it has this member
        : undefined,
    value,
  );
}

export function withAt(value: unknown, path: readonly string[], member: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return member;
  const own = typeof value === "object" && value !== null ? value : {};
  return { ...own, [name]: withAt(getAtPath(own, [name]), rest, member) };
}
