import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import { searchLine } from "../area/fold-case.ts";
import type { SnapshotKey } from "../area/keys.ts";
import { byName } from "./row-order.ts";
import {
  dropParked,
  listRunRows,
  type Move,
  moveRows,
  parkRun,
  type RunEdges,
  runEdges,
  type SortableRow,
  setRunTexts,
} from "./store/order.ts";
import type { CategoryKey } from "./store/rows.ts";
import { getPriority } from "./store/runs.ts";
import type { ChangeTables } from "./store/tables.ts";

/** Rows moved between two turns of the event loop, which the embedded database runs on. */
const AT_ONCE = 250;

/**
 * Sorts rows of one change type across pages. Each page is sorted already, and uploaders split sorted lists,
 * so usually nothing has to be moved; rows of overlapping pages are distributed again over the same runs.
 */
export async function sortRuns(trx: Kysely<ChangeTables>, snapshot: SnapshotKey): Promise<void> {
  const { account, snapshot_id } = snapshot;
  const groups = Map.groupBy(
    await runEdges(trx, snapshot),
    ({ category, run }) => `${category}/${getPriority(run)}`,
  );
  for (const runs of groups.values()) {
    const [first] = runs;
    if (first === undefined || isSorted(runs)) continue;
    await distributeRows(trx, { account, snapshot_id, category: first.category }, runs);
  }
}

const isSorted = (runs: readonly RunEdges[]): boolean =>
  runs.every((run, index) => {
    const next = runs[index + 1];
    if (next === undefined) return true;
    const last = { name: run.last_name, resource_address: run.last_address };
    return byName(last, { name: next.first_name, resource_address: next.first_address }) <= 0;
  });

async function distributeRows(
  trx: Kysely<ChangeTables>,
  key: CategoryKey,
  runs: readonly RunEdges[],
): Promise<void> {
  const rows: SortableRow[] = [];
  for (const { run } of runs) {
    for (const row of await listRunRows(trx, key, run)) rows.push(row);
    await parkRun(trx, key, run);
    await setImmediate();
  }
  rows.sort(byName);
  let dealt = 0;
  for (const { run, elements } of runs) {
    await fill(trx, key, { run, rows: rows.slice(dealt, dealt + elements) });
    dealt += elements;
  }
  for (const { run } of runs) await dropParked(trx, key, run);
}

async function fill(
  trx: Kysely<ChangeTables>,
  key: CategoryKey,
  { run, rows }: { readonly run: number; readonly rows: readonly SortableRow[] },
): Promise<void> {
  const moves = rows.map((from, position): Move => ({ from, to: { run, position } }));
  for (let at = 0; at < moves.length; at += AT_ONCE) {
    await moveRows(trx, key, moves.slice(at, at + AT_ONCE));
    await setImmediate();
  }
  await setRunTexts(trx, key, {
    run,
    search: rows.map(({ resource_address, name }) => searchLine(resource_address, name)).join("\n"),
    facets: JSON.stringify(rows.map(({ facet }) => facet)),
  });
}
