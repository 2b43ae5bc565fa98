import { z } from "zod";
import { guessObjectKind } from "../text/guess-kind.ts";
import type { Choice, PathStep } from "../text/json-cutter.ts";
import { readDocument, refusal } from "../text/json-document.ts";
import { PlanCollector, UnknownAction } from "./plan-collector.ts";
import type { PlanSnapshot } from "./snapshot.ts";

export interface PlanFile {
  /** How the file is called in messages. */
  readonly file: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Whether all rows carry the element to upload. Else only the first that say which attributes change do, which takes far less memory. */
  readonly elements: boolean;
}

const WANTED = "a Terraform or OpenTofu plan as JSON (`terraform show -json PLANFILE`)";

/**
 * Reads a plan (format versions 0.1 to 1.x, also as HCP Terraform redacts it, and the list of changes alone) piece by piece, so that its size does not matter much. Throws
 * `file_not_recognised`, saying what the file seems to be, when it is no plan.
 */
export async function readPlan(plan: PlanFile): Promise<PlanSnapshot> {
  const options = { file: plan.file, wanted: WANTED };
  const collector = new PlanCollector(plan.elements);
  const absent = new Set<PathStep>();
  const { keys, notes } = await readDocument(plan.bytes, {
    ...options,
    choose: choice,
    take: (path, text) => {
      if (path.length === 1 && text === "null") absent.add(path[0] ?? "");
      takePart(collector, { path, text }, options);
    },
  });
  const present = new Set([...keys].filter((key) => !absent.has(key)));
  const shape = shapeOf(present);
  if (shape === null) throw refusal(options, describeWrongFile(present));
  return collector.snapshot(shape === "changes_alone" ? [...notes, ALONE_NOTE] : notes);
}

/** Which parts of the document are read. Modules of the state nest to any depth. */
const WHOLE: readonly RegExp[] = [
  /^(errored|complete|format_version|plan_format_version)$/,
  /^(resource_changes|resource_drift|deferred_changes|output_changes|variables)\/[^/]*$/,
  /^(prior_state\/values|planned_values)\/outputs$/,
  /^prior_state\/values\/root_module(\/child_modules\/\d+)*\/resources\/\d+$/,
  /^configuration\/root_module\/variables$/,
];
const ENTERED: readonly RegExp[] = [
  /^(resource_changes|resource_drift|deferred_changes|output_changes|variables|planned_values|prior_state|configuration)$/,
  /^prior_state\/values$/,
  /^prior_state\/values\/root_module((\/child_modules\/\d+)*(\/child_modules|\/resources)?)$/,
  /^configuration\/root_module$/,
];

function choice(path: readonly PathStep[]): Choice {
  const place = path.map((step) => String(step).replaceAll("/", "~")).join("/");
  if (WHOLE.some((pattern) => pattern.test(place))) return "capture";
  return ENTERED.some((pattern) => pattern.test(place)) ? "enter" : "skip";
}

function takePart(
  collector: PlanCollector,
  part: { readonly path: readonly PathStep[]; readonly text: string },
  options: { readonly file: string; readonly wanted: string },
): void {
  try {
    const value: unknown = JSON.parse(part.text);
    const [member = ""] = part.path;
    if (VERSIONS.has(String(member))) checkVersion(value, options);
    collector.take(part.path, value);
  } catch (error) {
    const what = describePartError(error);
    if (what === null) throw error;
    const place = part.path.map(String).join(".");
    // The cause would quote the file, which may hold secrets.
    throw refusal(options, `has a part that cannot be read: ${place} ${what}`);
  }
}

/** What an error in reading one part says of it; null for an error that is not the file's. */
function describePartError(error: unknown): string | null {
  if (error instanceof SyntaxError) return "is not valid JSON";
  if (error instanceof UnknownAction) return "does something that is not known";
  if (error instanceof z.ZodError) return "is not what a plan has there";
  return error instanceof RangeError ? "is nested too deeply" : null;
}

function checkVersion(version: unknown, options: { readonly file: string; readonly wanted: string }): void {
  if (typeof version !== "string" || !/^[01]\./.test(version)) {
    throw refusal(options, "has a plan format version that is not known; 0.1 to 1.x are");
  }
}

const VERSIONS: ReadonlySet<string> = new Set(["format_version", "plan_format_version"]);
/** One of them is in every whole plan. */
const PARTS = ["resource_changes", "planned_values", "output_changes", "configuration"];
/** HCP Terraform's redacted plan leaves out the code and the state, and has these beside its changes. */
const REDACTED_PARTS = [...PARTS, "resource_drift", "relevant_attributes", "provider_format_version"];

/** Whether it is a plan: as `show -json` prints it, as HCP Terraform redacts it, or only its changes; null for none of them. */
function shapeOf(keys: ReadonlySet<string>): "plan" | "redacted" | "changes_alone" | null {
  const hasOneOf = (parts: readonly string[]): boolean => parts.some((part) => keys.has(part));
  if (keys.has("format_version")) return hasOneOf(PARTS) ? "plan" : null;
  if (keys.has("plan_format_version")) return hasOneOf(REDACTED_PARTS) ? "redacted" : null;
  return keys.has("resource_changes") ? "changes_alone" : null;
}

const ALONE_NOTE =
  "the file has `resource_changes` without a format version: it is read as a part of a plan, and drift, outputs and failures that it leaves out are not counted";

function describeWrongFile(keys: ReadonlySet<string>): string {
  const seems = guessObjectKind(keys);
  return seems === null ? "is JSON, but has none of the parts of a plan" : `seems to be ${seems}`;
}
