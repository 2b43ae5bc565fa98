import type { z } from "zod";
import { PARSE_OPTIONS } from "../../kernel/parse-options.ts";
import { guessObjectKind } from "../text/decode.ts";
import type { CutterChoice, PathStep } from "../text/json-cutter.ts";
import { createNotRecognisedError, parseExactly, readDocument } from "../text/json-document.ts";
import type { EstimateFile } from "./estimate.ts";
import { buildEstimateFile } from "./estimate-file.ts";
import { EstimateHead, HeadMembers, Project } from "./estimate-parts.ts";

export interface EstimateSource {
  /** Name of the file in messages. */
  readonly file: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Stage name for a project without a name. */
  readonly fallback: string;
}

const EXPECTED_INPUT =
  "an Infracost estimate as JSON that compares two states (`infracost diff --compare-to` with `--format json`)";

/**
 * Reads an Infracost JSON (version 0.2, including the forms of older releases). Throws `file_not_recognised`,
 * with the probable kind of the file, when it is not one.
 */
export async function readEstimate(source: EstimateSource): Promise<EstimateFile> {
  const options = { file: source.file, expected: EXPECTED_INPUT };
  const head: Record<string, unknown> = {};
  const projects: Project[] = [];
  const { keys, notes } = await readDocument(source.bytes, {
    ...options,
    choose: choosePart,
    take: (path, text) => {
      const value = parsePart(path, text, options);
      if (path[0] !== "projects") head[String(path[0])] = value;
      else if (typeof path[1] === "number") projects.push(validatePart(Project, { path, value }, options));
      else if (value !== null)
        throw createNotRecognisedError(options, "has something unexpected in projects: not an array");
    },
  });
  if (!isEstimate(keys)) throw createNotRecognisedError(options, describeWrongFile(keys));
  return {
    ...buildEstimateFile(
      validatePart(EstimateHead, { path: [], value: head }, options),
      projects,
      source.fallback,
    ),
    notes,
  };
}

const HEAD_KEYS: ReadonlySet<PathStep | undefined> = new Set(Object.keys(HeadMembers.shape));

function choosePart([first, ...more]: readonly PathStep[]): CutterChoice {
  if (first === "projects") return more.length === 0 ? "enter" : "capture";
  return HEAD_KEYS.has(first) ? "capture" : "skip";
}

type ReadEstimateOptions = { readonly file: string; readonly expected: string };

function parsePart(path: readonly PathStep[], text: string, options: ReadEstimateOptions): unknown {
  try {
    return parseExactly(text);
  } catch {
    throw createNotRecognisedError(options, `has a part that is not valid JSON: ${path.join(".")}`);
  }
}

function validatePart<T>(
  schema: z.ZodType<T>,
  part: { readonly path: readonly PathStep[]; readonly value: unknown },
  options: ReadEstimateOptions,
): T {
  const result = schema.safeParse(part.value, PARSE_OPTIONS);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const place = [...part.path, ...(issue?.path ?? [])].map(String).join(".");
  throw createNotRecognisedError(
    options,
    `has something unexpected in ${place}: ${issue?.message ?? "it does not fit"}`,
  );
}

function isEstimate(keys: ReadonlySet<string>): boolean {
  return keys.has("projects") && (keys.has("totalMonthlyCost") || keys.has("totalHourlyCost"));
}

function describeWrongFile(keys: ReadonlySet<string>): string {
  const seems = guessObjectKind(keys);
  return seems === null ? "is JSON, but not what Infracost writes" : `seems to be ${seems}`;
}
