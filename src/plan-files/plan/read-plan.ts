import { z } from "zod";
import { guessObjectKind } from "../text/decode.ts";
import type { CutterChoice, PathStep } from "../text/json-cutter.ts";
import { createNotRecognisedError, readDocument } from "../text/json-document.ts";
import { PlanCollector, UnknownActionError } from "./plan-collector.ts";
import type { PlanSnapshot } from "./snapshot-builder.ts";

export interface PlanFile {
  /** Name of the file in messages. */
  readonly file: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /**
   * True: all rows have the element to upload. False: only the first rows with attribute changes have one,
   * which needs far less memory.
   */
  readonly elements: boolean;
}

const EXPECTED_INPUT = "a Terraform or OpenTofu plan as JSON (`terraform show -json PLANFILE`)";

/**
 * Reads a plan in pieces, so that its size hardly affects the memory. Supports the format versions 0.1 to
 * 1.x, HCP Terraform's redacted plan, and a list of changes alone. Throws `file_not_recognised`, with the
 * probable kind of the file, when it is not a plan.
 */
export async function readPlan(plan: PlanFile): Promise<PlanSnapshot> {
  const options = { file: plan.file, expected: EXPECTED_INPUT };
  const collector = new PlanCollector(plan.elements);
  const absent = new Set<PathStep>();
  const { keys, notes } = await readDocument(plan.bytes, {
    ...options,
    choose: choosePart,
    take: (path, text) => {
      if (path.length === 1 && text === "null") absent.add(path[0] ?? "");
      takePart(collector, { path, text }, options);
    },
  });
  const present = new Set([...keys].filter((key) => !absent.has(key)));
  const shape = findPlanShape(present);
  if (shape === null) throw createNotRecognisedError(options, describeWrongFile(present));
  return collector.snapshot(shape === "changes_alone" ? [...notes, CHANGES_ALONE_NOTE] : notes, {
    listsChanges: present.has("resource_changes"),
    isPart: shape !== "plan",
  });
}

/** Paths of the document that are read. Modules of the state nest to any depth. */
const CAPTURED_PATHS: readonly RegExp[] = [
  /^(errored|complete|format_version|plan_format_version)$/,
  /^(resource_changes|resource_drift|deferred_changes|output_changes|variables)\/[^/]*$/,
  /^(action_invocations|deferred_action_invocations|checks)\/[^/]*$/,
  /^(prior_state\/values|planned_values)\/outputs$/,
  /^prior_state\/values\/root_module(\/child_modules\/\d+)*\/resources\/\d+$/,
  /^configuration\/root_module\/variables$/,
  /^planned_values\/root_module(\/child_modules\/\d+)*\/resources\/\d+\/mode$/,
];
const ENTERED_PATHS: readonly RegExp[] = [
  /^(resource_changes|resource_drift|deferred_changes|output_changes|variables|planned_values|prior_state|configuration)$/,
  /^(action_invocations|deferred_action_invocations|checks)$/,
  /^prior_state\/values$/,
  /^prior_state\/values\/root_module((\/child_modules\/\d+)*(\/child_modules|\/resources)?)$/,
  /^configuration\/root_module$/,
  /^planned_values\/root_module((\/child_modules\/\d+)*(\/child_modules|\/resources(\/\d+)?)?)$/,
];

function choosePart(path: readonly PathStep[]): CutterChoice {
  const place = path.map((step) => String(step).replaceAll("/", "~")).join("/");
  if (CAPTURED_PATHS.some((pattern) => pattern.test(place))) return "capture";
  return ENTERED_PATHS.some((pattern) => pattern.test(place)) ? "enter" : "skip";
}

function takePart(
  collector: PlanCollector,
  part: { readonly path: readonly PathStep[]; readonly text: string },
  options: { readonly file: string; readonly expected: string },
): void {
  try {
    const value: unknown = JSON.parse(part.text);
    const [member = ""] = part.path;
    if (VERSION_KEYS.has(String(member))) checkVersion(value, options);
    collector.take(part.path, value);
  } catch (error) {
    const what = describePartError(error);
    if (what === null) throw error;
    const place = part.path.map(String).join(".");
    // The error has no cause: it would quote the file, which may contain secrets.
    throw createNotRecognisedError(options, `has a part that cannot be read: ${place} ${what}`);
  }
}

/** Describes the error in one part of the file; null: the error has another cause. */
function describePartError(error: unknown): string | null {
  if (error instanceof SyntaxError) return "is not valid JSON";
  if (error instanceof UnknownActionError) return "does something that is not known";
  if (error instanceof z.ZodError) return "is not what a plan has there";
  return error instanceof RangeError ? "is nested too deeply" : null;
}

function checkVersion(version: unknown, options: { readonly file: string; readonly expected: string }): void {
  if (typeof version !== "string" || !/^[01]\./.test(version)) {
    throw createNotRecognisedError(options, "has a plan format version that is not known; 0.1 to 1.x are");
  }
}

const VERSION_KEYS: ReadonlySet<string> = new Set(["format_version", "plan_format_version"]);
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
