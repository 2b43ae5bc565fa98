import {
  isSecretName,
  KNOWN_AFTER_APPLY,
  listPairedSecrets,
  redactCredentials,
} from "../../kernel/redact-credentials.ts";
import { cutText } from "../../kernel/shorten.ts";
import type { PlatformClient } from "../../platform/client.ts";
import { type Category, type ChangeRow, getChangeRow } from "../../platform/contract/resource-changes.ts";
import type {
  AttributeChange,
  AttributeValue,
  ChangedOutputs,
  ChangeKind,
  ResourceChange,
  RowAttributes,
  StageFacts,
} from "../../report/model/facts.ts";
import { findStageDetails, saveStageDetails } from "../../store/final-facts.ts";
import type { JobDeps } from "../run/deps.ts";
import { buildExecutionKey, toStageRef } from "./executions.ts";
import { toUnknownReason } from "./platform-facts.ts";
import { readRowPage } from "./read-rows.ts";

/** The change of one attribute, in any shape that the source uses; not validated. */
export interface SourceChange {
  readonly old?: unknown;
  readonly new?: unknown;
  readonly sensitive?: boolean | undefined;
}

/** Changes whose attributes are shown; in a creation or deletion all attributes change. */
export const ATTRIBUTE_CHANGE_KINDS: readonly ChangeKind[] = ["replaced", "drifted", "changed"];

/** Most attribute changes per resource. */
const MAX_CHANGES = 8;
/** Most differences inside an attribute; with more, the attribute is shown as a whole. */
const MAX_INSIDE = 4;
const DEPTH = 4;
/** Longest text, in characters; a template may shorten it further. */
const MAX_TEXT = 120;

/**
 * Returns the changes inside the attributes of one resource, by path (`root_block_device.0.volume_size`). Values that are marked as
 * sensitive, have a name that suggests a secret or look like a credential are redacted.
 */
export function buildAttributeChanges(
  changes: Readonly<Record<string, SourceChange>>,
  sensitive: ReadonlySet<string> = new Set(),
): readonly AttributeChange[] {
  return Object.entries(changes)
    .flatMap(([name, change]) => {
      if (change.sensitive === true || sensitive.has(name)) return [redactChange(name, change)];
      return findDifferences({ path: name, before: change.old, after: change.new }, DEPTH);
    })
    .slice(0, MAX_CHANGES);
}

