import { guessObjectKind } from "../text/decode.ts";
import { createNotRecognisedError, type ExpectedFile, readDocument } from "../text/json-document.ts";
import { PlanDocument } from "./plan-parts.ts";
import { buildSnapshot, type PlanSnapshot } from "./snapshot.ts";

export interface PlanFile {
  /** Name of the file in messages. */
  readonly file: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Reads a plan. Supports the format versions 0.1 to 1.x, HCP Terraform's redacted plan, and a list of changes
 * alone. Throws `file_not_recognised`, with the probable kind of the file, when it is not a plan.
 */
export async function readPlan({ file, bytes }: PlanFile): Promise<PlanSnapshot> {
  const expected = { file, expected: EXPECTED_INPUT };
  const { members, notes } = await readDocument(bytes, expected);
  for (const key of VERSION_KEYS) if (key in members) checkVersion(members[key], expected);
  const present = new Set(Object.keys(members).filter((key) => members[key] !== null));
  const shape = findPlanShape(present);
  if (shape === null) throw createNotRecognisedError(expected, describeWrongFile(present));
  return buildSnapshot(parsePlan(members, expected), {
    notes: shape === "changes_alone" ? [...notes, CHANGES_ALONE_NOTE] : notes,
    listsChanges: present.has("resource_changes"),
    isPart: shape !== "plan",
  });
}

const EXPECTED_INPUT = "a Terraform or OpenTofu plan as JSON (`terraform show -json PLANFILE`)";

/** Throws with the place of what does not fit. The error has no cause: it would quote the file, which may contain secrets. */
function parsePlan(members: object, expected: ExpectedFile): PlanDocument {
  const result = PlanDocument.safeParse(members);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = (issue?.path ?? []).slice(0, 2).map(String).join(".");
  const what = issue?.code === "custom" ? issue.message : "is not what a plan has there";
  throw createNotRecognisedError(expected, `has a part that cannot be read: ${place} ${what}`);
}

function checkVersion(version: unknown, expected: ExpectedFile): void {
  if (typeof version !== "string" || !/^[01]\./.test(version)) {
    throw createNotRecognisedError(expected, "has a plan format version that is not known; 0.1 to 1.x are");
  }
}

const VERSION_KEYS = ["format_version", "plan_format_version"];
/** Members of a complete plan; at least one of them is present. */
const PARTS = ["resource_changes", "planned_values", "output_changes", "configuration"];
/** HCP Terraform's redacted plan omits the code and the state, and has these members. */
const REDACTED_PARTS = [...PARTS, "resource_drift", "relevant_attributes", "provider_format_version"];

/**
 * Returns the kind of plan: the output of `show -json`, HCP Terraform's redacted plan, or only the changes;
 * null: none of them.
 */
function findPlanShape(keys: ReadonlySet<string>): "plan" | "redacted" | "changes_alone" | null {
  const hasOneOf = (parts: readonly string[]): boolean => parts.some((part) => keys.has(part));
  if (keys.has("format_version")) return hasOneOf(PARTS) ? "plan" : null;
  if (keys.has("plan_format_version")) return hasOneOf(REDACTED_PARTS) ? "redacted" : null;
  return keys.has("resource_changes") ? "changes_alone" : null;
}

const CHANGES_ALONE_NOTE =
  "the file has `resource_changes` without a format version: it is read as a part of a plan, and drift, outputs and failures that it leaves out are not counted";

function describeWrongFile(keys: ReadonlySet<string>): string {
  const seems = guessObjectKind(keys);
  return seems === null ? "is JSON, but has none of the parts of a plan" : `seems to be ${seems}`;
}
