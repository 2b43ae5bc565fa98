import type { CheckClaim } from "../head/head-state.ts";

/** The stored check run that was written last for this head and name. */
export interface KnownCheck {
  readonly checkRunId: number;
  /** Digest of what it shows; null: it was found on GitHub, so it is written again. */
  readonly digest: string | null;
  readonly completed: boolean;
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
      nodeId: check.nodeId,
    };
  }
  return newest;
}

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
