import { sql } from "kysely";
import { z } from "zod";

/** Lines of each list that are read at once. The embedded database and `JSON.parse` block the event loop meanwhile. */
const SLICE = 1_500;
/** Stored size from which the lists are read apart, in bytes: some thousand lines, which are compressed. */
const LARGE_BYTES = 50_000;

/** The lists of an evaluation that may have any length. */
export interface LongLists {
  readonly resources: readonly unknown[];
  readonly rows: readonly unknown[];
}

const EVALUATION = sql.ref("found.evaluation");
const RESOURCES = "$.value.report.resources";
const ROWS = "$.value.report.rows";

const IS_LARGE = sql`pg_column_size(${EVALUATION}) > ${sql.lit(LARGE_BYTES)}`;

/** The columns of an evaluation: a large one without its long lists, and their length; null: the lists are in it. */
export const WITHOUT_LONG_LISTS = [
  sql<unknown>`case when ${IS_LARGE} then ${EVALUATION} #- '{value,report,resources}' #- '{value,report,rows}'
    else ${EVALUATION} end`.as("evaluation"),
  sql<number | null>`case when ${IS_LARGE} then greatest(
    jsonb_path_query_first(${EVALUATION}, ${sql.lit(`${RESOURCES}.size()`)})::int,
    jsonb_path_query_first(${EVALUATION}, ${sql.lit(`${ROWS}.size()`)})::int) end`.as("length"),
] as const;

const selectSlice = (list: string, from: number) =>
  sql<readonly unknown[]>`jsonb_path_query_array(${EVALUATION},
    ${sql.lit(`${list}[${from} to ${from + SLICE - 1}]`)})`;

/** The columns with the lines of each list from a number on. */
const selectSlices = (from: number) =>
  [selectSlice(RESOURCES, from).as("resources"), selectSlice(ROWS, from).as("rows")] as const;

export type SliceColumns = ReturnType<typeof selectSlices>;

/** Reads lists of a length in slices; null: `readSlice` found that the evaluation is not the same any more. */
export async function readLongLists(
  length: number,
  readSlice: (columns: SliceColumns) => Promise<LongLists | null>,
): Promise<LongLists | null> {
  const slices: LongLists[] = [];
  for (let from = 0; from < length; from += SLICE) {
    const slice = await readSlice(selectSlices(from));
    if (slice === null) return null;
    slices.push(slice);
  }
  return {
    resources: slices.flatMap(({ resources }) => resources),
    rows: slices.flatMap(({ rows }) => rows),
  };
}

const Envelope = z.looseObject({ value: z.looseObject({ report: z.looseObject({}) }) });

/** The stored evaluation with the lists that were read apart. */
export function insertLongLists(evaluation: unknown, lists: LongLists): unknown {
  const { value, ...rest } = Envelope.parse(evaluation);
  return { ...rest, value: { ...value, report: { ...value.report, ...lists } } };
}
