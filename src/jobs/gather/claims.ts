import type { CheckClaim, StatusClaim } from "../../github/head/head-state.ts";
import { type ParsedExecutionUrl, parseExecutionUrl } from "../../platform/execution-url.ts";
import type { BindingSource, RefusedExecution } from "../../report/facts.ts";
import type { OperatorRules } from "../operator.ts";

/** An execution that something says to belong to the head. */
export interface Candidate {
  readonly org: string;
  readonly project: string;
  readonly executionId: string;
  readonly source: BindingSource;
  /** Whether the one who says so is believed: a trusted poster, our own store, the embedded platform. */
  readonly proven: boolean;
}

export interface Claimed {
  readonly candidates: readonly Candidate[];
  readonly refused: readonly RefusedExecution[];
}

/** Reads the executions out of the URLs of a head's statuses and checks. A claim by an untrusted poster is kept, as unproven. */
export function readClaims(
  statuses: readonly StatusClaim[],
  checks: readonly CheckClaim[],
  rules: OperatorRules,
): Claimed {
  const allowed = { hosts: rules.platformHosts, account: rules.account };
  const read = [
    ...statuses.map((status) => ({
      url: status.targetUrl,
      source: "status" as const,
      trusted: status.creator?.id != null && rules.trustedUsers.has(status.creator.id),
    })),
    ...checks.map((check) => ({
      url: check.detailsUrl,
      source: "check" as const,
      trusted: check.appId !== null && rules.trustedApps.has(check.appId),
    })),
  ].flatMap(({ url, ...claim }) =>
    url === null ? [] : [{ ...claim, parsed: parseExecutionUrl(url, allowed) }],
  );
  return {
    candidates: read.flatMap(({ parsed, source, trusted }) =>
      parsed.state === "found" ? [toCandidate(parsed, source, trusted)] : [],
    ),
    refused: read.flatMap(({ parsed }) =>
      parsed.state === "refused" && parsed.reason === "other_account"
        ? [{ org: "", project: "", executionId: "", reason: "other_account" as const }]
        : [],
    ),
  };
}

function toCandidate(
  { org, project, executionId }: Extract<ParsedExecutionUrl, { state: "found" }>,
  source: "status" | "check",
  proven: boolean,
): Candidate {
  return { org, project, executionId, source, proven };
}

const PREFERENCE: readonly BindingSource[] = ["notification", "audit", "status", "check", "assumed", "file"];

/** One candidate per execution: proven when any source proves it, and named by the strongest source. */
export function mergeCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  const merged = new Map<string, Candidate>();
  const ranked = [...candidates].sort((a, b) => PREFERENCE.indexOf(a.source) - PREFERENCE.indexOf(b.source));
  for (const candidate of ranked) {
    const key = JSON.stringify([candidate.org, candidate.project, candidate.executionId]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, candidate);
    else if (candidate.proven && !known.proven) merged.set(key, { ...known, proven: true });
  }
  return [...merged.values()];
}
