import type { Endpoint } from "../../platform/contract/endpoint.ts";
import {
  getPageHeaders,
  type PageFigure,
  type Pagination,
} from "../../platform/contract/shapes/pagination.ts";
import { getAtPath } from "../../platform/contract/wire/codec.ts";

/** A piece of a list: its number, how many items it may hold, and how many pieces' items there are in all. */
interface Page {
  readonly number: number;
  readonly size: number;
  readonly total: number;
  /** Number of the first page. */
  readonly first: number;
}

/**
 * The headers of an answer that is a piece of a list; none for other answers. `input` is the request as its endpoint reads
 * it, `total` what the handler counted where the body does not say it.
 */
export function pageHeaders(
  { pagination }: Pick<Endpoint, "pagination">,
  input: unknown,
  reply: { readonly body: unknown; readonly total?: number },
): Readonly<Record<string, string>> {
  if (pagination === undefined) return {};
  const total = pagination.total.in === "body" ? getAtPath(reply.body, pagination.total.path) : reply.total;
  const figures = computePageFigures({ ...computePage(pagination, input), total: readNumber(total, 0) });
  return Object.fromEntries(
    Object.entries(getPageHeaders(pagination)).flatMap(([name, figure]) => {
      const value = figures[figure];
      return value === null ? [] : [[name, `${value}`]];
    }),
  );
}

function computePage({ ask }: Pagination, input: unknown): Omit<Page, "total"> {
  const part = getAtPath(input, [ask.in]);
  if (ask.by === "page") {
    const { first } = ask;
    return {
      number: readNumber(getAtPath(part, [ask.page]), first),
      size: readNumber(getAtPath(part, [ask.size]), 1),
      first,
    };
  }
  const size = readNumber(getAtPath(part, ask.limit), ask.defaultLimit);
  // Document 1 counts pages from 1.
  return { number: Math.floor(readNumber(getAtPath(part, ask.offset), 0) / size) + 1, size, first: 1 };
}

const readNumber = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;

function computePageFigures({
  number,
  size,
  total,
  first,
}: Page): Readonly<Record<PageFigure, number | null>> {
  const pages = Math.ceil(total / size);
  return { total, page: number, size, pages, next: number - first + 1 < pages ? number + 1 : null };
}
