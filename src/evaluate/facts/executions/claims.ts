import type { CheckClaim, StatusClaim } from "../../../github/head/head-state.ts";
import { parseExecutionUrl } from "../../../platform/execution-url.ts";
import type { BindingSource, RefusedExecution } from "../../../report/model/facts.ts";
import type { OperatorRules } from "../../run/operator-rules.ts";

/** An execution that a source claims to belong to the head. */
export interface ExecutionCandidate {
  readonly org: string;
  readonly project: string;
  readonly executionId: string;
  readonly source: BindingSource;
  /** Whether the source is trusted: a trusted poster, our own store, the embedded platform. */
  readonly proven: boolean;
  readonly trace: Trace;
}

/** What statuses and checks say about an execution beside its id. It proves nothing. */
export interface Trace {
  /** Identifier of its pipeline; null: unknown. */
  readonly pipeline: string | null;
  /** Its page on the platform, from the URL that named it; null: no URL named it, or the platform has no pages. */
  readonly page: string | null;
  /** Whether it was announced and has not ended: the platform may not list it yet. */
  readonly isRunning: boolean;
}

export const NO_TRACE: Trace = { pipeline: null, page: null, isRunning: false };

/** An execution that a status or check names. */
export interface ClaimedExecution extends ExecutionCandidate {
  readonly source: "status" | "check";
  /** Of the account that posted the status, or of the check's App; null: GitHub does not say. */
  readonly posterId: number | null;
}

export interface ExecutionClaims {
  readonly candidates: readonly ClaimedExecution[];
  readonly refused: readonly RefusedExecution[];
}

/**
 * Reads the executions from the URLs of a head's statuses and checks. A claim by an untrusted poster is
 * included as unproven.
 */
export function readClaims(
  statuses: readonly StatusClaim[],
  checks: readonly CheckClaim[],
  rules: OperatorRules,
): ExecutionClaims {
  const read = [
    ...statuses.map(({ targetUrl: url, creator, state }) => {
      const isRunning = state === "pending" || state === "expected";
      return readClaim({ source: "status", posterId: creator?.id ?? null, url, isRunning }, rules);
    }),
    ...checks.map(({ detailsUrl: url, appId: posterId, status }) =>
      readClaim({ source: "check", posterId, url, isRunning: status !== "completed" }, rules),
    ),
  ];
  return {
    candidates: read.flatMap((claim) => (claim === null || claim === "other_account" ? [] : [claim])),
    refused: read.flatMap((claim) =>
      claim === "other_account" ? [{ org: "", project: "", executionId: "", reason: claim }] : [],
    ),
  };
}

type Claim = Pick<ClaimedExecution, "source" | "posterId"> &
  Pick<Trace, "isRunning"> & { readonly url: string | null };

/** Returns the execution that the URL of one status or check names; null: it names none of the platform. */
export function readClaim(
  { source, posterId, url, isRunning }: Claim,
  rules: OperatorRules,
): ClaimedExecution | "other_account" | null {
  if (url === null) return null;
  const parsed = parseExecutionUrl(url, { hosts: rules.platformHosts, account: rules.account });
  if (parsed.state === "refused" && parsed.reason === "other_account") return parsed.reason;
  if (parsed.state !== "found") return null;
  const { org, project, executionId, pipeline } = parsed;
  const page = rules.embedded ? null : parsed.page; // the embedded platform has no pages
  const proven = isTrustedPoster(rules, { source, posterId });
  return { org, project, executionId, source, posterId, proven, trace: { pipeline, page, isRunning } };
}

/** Whether the operator trusts who posted a status or check: an account or an App. */
export const isTrustedPoster = (
  { trustedUsers, trustedApps }: OperatorRules,
  { source, posterId }: Pick<Claim, "source" | "posterId">,
): boolean => posterId !== null && (source === "status" ? trustedUsers : trustedApps).has(posterId);

/** Whether the operator states that the pipeline of a candidate provisions nothing. */
export const isOfOtherPipeline = (
  { otherPipelines }: OperatorRules,
  { org, project, trace }: ExecutionCandidate,
): boolean =>
  otherPipelines.some(
    (other) =>
      other.org === org &&
      (other.project === undefined || other.project === project) &&
      trace.pipeline !== null &&
      other.isMatch(trace.pipeline),
  );

/** Returns the identity of an execution within the platform account. */
export const identifyExecution = ({
  org,
  project,
  executionId,
}: Pick<ExecutionCandidate, "org" | "project" | "executionId">): string =>
  JSON.stringify([org, project, executionId]);

const PREFERENCE: readonly BindingSource[] = ["notification", "audit", "status", "check", "file"];

/**
 * Returns one candidate per execution: proven when any source proves it, and with the name of the strongest
 * source.
 */
export function mergeCandidates(candidates: readonly ExecutionCandidate[]): readonly ExecutionCandidate[] {
  const merged = new Map<string, ExecutionCandidate>();
  const ranked = [...candidates].sort((a, b) => PREFERENCE.indexOf(a.source) - PREFERENCE.indexOf(b.source));
  for (const candidate of ranked) {
    const key = identifyExecution(candidate);
    const known = merged.get(key);
    const proven = candidate.proven || known?.proven === true;
    if (known === undefined) merged.set(key, candidate);
    else merged.set(key, { ...known, proven, trace: mergeTraces(known, candidate) });
  }
  return [...merged.values()];
}

/** Merges two traces. An untrusted source adds nothing to the trace of a trusted one. */
function mergeTraces(one: ExecutionCandidate, other: ExecutionCandidate): Trace {
  if (one.proven !== other.proven) return (one.proven ? one : other).trace;
  const [a, b] = [one.trace, other.trace];
  return {
    pipeline: a.pipeline ?? b.pipeline,
    page: a.page ?? b.page,
    isRunning: a.isRunning || b.isRunning,
  };
}
