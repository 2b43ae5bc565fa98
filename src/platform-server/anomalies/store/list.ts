import { type Expression, type Kysely, type Selectable, sql } from "kysely";
import type { Sql } from "../../area/perspective-filter.ts";
import type { AnomalyTables, TextColumn } from "./tables.ts";

export type AnomalyRow = Selectable<AnomalyTables["platform_anomalies"]>;
export type AmountColumn = "actual_amount" | "expected_amount" | "anomalous_spend";
export type ShownColumn = TextColumn | AmountColumn | "time_ms";

/** Which anomalies of an account. `condition`: over `platform_anomalies`. */
export interface AnomalyCriteria {
  readonly account: string;
  readonly condition: Sql;
}

/** Returns a query for the matching anomalies. */
export const selectMatchingAnomalies = (db: Kysely<AnomalyTables>, { account, condition }: AnomalyCriteria) =>
  db.selectFrom("platform_anomalies").where("platform_anomalies.account", "=", account).where(condition);

const NUMBERS: readonly ShownColumn[] = ["actual_amount", "expected_amount", "anomalous_spend", "time_ms"];

export interface Piece {
  readonly limit: number;
  readonly offset: number;
}

export interface Order<Column> {
  readonly by: Column;
  readonly descending: boolean;
}

/**
 * Returns one page of the matching anomalies: in the given orders with missing values last, then newest
 * first, then by id.
 */
export function listAnomalies(
  db: Kysely<AnomalyTables>,
  criteria: AnomalyCriteria,
  { orders, limit, offset }: Piece & { readonly orders: readonly Order<ShownColumn>[] },
): Promise<AnomalyRow[]> {
  const sorted = orders.map(({ by, descending }) => buildOrder(toSortable(by), descending));
  return selectMatchingAnomalies(db, criteria)
    .selectAll("platform_anomalies")
    .orderBy(sql.join([...sorted, sql`time_ms desc nulls last`, sql`id collate "C"`]))
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Returns the number of groups of the matching anomalies. Without columns there is one group. */
export async function countGroups(
  db: Kysely<AnomalyTables>,
  criteria: AnomalyCriteria,
  columns: readonly ShownColumn[],
): Promise<number> {
  if (columns.length === 0) return 1;
  const row = await selectMatchingAnomalies(db, criteria)
    .select(sql<number>`count(*) over ()`.as("groups"))
    .groupBy(columns.map((name) => selectColumn(name)))
    .limit(1)
    .executeTakeFirst();
  return row?.groups ?? 0;
}

/** One number per group. `COUNT`: the number of anomalies with a value. */
export interface Aggregation {
  readonly operation: "SUM" | "MAX" | "MIN" | "AVG" | "COUNT";
  readonly column: ShownColumn;
}

export interface AnomalyGroup {
  readonly columns: Partial<Record<ShownColumn, string | number | null>>;
  readonly anomalies: number;
  /** Decimal texts in the requested order; null: no anomaly of the group has a value. */
  readonly values: readonly (string | null)[];
}

export interface AnomalyGrouping extends Piece {
  readonly columns: readonly ShownColumn[];
  readonly aggregations: readonly Aggregation[];
  /** By a column of the group, or by one of the aggregations (its index). */
  readonly orders: readonly Order<ShownColumn | number>[];
}

/**
 * Returns one page of the groups of the matching anomalies: in the given orders, then by the groups' own
 * values. Without columns there is one group.
 */
export async function groupAnomalies(
  db: Kysely<AnomalyTables>,
  criteria: AnomalyCriteria,
  { columns, aggregations, orders, limit, offset }: AnomalyGrouping,
): Promise<AnomalyGroup[]> {
  const computed = aggregations.map(compute);
  const sorted = orders.map(({ by, descending }) =>
    buildOrder(typeof by === "number" ? (computed[by] ?? sql`null`) : toSortable(by), descending),
  );
  const rows = await selectMatchingAnomalies(db, criteria)
    .select([
      sql<number>`count(*)`.as("anomalies"),
      ...columns.map((name, index) => sql<string | number | null>`${selectColumn(name)}`.as(`c${index}`)),
      ...computed.map((value, index) => sql<string | null>`${value}::text`.as(`a${index}`)),
    ])
    .$if(columns.length > 0, (query) => query.groupBy(columns.map((name) => selectColumn(name))))
    .orderBy(
      sql.join([...sorted, ...columns.map((name) => buildOrder(toSortable(name), false)), sql`count(*)`]),
    )
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map((row) => {
    const found = row as unknown as Readonly<Record<string, string | number | null>>; // columns named by their index
    return {
      columns: Object.fromEntries(columns.map((name, index) => [name, found[`c${index}`] ?? null])),
      anomalies: row.anomalies,
      values: aggregations.map((_, index) => found[`a${index}`]?.toString() ?? null),
    };
  });
}

const selectColumn = (name: ShownColumn) => sql`${sql.ref(`platform_anomalies.${name}`)}`;

// Texts sort by code point, so that both engines agree.
const toSortable = (name: ShownColumn): Expression<unknown> =>
  NUMBERS.includes(name) ? selectColumn(name) : sql`${selectColumn(name)} collate "C"`;

const buildOrder = (value: Expression<unknown>, descending: boolean): Expression<unknown> =>
  descending ? sql`${value} desc nulls last` : sql`${value} asc nulls last`;

const COMPUTE: Readonly<
  Record<Aggregation["operation"], (value: Expression<unknown>) => Expression<unknown>>
> = {
  SUM: (value) => sql`sum(${value})`,
  MAX: (value) => sql`max(${value})`,
  MIN: (value) => sql`min(${value})`,
  AVG: (value) => sql`avg(${value})`,
  COUNT: (value) => sql`count(${value})`,
};

const compute = ({ operation, column: name }: Aggregation) => COMPUTE[operation](selectColumn(name));
