import { createHash } from "node:crypto";
import type { CheckOutput, CheckState } from "../../github/checks/check-write.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";

/** Digest of a JSON value or a text: 32 hex characters. The order of an object's keys does not count. */
export const computeDigest = (value: unknown): string =>
  createHash("sha256")
    .update(typeof value === "string" ? value : canonicalJson(value))
    .digest("hex")
    .slice(0, 32);

/**
 * The `external_id` of a check, a digest of what it shows and of nothing else: everybody can read it who reads the repository, and hidden
 * amounts could be guessed from a digest of them. The footer alone makes no other check.
 */
export const computeShownDigest = (
  headSha: string,
  decision: CheckState,
  { footer: _, ...output }: CheckOutput,
): string => computeDigest({ headSha, decision, output });
