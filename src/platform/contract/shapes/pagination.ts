/** The paging of a list: its request parameters, and the places of items and total in its answer. */
export interface Pagination {
  readonly ask: AskByPage | AskByOffset;
  /** Path to the list in the answer; empty: the answer is the list. */
  readonly items: readonly string[];
  /** Where an answer says how many items there are in all. A service that does not say it ends with the first piece that is not full. */
  readonly total: TotalPlace;
  /** Headers of the service's own, beside those of document 1; names in lower case. */
  readonly headers?: PageHeaders;
}

interface AskByPage {
  readonly by: "page";
  readonly in: "query";
  /** Names of the parameters that hold the page's number and its size. */
  readonly page: string;
  readonly size: string;
  /** Number of the first page. */
  readonly first: 0 | 1;
}

interface AskByOffset {
  readonly by: "offset";
  readonly in: "query" | "body";
  /** Paths of the members that hold the number of items to leave out and to return; in a query, one name each. */
  readonly offset: readonly string[];
  readonly limit: readonly string[];
  /** Default number of items of a piece. */
  readonly defaultLimit: number;
}

type TotalPlace =
  /** Response headers, of which the first that is there counts; names in lower case. */
  | { readonly in: "headers"; readonly names: readonly string[] }
  | { readonly in: "body"; readonly path: readonly string[] };

/** What a header of a page says. `next` is left out of the last page. */
export type PageFigure = "total" | "page" | "size" | "pages" | "next";
export type PageHeaders = Readonly<Record<string, PageFigure>>;

/** Every header of a list's pages: document 1's own (section 8), then the service's. */
export const pageHeadersOf = ({ headers = {} }: Pagination): PageHeaders => ({
  "x-total-elements": "total",
  "x-page-number": "page",
  "x-page-size": "size",
  ...headers,
});

/** Both header families of the platform: documents 1 (section 8) and 3's service. Code hosting's own live names come last. */
export const TOTAL_HEADERS = {
  in: "headers",
  names: ["x-total-elements", "x-total-items", "x-total"],
} as const satisfies TotalPlace;
