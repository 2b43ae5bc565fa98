import type { PlatformClient } from "../../platform/client.ts";
import type { Category, ChangeRow } from "../../platform/contract/resource-changes.ts";
import { listChangeRows } from "../../platform/contract/resource-changes.ts";
import type { PlatformResult } from "../../platform/errors.ts";

/** One stage of an execution on the platform. */
export interface StageRef {
  readonly org: string;
  readonly project: string;
  readonly pipeline_execution_id: string;
  readonly pipeline_stage_id: string;
}

/** Most rows that are read per category of a stage. */
export const MAX_ROWS = 2_000;
/** Requested rows per page. */
const PAGE = 100;

/** How a platform pages its rows: the requested and the returned page size. */
export interface RowPaging {
  /**
   * Requested rows per page; null: the platform does not support the parameter, whose name is not documented.
   */
  readonly requestedSize: number | null;
  /** Rows of each page except the last. */
  readonly size: number;
}

interface PageRef {
  readonly category: Category;
  /** Counts from 1. */
  readonly page: number;
  readonly search?: string;
  /** Only resources that move to another address. */
  readonly moved?: true;
}

/** One page of rows, and the number of rows on all pages. */
export interface RowPage {
  readonly rows: readonly ChangeRow[];
  readonly total: number;
  readonly paging: RowPaging;
}

/** `requestedSize`: as an earlier page of the same list was asked for. */
export async function readRowPage(
  platform: PlatformClient,
  stage: StageRef,
  {
    category,
    page,
    search,
    moved,
    requestedSize = PAGE,
  }: PageRef & { readonly requestedSize?: number | null },
): Promise<PlatformResult<RowPage>> {
  const query = {
    page,
    ...(requestedSize === null ? {} : { page_size: requestedSize }),
    ...(search === undefined ? {} : { search }),
    ...(moved === undefined ? {} : { moved }),
  };
  const answer = await platform.call(listChangeRows, { params: { ...stage, category }, query });
  if (!answer.ok) {
    const isFiltered = search !== undefined || moved !== undefined;
    const isRefused = answer.failure.kind === "rejected" && requestedSize !== null && !isFiltered;
    return isRefused ? readRowPage(platform, stage, { category, page, requestedSize: null }) : answer;
  }
  const { rows, totalItems: total, pageSize } = answer.value;
  // A page with further pages after it is full, whatever page size it states.
  const size = rows.length > 0 && page === 1 && rows.length < total ? rows.length : Math.max(pageSize, 1);
  return { ...answer, value: { rows, total, paging: { requestedSize, size } } };
}

/** Returns the numbers of the pages of `size` rows with the ordinals from `start` to `end` (exclusive). */
export function listPageNumbers(
  start: number,
  end: number,
  { size }: Pick<RowPaging, "size">,
): readonly number[] {
  if (end <= start) return [];
  const first = Math.floor(start / size) + 1;
  const last = Math.ceil(end / size);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * Returns the rows of the first page, which was read before, and of further pages, which are read in parallel: all of them unless `pages`
 * selects some. `complete`: none of these pages is missing or incomplete.
 */
export async function readRowPages(
  platform: PlatformClient,
  stage: StageRef,
  {
    category,
    first,
    pages = listPageNumbers(0, Math.min(first.total, MAX_ROWS), first.paging),
  }: { readonly category: Category; readonly first: RowPage; readonly pages?: readonly number[] },
): Promise<{ readonly rows: readonly ChangeRow[]; readonly complete: boolean }> {
  const { requestedSize, size } = first.paging;
  const most = Math.floor(MAX_ROWS / size) - 1;
  const wanted = [...new Set(pages)].filter((page) => page > 1).slice(0, Math.max(0, most));
  const read = await Promise.all(
    wanted.map(async (page) => {
      const answer = await readRowPage(platform, stage, { category, page, requestedSize });
      const rows = answer.ok ? answer.value.rows : [];
      return { rows, isFull: rows.length >= Math.min(size, first.total - (page - 1) * size) };
    }),
  );
  return {
    rows: removeDuplicateRows([first, ...read].flatMap(({ rows }) => rows)),
    complete: read.every(({ isFull }) => isFull),
  };
}

/** Removes duplicate rows: pages of a service that changes their size overlap. */
export const removeDuplicateRows = (rows: readonly ChangeRow[]): readonly ChangeRow[] => [
  ...new Map(rows.map((row) => [row.ordinal, row])).values(),
];
