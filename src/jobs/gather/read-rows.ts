import type { PlatformClient } from "../../platform/client.ts";
import { listChangeRows } from "../../platform/contract/resource-changes.ts";
import type { Category, ChangeRow } from "../../platform/contract/shapes/change-snapshot.ts";
import type { Outcome } from "../../platform/errors.ts";

/** One stage run of an execution on the platform. */
export interface StageRef {
  readonly org: string;
  readonly project: string;
  readonly pipeline_execution_id: string;
  readonly pipeline_stage_id: string;
}

/** Rows of a category of one stage that are read, at most. */
export const MAX_ROWS = 2_000;
const PAGE = 100;

interface PageRef {
  readonly category: Category;
  /** Counts from 1. */
  readonly page: number;
  readonly search?: string;
  /** Only resources that move to another address. */
  readonly moved?: true;
}

/** One page of rows, and how many there are on all pages. */
export interface RowPage {
  readonly rows: readonly ChangeRow[];
  readonly total: number;
}

export async function readPage(
  platform: PlatformClient,
  stage: StageRef,
  { category, page, search, moved }: PageRef,
): Promise<Outcome<RowPage>> {
  const filter = { ...(search === undefined ? {} : { search }), ...(moved === undefined ? {} : { moved }) };
  const query = { page, page_size: PAGE, ...filter };
  const answer = await platform.call(listChangeRows, { params: { ...stage, category }, query });
  return answer.ok
    ? { ...answer, value: { rows: answer.value.rows, total: answer.value.totalItems } }
    : answer;
}

/** Numbers of the pages that hold the ordinals from `start` up to but not including `end`. */
export function pagesOf(start: number, end: number): readonly number[] {
  if (end <= start) return [];
  const first = Math.floor(start / PAGE) + 1;
  const last = Math.ceil(end / PAGE);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Further pages at once, without the first, which was read before; `complete`: none is missing. */
export async function readPages(
  platform: PlatformClient,
  stage: StageRef,
  { category, pages }: { readonly category: Category; readonly pages: readonly number[] },
): Promise<{ readonly rows: readonly ChangeRow[]; readonly complete: boolean }> {
  const wanted = [...new Set(pages)].filter((page) => page > 1).slice(0, MAX_ROWS / PAGE - 1);
  const read = await Promise.all(wanted.map((page) => readPage(platform, stage, { category, page })));
  return {
    rows: read.flatMap((answer) => (answer.ok ? answer.value.rows : [])),
    complete: read.every(({ ok }) => ok),
  };
}
