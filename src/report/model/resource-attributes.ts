import { z } from "zod";
import {
  isSecretName,
  KNOWN_AFTER_APPLY,
  listPairedSecrets,
  redactCredentials,
  SENSITIVE,
} from "../../kernel/redact-credentials.ts";
import { StatedTags } from "../../kernel/resource-tags.ts";
import { type Fact, type ResourceChange, type StageOrigin, UnknownReason } from "./facts.ts";
import { buildStageKey } from "./stage-label.ts";

/** Why a value is unknown. `later`: it is known only after the apply. `too_large`: it is larger or deeper than conditions read. */
const AttributeDoubt = z.enum(["later", "sensitive", ...UnknownReason.options]);
export type AttributeDoubt = z.infer<typeof AttributeDoubt>;

/** A redacted value: JSON, except that an object has its members under `members`, without those that are null. */
export type AttributeTree =
  | string
  | number
  | boolean
  | null
  | readonly AttributeTree[]
  | { readonly members: Readonly<Record<string, AttributeTree>> }
  | { readonly unknown: AttributeDoubt };
const AttributeTree: z.ZodType<AttributeTree> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(AttributeTree),
    z.object({ members: z.record(z.string(), AttributeTree) }),
    z.object({ unknown: AttributeDoubt }),
  ]),
);

/** The attributes of a row before and after the change: all of a created or deleted resource, of another one those that change. */
export interface ResourceAttributes {
  readonly before: AttributeTree;
  readonly after: AttributeTree;
}

/** What the details of one row state for rules. */
export interface RowDetail {
  readonly attributes: ResourceAttributes;
  /** Absent: unknown. */
  readonly tags?: StatedTags;
}
export const RowDetail = z.object({
  attributes: z.object({ before: AttributeTree, after: AttributeTree }),
  tags: StatedTags.exactOptional(),
});

/** The attributes of the rows of a pull request, by `buildRowId`. They are read for conditions and are in no report. */
export type AttributesByRow = Readonly<Record<string, ResourceAttributes>>;

/** They were not read, as for an evaluation of the past. */
export const UNREAD_ATTRIBUTES: Fact<AttributesByRow> = { state: "unknown", reason: "not_read" };

/** The identity of a row within a pull request. */
export const buildRowId = (
  stage: Pick<StageOrigin, "org" | "project" | "workspace"> | string,
  { change, address }: Pick<ResourceChange, "change" | "address">,
): string => JSON.stringify([typeof stage === "string" ? stage : buildStageKey(stage), change, address]);

/** The change of one attribute, as its source has it. */
interface AttributeSource {
  readonly change?: string | undefined;
  readonly old?: unknown;
  readonly new?: unknown;
  readonly sensitive?: boolean | undefined;
}

/** Returns the attributes whose source is unknown for this reason. */
export const createUnknownAttributes = (unknown: AttributeDoubt): ResourceAttributes => ({
  before: { unknown },
  after: { unknown },
});

/**
 * Returns the redacted attributes of a row. What is marked as sensitive, has a name that suggests a secret or looks like a credential is
 * unknown. `change`: of the row; a platform may list the deleted half of a replacement without values afterwards, which are unknown then.
 */
export function buildResourceAttributes(
  changes: Readonly<Record<string, AttributeSource>>,
  {
    change,
    sensitive = [],
  }: { readonly change: ResourceChange["change"]; readonly sensitive?: readonly string[] },
): ResourceAttributes {
  const build = (side: "old" | "new"): AttributeTree => {
    const left = { nodes: MAX_NODES, characters: MAX_CHARACTERS };
    const members = Object.entries(changes).flatMap(([name, own]): readonly [string, AttributeTree][] => {
      const value = own[side] ?? null;
      const isSensitive = own.sensitive === true || sensitive.includes(name) || isSecretName(name);
      if (value === null && !(isSensitive && isWithheld(own, side))) return [];
      return [[name, isSensitive ? UNKNOWN.sensitive : toTree(value, left, MAX_DEPTH)]];
    });
    return { members: Object.fromEntries(members) };
  };
  const hasAfter = Object.values(changes).some((own) => own.new != null);
  const isHalf = change === "replaced" && !hasAfter;
  return { before: build("old"), after: isHalf ? { unknown: "not_stated" } : build("new") };
}

/** Whether a platform leaves out both values of a sensitive attribute, and this side has one. */
const isWithheld = ({ old, new: next, change }: AttributeSource, side: "old" | "new"): boolean =>
  (old ?? next ?? null) === null && change !== (side === "old" ? "added" : "deleted");

const UNKNOWN = {
  later: { unknown: "later" },
  sensitive: { unknown: "sensitive" },
  tooLarge: { unknown: "too_large" },
} as const;

/** Largest depth and number of values and characters on one side of a resource; what goes beyond is unknown. */
const MAX_DEPTH = 8;
const MAX_NODES = 2_000;
const MAX_CHARACTERS = 100_000;

function toTree(value: unknown, left: { nodes: number; characters: number }, depth: number): AttributeTree {
  left.nodes -= 1;
  if (typeof value === "string") left.characters -= value.length;
  if (left.nodes < 0 || left.characters < 0 || depth === 0) return UNKNOWN.tooLarge;
  if (typeof value === "string") return toText(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) return value.map((one) => toTree(one, left, depth - 1));
  const source: Readonly<Record<string, unknown>> = { ...value };
  const secrets = listPairedSecrets(source);
  const members = Object.entries(source).flatMap(([name, own]): readonly [string, AttributeTree][] => {
    left.characters -= name.length;
    if (own === null || own === undefined) return [];
    const isSecret = isSecretName(name) || secrets.includes(name);
    return [[name, isSecret ? UNKNOWN.sensitive : toTree(own, left, depth - 1)]];
  });
  return { members: Object.fromEntries(members) };
}

function toText(text: string): AttributeTree {
  if (text === KNOWN_AFTER_APPLY) return UNKNOWN.later;
  return text.includes(SENSITIVE) || redactCredentials(text) !== text ? UNKNOWN.sensitive : text;
}
