import { ONE_SHOT_PREFIX } from "../../github/head/one-shot-checks.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { computeDigest } from "./digest.ts";

/**
 * Returns the `external_id` of a CI job's check. The next job has no store, so it reads from it which findings
 * people could approve on this head, and since when.
 */
export function formatOneShotId(shown: string, evaluation: Evaluation): string {
  const { pull, evaluatedMs = "", approvableDigest = "" } = evaluation;
  return `${ONE_SHOT_PREFIX}${[shown, computeDigest(pull.baseRef), evaluatedMs, approvableDigest].join(":")}`;
}

const HEX = "[0-9a-f]{32}";
const ID = new RegExp(`^${ONE_SHOT_PREFIX}${HEX}:(${HEX}):(\\d{1,15}):(${HEX})$`);

/** Returns the digest of the approvable findings that an `external_id` states for a base branch, and since when (ms since 1970); null: none. */
export function parseOneShotApprovable(
  externalId: string | null,
  baseRef: string,
): { readonly evaluatedMs: number; readonly digest: string } | null {
  const [, base, evaluatedMs, digest] = ID.exec(externalId ?? "") ?? [];
  if (digest === undefined || base !== computeDigest(baseRef)) return null;
  return { evaluatedMs: Number(evaluatedMs), digest };
}
