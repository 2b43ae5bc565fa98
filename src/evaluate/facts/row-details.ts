import { SENSITIVE } from "../../kernel/redact-credentials.ts";
import type { StatedTags } from "../../kernel/resource-tags.ts";
import { listTagAttributes, readTagAttributes } from "../../kernel/tag-forms.ts";
import type { PlatformClient } from "../../platform/client.ts";
import { type ChangeRowDetail, getChangeRow } from "../../platform/contract/resource-changes.ts";
import type { WantedFacts } from "../../policy/decide/wanted-facts.ts";
import type { Fact, ResourceChange, StageFacts, UnknownReason } from "../../report/model/facts.ts";
import {
  type AttributesByRow,
  buildResourceAttributes,
  buildRowId,
  createUnknownAttributes,
  type RowDetail,
  UNREAD_ATTRIBUTES,
} from "../../report/model/resource-attributes.ts";
import { findRowDetails, saveRowDetails } from "../../store/final-facts.ts";
import type { JobDeps } from "../run/deps.ts";
import { addToRows, buildFactsKey, buildRowKey, getCategory, type StageRow } from "./attribute-values.ts";
import { toStageRef } from "./executions.ts";
import { toUnknownReason, unknown } from "./platform-facts.ts";

/** Most rows of one pull request of which rules see attributes, because each is read by one call. */
export const MAX_DETAILED_ROWS = 200;
const PARALLEL_CALLS = 8;

/** What rules see of single rows. */
export interface RowDetails {
  /** The stages, with tags where their rows stated none. */
  readonly stages: readonly StageFacts[];
  /** Of every row but moves. They are in no report, and so in no stored evaluation. */
  readonly attributes: Fact<AttributesByRow>;
}

type RowDeps = Pick<JobDeps, "db" | "clock" | "operator" | "platform">;

/**
 * Reads the attributes of rows, if a rule needs them, and tags that the listing lacks. They are final, because a snapshot never changes:
 * what was read is stored with the execution, also that a row is past retention, and the rest is read by the next evaluation.
 */
export async function readRowDetails(
  deps: RowDeps,
  stages: readonly StageFacts[],
  { needsAttributes, needsTags }: Pick<WantedFacts, "needsAttributes" | "needsTags">,
): Promise<RowDetails> {
  const wanted = stages.flatMap((stage) =>
    listSeenRows(stage)
      .filter(({ tags }) => needsAttributes || (needsTags && tags === undefined))
      .map((row): StageRow => ({ stage, row })),
  );
  const otherwise = needsAttributes ? unknown("too_large") : UNREAD_ATTRIBUTES;
  if (wanted.length > MAX_DETAILED_ROWS) return { stages, attributes: otherwise };
  const read = new Map<ResourceChange, RowDetail>();
  const failures: UnknownReason[] = [];
  const byStage = [...Map.groupBy(wanted, ({ stage }) => stage)];
  for (const [stage, rows] of byStage)
    failures.push(...(await readStageDetails(deps, { stage, rows: rows.map(({ row }) => row), read })));
  const [failure] = failures;
  const known = wanted.flatMap(({ stage, row }) => {
    const detail = read.get(row);
    return detail === undefined ? [] : [[buildRowId(stage, row), detail.attributes] as const];
  });
  const tagged = stages.map((stage) => addToRows(stage, (row) => pickTags(read.get(row))));
  if (!needsAttributes) return { stages: tagged, attributes: UNREAD_ATTRIBUTES };
  if (failure !== undefined) return { stages: tagged, attributes: unknown(failure) };
  return { stages: tagged, attributes: { state: "known", value: Object.fromEntries(known) } };
}

/** The rows that conditions see: of a proven stage, without those that only move. */
export const listSeenRows = ({ rows, proven }: StageFacts): readonly ResourceChange[] =>
  rows.state === "known" && proven ? rows.value.rows.filter(({ change }) => change !== "moved") : [];

const pickTags = (detail: RowDetail | undefined): Pick<ResourceChange, "tags"> =>
  detail?.tags === undefined ? {} : { tags: detail.tags };

interface StageDetails {
  readonly stage: StageFacts;
  readonly rows: readonly ResourceChange[];
  /** Receives the details. */
  readonly read: Map<ResourceChange, RowDetail>;
}

/** Reads the details of rows of one stage: stored ones, else from the platform. Returns why some are unknown for now. */
async function readStageDetails(
  { db, clock, operator, platform }: RowDeps,
  { stage, rows, read }: StageDetails,
): Promise<readonly UnknownReason[]> {
  const key = buildFactsKey(operator, stage);
  const stored = await findRowDetails(db, key);
  const fresh: Record<string, RowDetail> = {};
  const failures: UnknownReason[] = [];
  const open = [...rows];
  const readNext = async (): Promise<void> => {
    for (let row = open.shift(); row !== undefined; row = open.shift()) {
      const known = stored[buildRowKey(row)];
      const detail = known ?? (await readRowDetail(platform, stage, row));
      if (typeof detail === "string") failures.push(detail);
      else read.set(row, detail);
      if (known === undefined && typeof detail === "object") fresh[buildRowKey(row)] = detail;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_CALLS }, readNext));
  if (Object.keys(fresh).length > 0)
    await saveRowDetails(db, { ...key, details: { ...stored, ...fresh } }, new Date(clock.now()));
  return failures;
}

/** Returns the details of a row, or why they are unknown for now. */
async function readRowDetail(
  platform: PlatformClient,
  stage: StageFacts,
  row: ResourceChange,
): Promise<RowDetail | UnknownReason> {
  if (row.ordinal === undefined) return "not_stated";
  const params = { ...toStageRef(stage), category: getCategory(row), ordinal: row.ordinal };
  const answer = await platform.call(getChangeRow, { params });
  if (answer.ok) {
    const { changes, sensitive_attributes: sensitive } = answer.value;
    const tags = row.tags ?? readDetailTags(row, answer.value);
    const attributes = buildResourceAttributes(changes, { change: row.change, sensitive });
    return { attributes, ...(tags !== undefined && { tags }) };
  }
  // The row was listed, so only its attribute data is missing, permanently.
  if (answer.failure.kind === "not_found") return { attributes: createUnknownAttributes("past_retention") };
  return toUnknownReason(answer.failure);
}

/** Undefined: the details state no tags, and the type may carry some. */
function readDetailTags(
  { type, change }: ResourceChange,
  { attributes, changes, sensitive_attributes: sensitive }: ChangeRowDetail,
): StatedTags | undefined {
  const isHalf = change === "replaced" && !Object.values(changes).some((own) => own.new != null);
  // The deleted half of a replacement states nothing of the tags afterwards.
  if (isHalf && listTagAttributes(type).length > 0) return undefined;
  const readSide = (side: "old" | "new") =>
    Object.fromEntries(
      listTagAttributes(type).flatMap((name) => {
        const own = changes[name];
        if (own === undefined && !Object.hasOwn(attributes, name)) return [];
        const isSensitive = own?.sensitive === true || sensitive.includes(name);
        const value = own === undefined ? attributes[name] : (own[side] ?? null);
        // What is masked as a whole may hold any tag.
        return [[name, isSensitive ? { [SENSITIVE]: SENSITIVE } : value]];
      }),
    );
  return readTagAttributes(type, {
    before: change === "added" ? null : readSide("old"),
    after: change === "deleted" || change === "removed" ? null : readSide("new"),
  });
}
