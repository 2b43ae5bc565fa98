import { PARSE_OPTIONS } from "../../kernel/parse-options.ts";
import { guessObjectKind } from "../text/decode.ts";
import { createNotRecognisedError, parseExactly, readDocument } from "../text/json-document.ts";
import type { EstimateFile } from "./estimate.ts";
import { buildEstimateFile } from "./estimate-file.ts";
import { EstimateDocument } from "./estimate-parts.ts";

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
export async function readEstimate({ file, bytes, fallback }: EstimateSource): Promise<EstimateFile> {
  const expected = { file, expected: EXPECTED_INPUT };
  const { members, notes } = await readDocument(bytes, expected, parseExactly);
  const keys = new Set(Object.keys(members));
  if (!isEstimate(keys)) throw createNotRecognisedError(expected, describeWrongFile(keys));
  const result = EstimateDocument.safeParse(members, PARSE_OPTIONS);
  if (!result.success) {
    const [issue] = result.error.issues;
    const problem = issue?.message ?? "it does not fit";
    throw createNotRecognisedError(
      expected,
      `has something unexpected in ${(issue?.path ?? []).map(String).join(".")}: ${problem}`,
    );
  }
  const { projects, ...head } = result.data;
  return { ...buildEstimateFile(head, projects, fallback), notes };
}

function isEstimate(keys: ReadonlySet<string>): boolean {
  return keys.has("projects") && (keys.has("totalMonthlyCost") || keys.has("totalHourlyCost"));
}

function describeWrongFile(keys: ReadonlySet<string>): string {
  const seems = guessObjectKind(keys);
  return seems === null ? "is JSON, but not what Infracost writes" : `seems to be ${seems}`;
}
