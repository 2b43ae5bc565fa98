import type { FileState, HeadState } from "../../github/head/head-state.ts";
import type { LoadedPolicy, PolicyLevel } from "../../policy/model/loaded-policy.ts";
import type { PolicyUnreadableReason } from "../../policy/model/situation.ts";
import { forgetPolicies, hasSeenPolicy, rememberPolicy } from "../../store/known-policy-files.ts";
import type { JobDeps } from "../run/deps.ts";

type PolicyBlob = Extract<FileState, { state: "found" }>;

/** Access to the files of one base branch on GitHub. */
export interface PolicyPlace {
  readonly repositoryId: number;
  readonly baseRef: string;
  readonly files: Pick<HeadState["policy"], "repository" | "organisation">;
  /** Whether GitHub shows a commit that removed the file; called only for a file that existed and is not found. */
  readonly wasRemoved: (which: PolicyLevel) => Promise<boolean>;
}

/** The owner of a repository's policy tasks, for fairness between repositories. */
export const formatTaskOwner = (repositoryId: number): string => String(repositoryId);

/** Loads the policy in force from the files of the base branch and of the organisation. */
export async function loadPolicyFiles(
  deps: Pick<JobDeps, "db" | "clock" | "policies">,
  place: PolicyPlace,
): Promise<LoadedPolicy> {
  const repository = await resolvePolicyFile(deps, place, "repository");
  const organisation = await resolvePolicyFile(deps, place, "organisation");
  const unreadable = [repository, organisation].find((file) => file.state === "unreadable");
  if (unreadable?.state === "unreadable") {
    const neverHadOne =
      repository.state === "absent" && unreadable.reason === "not_covered" && !unreadable.isKnown;
    if (neverHadOne) return { state: "none" };
    return {
      state: "unreadable",
      level: unreadable.level,
      reason: unreadable.reason,
    };
  }
  const files = [organisation, repository].flatMap((file) => (file.state === "found" ? [file.file] : []));
  if (files.length === 0) return { state: "none" };
  const sources = files.map(({ source, blob }) => ({ ...source, blob }));
  const parsed = await deps.policies.inForce({
    kind: "parse",
    input: { repository: toText(repository), organisation: toText(organisation) },
    owner: formatTaskOwner(place.repositoryId),
  });
  return parsed.state === "ok"
    ? { state: "found", policy: parsed.policy, rulePlaces: parsed.rulePlaces, sources }
    : { state: "invalid", problems: parsed.problems, sources };
}

type PolicyFileState =
  | { readonly state: "found"; readonly file: PolicyBlob }
  | { readonly state: "absent" }
  | {
      readonly state: "unreadable";
      readonly level: PolicyLevel;
      readonly reason: PolicyUnreadableReason;
      readonly isKnown: boolean;
    };

/**
 * Returns the state of a file that existed and is not found: unreadable, unless a push removed it (one that
 * was delivered, or one in the history).
 */
async function resolvePolicyFile(
  deps: Pick<JobDeps, "db" | "clock">,
  { repositoryId, baseRef, files, wasRemoved }: PolicyPlace,
  which: PolicyLevel,
): Promise<PolicyFileState> {
  const file = files[which];
  const policyKey = { repositoryId, baseRef, which };
  if (file.state === "found") {
    await rememberPolicy(deps.db, { ...policyKey, blob: file.blob }, new Date(deps.clock.now()));
    return { state: "found", file };
  }
  if (await hasSeenPolicy(deps.db, policyKey)) {
    if (file.state === "unreadable")
      return { state: "unreadable", level: which, reason: file.reason, isKnown: true };
    if (!(await wasRemoved(which)))
      return { state: "unreadable", level: which, reason: "vanished", isKnown: true };
    await forgetPolicies(deps.db, { ...policyKey, baseRef: which === "organisation" ? null : baseRef });
    return { state: "absent" };
  }
  if (file.state === "absent") return { state: "absent" };
  return { state: "unreadable", level: which, reason: file.reason, isKnown: false };
}

function toText(file: PolicyFileState): { file: string; text: string } | null {
  if (file.state !== "found") return null;
  const { source, text } = file.file;
  return { file: `${source.repository}:${source.path}`, text };
}
