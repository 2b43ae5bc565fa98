import { createHash } from "node:crypto";
import type { CheckClaim } from "../head/head-state.ts";

/** A finding beside a line of a file, as GitHub shows it among the changed files. */
export interface CheckAnnotation {
  /** From the repository's root on. */
  readonly path: string;
  readonly line: number;
  readonly level: "failure" | "warning";
  readonly title: string;
  /** Plain text. */
  readonly message: string;
}

/** The stored check run that was written last for this head and name. */
export interface KnownCheck {
  readonly checkRunId: number;
  /** Digest of what it shows; null: it was found on GitHub, so it is written again. */
  readonly digest: string | null;
  readonly completed: boolean;
  /** Digest of its annotations; null: unknown. */
  readonly annotations: string | null;
  /** GitHub's global id; absent: unknown. */
  readonly nodeId?: string | undefined;
}

/**
 * Finds our newest check run of a name among a head's checks. It is updated when the store does not have it, after a crash between
 * GitHub's answer and the store. Its digest is unknown, so it is written again.
 */
export function findOwnCheck(
  checks: readonly CheckClaim[],
  own: { appId: number; name: string },
): KnownCheck | null {
  let newest: KnownCheck | null = null;
  for (const check of checks) {
    if (check.id === null || check.appId !== own.appId || check.name !== own.name) continue;
    if (newest !== null && newest.checkRunId > check.id) continue;
    newest = {
      checkRunId: check.id,
      digest: null,
      completed: check.status === "completed",
      annotations: parseAnnotationsDigest(check.externalId),
      nodeId: check.nodeId,
    };
  }
  return newest;
}

export const computeAnnotationsDigest = (annotations: readonly CheckAnnotation[]): string =>
  createHash("sha256").update(JSON.stringify(annotations)).digest("hex").slice(0, 32);

export const NO_ANNOTATIONS = computeAnnotationsDigest([]);

/** The `external_id` of a check run, which ends with the digest of its annotations, if it has any: GitHub's lists of runs state them by it. */
export const formatRunId = (shown: string, annotations: string): string =>
  annotations === NO_ANNOTATIONS ? shown : `${shown}~${annotations}`;

/** The digest of the annotations of one of our check runs by its `external_id`. */
export const parseAnnotationsDigest = (externalId: string | null): string =>
  /~([0-9a-f]{32})$/.exec(externalId ?? "")?.[1] ?? NO_ANNOTATIONS;

/** Posters of check runs and statuses with our name: they are reported, and their content is never used. */
export function findForeignPosters(
  head: {
    checks: readonly CheckClaim[];
    statuses: readonly { context: string; creator: { login: string } | null }[];
  },
  own: { appId: number; name: string },
): readonly string[] {
  const apps = head.checks
    .filter((check) => check.name === own.name && check.appId !== own.appId)
    .map((check) => check.appSlug ?? "an unknown App");
  const users = head.statuses
    .filter((status) => status.context === own.name)
    .map((status) => status.creator?.login ?? "an unknown account");
  return [...new Set([...apps, ...users])];
}