interface ValuePair {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the differences of two values; one difference for the whole values when their shapes differ or there are too many. */
function findDifferences(pair: ValuePair, depth: number): readonly AttributeChange[] {
  if (isSecretName(pair.path)) return [redactChange(pair.path, { old: pair.before, new: pair.after })];
  const [before, after] = [getMembers(pair.before), getMembers(pair.after)];
  const isAlike =
    before !== null && after !== null && Array.isArray(pair.before) === Array.isArray(pair.after);
  if (!isAlike || depth === 0) return [toWholeChange(pair)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const secrets = [...listPairedSecrets(before), ...listPairedSecrets(after)];
  const inside = names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .flatMap((name) => {
      const path = `${pair.path}.${name}`;
      if (secrets.includes(name)) return [redactChange(path, { old: before[name], new: after[name] })];
      return findDifferences({ path, before: before[name], after: after[name] }, depth - 1);
    });
  return inside.length > MAX_INSIDE || inside.length === 0 ? [toWholeChange(pair)] : inside;
}

const toWholeChange = ({ path, before, after }: ValuePair): AttributeChange => ({
  name: path,
  before: describeValue(before),
  after: describeValue(after),
});

const redactChange = (name: string, change: SourceChange): AttributeChange => ({
  name,
  before: change.old == null ? { kind: "none" } : { kind: "sensitive" },
  after: change.new == null ? { kind: "none" } : { kind: "sensitive" },
});

function getMembers(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null ? { ...value } : null;
}

function describeValue(value: unknown): AttributeValue {
  if (value === null || value === undefined || value === "") return { kind: "none" };
  if (typeof value === "string") return toTextValue(value);
  if (typeof value !== "object") return { kind: "text", text: String(value) };
  return { kind: Array.isArray(value) ? "list" : "map", count: Object.keys(value).length };
}

function toTextValue(text: string): AttributeValue {
  if (text === KNOWN_AFTER_APPLY) return { kind: "later" };
  const document = parseDocument(text);
  if (document !== null) return { kind: "document", count: Object.keys(document).length };
  if (redactCredentials(text) !== text) return { kind: "sensitive" };
  return { kind: "text", text: text.length > MAX_TEXT ? `${cutText(text, MAX_TEXT)}…` : text };
}

/** Parses a text that contains a JSON object or array, such as an access policy; null: it contains none. */
function parseDocument(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === "object" ? document : null;
  } catch {
    return null;
  }
}

/** In the order in which they are shown: first what others may depend on. */
const OUTPUT_CHANGES = ["deleted", "changed", "added"] as const;

/** The members of a row of an output that are read. */
export type OutputRow = Pick<ChangeRow, "name" | "change" | "sensitive" | "value">;

/** Returns the outputs that change among these rows, with their values redacted as those of attributes; empty: none does. */
export function buildOutputs(
  rows: readonly OutputRow[],
  isWhole: boolean,
): { readonly outputs?: ChangedOutputs } {
  const listed = OUTPUT_CHANGES.flatMap((change) =>
    rows.flatMap(({ name, sensitive, value, ...row }) => {
      if (name === undefined || row.change !== change) return [];
      const [shown] = buildAttributeChanges({ [name]: { new: value, sensitive } });
      return shown === undefined ? [] : [{ name, change, value: shown.after }];
    }),
  );
  return listed.length === 0 ? {} : { outputs: { listed, isWhole } };
}

/** Reads the outputs that a stage changes: one page. Empty: there are none, they are known already, or they cannot be read. */
async function readOutputs(
  platform: PlatformClient,
  stage: StageFacts,
): Promise<Pick<StageFacts, "outputs">> {
  if (stage.outputRows === undefined || stage.outputs !== undefined || !stage.proven) return {};
  const answer = await readRowPage(platform, toStageRef(stage), { category: "outputs", page: 1 });
  if (!answer.ok) return {};
  const { rows, total } = answer.value;
  // Unchanged ones are the last.
  return buildOutputs(rows, rows.length >= total || rows.at(-1)?.change === "unchanged");
}

/** Most rows of one pull request whose attributes are read, one call each. */
const MAX_ASKED = 20;

/**
 * Adds the changed outputs, and attribute changes to the most important rows of the stages: stored ones, which are final because a snapshot never changes, else
 * from the platform.
 */
export async function readAttributes(
  deps: Pick<JobDeps, "db" | "operator">,
  platform: PlatformClient,
  stages: readonly StageFacts[],
): Promise<readonly StageFacts[]> {
  const stored = await Promise.all(stages.map((stage) => addStoredDetails(deps, stage)));
  const read = new Map<ResourceChange, RowAttributes>();
  const [outputs] = await Promise.all([
    Promise.all(stored.map((stage) => readOutputs(platform, stage))),
    ...selectRowsToRead(stored).map(async ({ stage, row }) => {
      read.set(row, await readRowAttributes(platform, stage, row));
    }),
  ]);
  return stored.map((stage, at) => ({
    ...addToRows(stage, (row) => read.get(row)),
    ...outputs[at],
  }));
}

/** Returns the stage with more about its rows; undefined: nothing of a row. */
export function addToRows(
  stage: StageFacts,
  find: (row: ResourceChange) => Partial<ResourceChange> | undefined,
): StageFacts {
  if (stage.rows.state !== "known") return stage;
  const { value } = stage.rows;
  const rows = value.rows.map((row) => ({ ...row, ...find(row) }));
  return { ...stage, rows: { state: "known", value: { ...value, rows } } };
}

export const getCategory = ({ change }: ResourceChange): Category =>
  change === "drifted" ? "drift_changes" : "planned_changes";

/** Returns the key of a row in the platform's listing. */
export const buildRowKey = (row: ResourceChange): string => `${getCategory(row)}/${row.ordinal ?? ""}`;

export interface StageRow {
  readonly stage: StageFacts;
  readonly row: ResourceChange;
}

/**
 * Returns the rows to read: replaced and drifted ones first, then changed ones with a cost, then the others.
 * Rows with known attributes are left out.
 */
function selectRowsToRead(stages: readonly StageFacts[]): readonly StageRow[] {
  return stages
    .flatMap(weighRows)
    .sort((a, b) => a.weight - b.weight)
    .slice(0, MAX_ASKED)
    .filter(({ row }) => row.changedAttributes === undefined && row.attributesBecause === undefined);
}

function weighRows(stage: StageFacts): readonly (StageRow & { readonly weight: number })[] {
  const { rows, cost, proven } = stage;
  if (rows.state !== "known" || !proven) return [];
  const groups = cost.state === "known" ? cost.value.groups : [];
  const priced = new Set(groups.flatMap(({ resources }) => resources.map(({ address }) => address)));
  return rows.value.rows
    .filter(({ change, ordinal }) => ATTRIBUTE_CHANGE_KINDS.includes(change) && ordinal !== undefined)
    .map((row) => ({
      stage,
      row,
      weight: ATTRIBUTE_CHANGE_KINDS.indexOf(row.change) * 2 + (priced.has(row.address) ? 0 : 1),
    }));
}

async function readRowAttributes(
  platform: PlatformClient,
  stage: StageFacts,
  row: ResourceChange,
): Promise<RowAttributes> {
  const params = { ...toStageRef(stage), category: getCategory(row), ordinal: row.ordinal ?? 0 } as const;
  const answer = await platform.call(getChangeRow, { params });
  if (answer.ok) {
    const { changes, sensitive_attributes: sensitive } = answer.value;
    return {
      changedAttributes: Object.keys(changes),
      attributeChanges: buildAttributeChanges(changes, new Set(sensitive)),
    };
  }
  // The row was listed, so only its attribute data is missing, permanently.
  const gone = answer.failure.kind === "not_found";
  return { attributesBecause: gone ? "past_retention" : toUnknownReason(answer.failure) };
}

async function addStoredDetails(
  { db, operator }: Pick<JobDeps, "db" | "operator">,
  stage: StageFacts,
): Promise<StageFacts> {
  const { attributes, outputs } = await findStageDetails(db, buildFactsKey(operator, stage));
  return { ...addToRows(stage, (row) => attributes[buildRowKey(row)]), ...(outputs && { outputs }) };
}

/** Saves the changed outputs and attributes of a stage once every requested attribute is known or permanently missing. */
export async function saveDetails(
  { db, clock, operator }: Pick<JobDeps, "db" | "clock" | "operator">,
  stage: StageFacts,
): Promise<void> {
  const rows = stage.rows.state === "known" ? stage.rows.value.rows.filter(hasAttributes) : [];
  const { outputs } = stage;
  if ((rows.length === 0 && outputs === undefined) || !rows.every(isFinal)) return;
  const attributes = Object.fromEntries(rows.map((row) => [buildRowKey(row), getAttributes(row)]));
  const details = { attributes, ...(outputs && { outputs }) };
  await saveStageDetails(db, { ...buildFactsKey(operator, stage), details }, new Date(clock.now()));
}

/** The key of what is stored of a stage beside its final facts. */
export const buildFactsKey = (operator: JobDeps["operator"], stage: StageFacts) => ({
  execution: buildExecutionKey(operator, stage),
  stageExecutionId: stage.stageExecutionId,
});

const hasAttributes = ({ ordinal, changedAttributes: names, attributesBecause }: ResourceChange): boolean =>
  ordinal !== undefined && (names !== undefined || attributesBecause !== undefined);

const isFinal = ({ attributesBecause: because }: ResourceChange): boolean =>
  because === undefined || because === "past_retention";

const getAttributes = ({
  changedAttributes,
  attributeChanges,
  attributesBecause,
}: ResourceChange): RowAttributes => ({
  ...(changedAttributes && { changedAttributes }),
  ...(attributeChanges && { attributeChanges }),
  ...(attributesBecause && { attributesBecause }),
});
