import type { PerspectiveField } from "../../platform/contract/shapes/perspective-filter.ts";
import type { LabelName, TimeColumn } from "./store/conditions.ts";
import type { TextColumn } from "./store/tables.ts";

/** Fields of recommendations that perspective filters may name, by their `fieldId`. */
const TEXT_FIELDS: Readonly<Record<string, TextColumn>> = {
  cloudProvider: "cloud_provider",
  cloudAccountId: "cloud_account_id",
  cloudAccountName: "cloud_account_name",
  region: "region",
  clusterName: "cluster_name",
  namespace: "namespace",
  workloadName: "resource_name",
  resourceName: "resource_name",
  resourceId: "resource_id",
  resourceType: "resource_type",
  resourceGroup: "resource_group",
  instanceType: "instance_type",
  csClusterName: "cs_cluster_name",
  csLaunchType: "cs_launch_type",
  governanceRuleName: "governance_rule_name",
  perspectiveId: "perspective_id",
  recommendationState: "state",
  verificationStatus: "verification_status",
  appliedByUserName: "applied_by_user_name",
};

/** `startTime` is what perspectives call the time that they are about: here, when a recommendation was generated. */
const TIME_FIELDS: Readonly<Record<string, TimeColumn>> = {
  startTime: "generated_ms",
  createdAt: "created_ms",
  lastProcessedAt: "processed_ms",
  appliedAt: "applied_ms",
  updatedAt: "updated_ms",
};

const LABEL_FIELD = "labels.value";
const CATEGORY_FIELD = "businessMapping";

/** Every identifier that a perspective filter may name, in order. */
export const SUPPORTED_FIELDS: readonly string[] = [
  ...Object.keys(TEXT_FIELDS),
  LABEL_FIELD,
  CATEGORY_FIELD,
  ...Object.keys(TIME_FIELDS),
].sort();

/** The place of a field's stored values, or the problem of the field. */
export type FieldPlace =
  | { readonly on: TextColumn }
  | { readonly label: LabelName }
  | { readonly member: "fieldId" | "fieldName"; readonly error: string };

/** Returns the place of a field. For a label, `fieldName` is its key; for a cost category, the category. */
export function findFieldPlace(field: PerspectiveField): FieldPlace {
  if (isLabel(field)) return createLabelPlace(field);
  if (isCategory(field)) return createCategoryPlace(field);
  const on = Object.hasOwn(TEXT_FIELDS, field.fieldId) ? TEXT_FIELDS[field.fieldId] : undefined;
  return on === undefined ? createUnknownFieldError(TEXT_FIELDS) : { on };
}

function createLabelPlace({ fieldId, fieldName }: PerspectiveField): FieldPlace {
  const key = fieldName ?? (fieldId === LABEL_FIELD ? undefined : fieldId);
  return key === undefined ? createMissingNameError("the label's key") : { label: { kind: "tag", key } };
}

const createCategoryPlace = ({ fieldName }: PerspectiveField): FieldPlace =>
  fieldName === undefined
    ? createMissingNameError("the cost category's name")
    : { label: { kind: "cost-category", key: fieldName } };

const isLabel = ({ fieldId, identifier }: PerspectiveField): boolean =>
  identifier === "LABEL" || identifier === "LABEL_V2" || fieldId === LABEL_FIELD;

const isCategory = ({ fieldId, identifier }: PerspectiveField): boolean =>
  identifier === "BUSINESS_MAPPING" || fieldId === CATEGORY_FIELD;

/** Returns the time that a field names, or the problem of the field. */
export function findTimeColumn({
  fieldId,
}: PerspectiveField): { readonly time: TimeColumn } | Extract<FieldPlace, { member: string }> {
  const time = Object.hasOwn(TIME_FIELDS, fieldId) ? TIME_FIELDS[fieldId] : undefined;
  return time === undefined ? createUnknownFieldError(TIME_FIELDS) : { time };
}

const createMissingNameError = (what: string) =>
  ({ member: "fieldName", error: `expected ${what}` }) as const;

const createUnknownFieldError = (known: Readonly<Record<string, unknown>>) =>
  ({ member: "fieldId", error: `expected one of ${Object.keys(known).join(", ")}` }) as const;
