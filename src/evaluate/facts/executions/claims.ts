import type { CheckClaim, StatusClaim } from "../../../github/head/head-state.ts";
import { type ParsedExecutionUrl, parseExecutionUrl } from "../../../platform/execution-url.ts";
import type { RefusedExecution } from "../../../report/model/facts.ts";
import type { BindingSource } from "../../../report/model/stage-origin.ts";
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

/**
 * The data of statuses and checks about an execution in addition to its id. It helps to find the execution,
 * and proves nothing.
 */
export interface Trace {
  /** Identifier of its pipeline; null: unknown. */
  readonly pipeline: string | null;
  /**
   * Its page on the platform, from the URL that named it; null: no URL named it, or the platform has no
   * pages.
   */
  readonly page: string | null;
  /** Ids of its stages. */
  readonly stageExecutionIds: readonly string[];
  /** Whether it was announced and has not ended: the platform may not list it yet. */
  readonly isRunning: boolean;
  /** Times of the first and the last status about it, in ms since 1970; null: unknown. */
  readonly postedMs: readonly [first: number, last: number] | null;
}

export const NO_TRACE: Trace = {
  pipeline: null,
  page: null,
  stageExecutionIds: [],
  isRunning: false,
  postedMs: null,
};

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
  const allowed = { hosts: rules.platformHosts, account: rules.account };
  const read = [
    ...statuses.map((status) => ({
      url: status.targetUrl,
      source: "status" as const,
      posterId: status.creator?.id ?? null,
      isRunning: status.state === "pending" || status.state === "expected",
      postedMs: [status.createdMs, status.createdMs] as const,
    })),
    ...checks.map((check) => ({
      url: check.detailsUrl,
      source: "check" as const,
      posterId: check.appId,
      isRunning: check.status !== "completed",
      postedMs: null,
    })),
  ].flatMap(({ url, ...claim }) =>
    url === null ? [] : [{ ...claim, parsed: parseExecutionUrl(url, allowed) }],
  );
  return {
    candidates: read.flatMap(({ parsed, ...claim }) =>
      parsed.state === "found" ? [toCandidate(parsed, claim, rules)] : [],
    ),
    refused: read.flatMap(({ parsed }) =>
      parsed.state === "refused" && parsed.reason === "other_account"
        ? [{ org: "", project: "", executionId: "", reason: "other_account" as const }]
        : [],
    ),
  };
}

interface ExecutionClaim extends Pick<Trace, "isRunning" | "postedMs"> {
  readonly source: "status" | "check";
  readonly posterId: number | null;
}

/** Whether the operator trusts who posted a status or check: an account or an App. */
export const isTrustedPoster = (
  { trustedUsers, trustedApps }: OperatorRules,
  { source, posterId }: Pick<ExecutionClaim, "source" | "posterId">,
): boolean => posterId !== null && (source === "status" ? trustedUsers : trustedApps).has(posterId);

function toCandidate(
  parsed: Extract<ParsedExecutionUrl, { state: "found" }>,
  { source, posterId, isRunning, postedMs }: ExecutionClaim,
  rules: OperatorRules,
): ClaimedExecution {
  const { org, project, executionId, pipeline, stageExecutionId } = parsed;
  const page = rules.embedded ? null : parsed.page; // the embedded platform has no pages
  const stageExecutionIds = stageExecutionId === null ? [] : [stageExecutionId];
  const trace = { pipeline, page, stageExecutionIds, isRunning, postedMs };
  const proven = isTrustedPoster(rules, { source, posterId });
  return { org, project, executionId, source, posterId, proven, trace };
}

const PREFERENCE: readonly BindingSource[] = ["notification", "audit", "status", "check", "assumed", "file"];

/**
 * Returns one candidate per execution: proven when any source proves it, and with the name of the strongest
 * source.
 */
export function mergeCandidates(candidates: readonly ExecutionCandidate[]): readonly ExecutionCandidate[] {
  const merged = new Map<string, ExecutionCandidate>();
  const ranked = [...candidates].sort((a, b) => PREFERENCE.indexOf(a.source) - PREFERENCE.indexOf(b.source));
  for (const candidate of ranked) {
    const key = JSON.stringify([candidate.org, candidate.project, candidate.executionId]);
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
  const posted = [...(a.postedMs ?? []), ...(b.postedMs ?? [])];
  return {
    pipeline: a.pipeline ?? b.pipeline,
    page: a.page ?? b.page,
    stageExecutionIds: [...new Set([...a.stageExecutionIds, ...b.stageExecutionIds])],
    isRunning: a.isRunning || b.isRunning,
    postedMs: posted.length === 0 ? null : [Math.min(...posted), Math.max(...posted)],
  };
}
