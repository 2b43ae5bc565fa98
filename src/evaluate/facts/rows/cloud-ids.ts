import type { PlatformClient } from "../../../platform/client.ts";
import { listChanges } from "../../../platform/contract/own-operations.ts";
import type { UnknownReason } from "../../../report/model/facts.ts";
import { toUnknownReason } from "../platform/platform-facts.ts";
import {
  listPageNumbers,
  MAX_ROWS,
  readPage,
  readPages,
  removeDuplicateRows,
  type StageRef,
} from "../platform/read-rows.ts";

/** A resource of the state before the plan, with its id in the cloud. */
export interface CloudId {
  readonly provider: string;
  readonly type: string;
  readonly resourceId: string;
}

/** Ids by address. `complete`: every resource of the state was read. */
export interface CloudIds {
  readonly ids: ReadonlyMap<string, CloudId>;
  readonly complete: boolean;
}

/** Reads the cloud ids of the resources that a stage manages; a text: the reason why they are unknown. */
export async function readCloudIds(
  platform: PlatformClient,
  stage: StageRef,
): Promise<CloudIds | UnknownReason> {
  const first = await readPage(platform, stage, { category: "resources", page: 1 });
  if (!first.ok) {
    if (first.failure.kind === "not_found") return readIdsFromListing(platform, stage);
    return toUnknownReason(first.failure);
  }
  const { total, paging } = first.value;
  const pages = listPageNumbers(0, Math.min(total, MAX_ROWS), paging);
  const more = await readPages(platform, stage, { category: "resources", pages, first: first.value });
  const rows = removeDuplicateRows([...first.value.rows, ...more.rows]);
  return { ids: buildIdMap(rows), complete: more.complete && rows.length >= total };
}

/** Reads the ids from the listing of a stage that is not indexed; the listing contains all resources. */
async function readIdsFromListing(
  platform: PlatformClient,
  { org, project, pipeline_execution_id, pipeline_stage_id }: StageRef,
): Promise<CloudIds | UnknownReason> {
  const answer = await platform.call(listChanges, {
    params: { org, project, pipeline_execution_id },
    query: { pipeline_stage_id },
  });
  if (answer.ok) return { ids: buildIdMap(answer.value.resources), complete: true };
  return answer.failure.kind === "not_found" ? "not_indexed" : toUnknownReason(answer.failure);
}

interface StateRow {
  readonly resource_address?: string | undefined;
  readonly resource_id?: string | undefined;
  readonly provider?: string | undefined;
  readonly type?: string | undefined;
}

const buildIdMap = (rows: readonly StateRow[]): ReadonlyMap<string, CloudId> =>
  new Map(
    rows.flatMap(({ resource_address: address, resource_id: resourceId, provider, type }) =>
      address && resourceId && provider && type ? [[address, { provider, type, resourceId }] as const] : [],
    ),
  );
