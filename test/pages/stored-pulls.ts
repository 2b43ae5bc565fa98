import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import { onTestFinished } from "vitest";
import { parseSha, type Sha } from "../../src/kernel/ids.ts";
import { NO_APPROVALS } from "../../src/policy/model/approval.ts";
import type { Finding, Verdict } from "../../src/policy/model/finding.ts";
import type { RulePlace } from "../../src/policy/model/policy.ts";
import type { Report, StageReport } from "../../src/report/model/report.ts";
import { type MergeOutcome, recordMerge } from "../../src/store/after-merge/merged-pulls.ts";
import { enterLane } from "../../src/store/database/lanes.ts";
import { saveEvaluation } from "../../src/store/evaluations.ts";
import { closeRuleOutcomes } from "../../src/store/history/write-evaluation.ts";
import { savePull } from "../../src/store/pulls.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import type { Tables } from "../../src/store/tables/tables.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { evaluatedSituation, evaluation, finding, report, stage } from "../render/evaluation-builder.ts";
import { mergeOutcome } from "../store/merge-outcome.ts";
import { usualEngine } from "../world/engines.ts";

/** A repository with Tollgate, as `owner/name`; `figures: false`: its readers may not see amounts. */
export function installRepository(
  db: Kysely<Tables>,
  { id, name, figures = true }: { readonly id: number; readonly name: string; readonly figures?: boolean },
  now = new Date(0),
): Promise<void> {
  const [owner_login = "", short = ""] = name.split(/\/(.*)/s);
  const row = { repository_id: id, installation_id: 1, owner_id: 1, owner_login, name: short, figures };
  return saveRepository(db, row, now);
}

/** A store of this test alone with these repositories. */
export async function openStoreWith(
  ...repositories: readonly Parameters<typeof installRepository>[1][]
): Promise<Database> {
  const database = await usualEngine().open();
  onTestFinished(() => database.close());
  for (const repository of repositories) await installRepository(database.db, repository);
  return database;
}

/** What a pull request is and comes to; whatever is not named is ordinary. */
export interface StoredPull {
  readonly repositoryId: number;
  readonly number: number;
  readonly title?: string;
  readonly author?: string | null;
  readonly figures?: boolean;
  readonly openedAt?: Date;
  readonly isDraft?: boolean;
  readonly stages?: readonly StageReport[];
  readonly byTag?: Report["byTag"];
  /** `approval`: it is blocked until `team` approves. */
  readonly verdict?: Verdict["kind"] | "approval";
  readonly findings?: readonly Finding[];
  readonly team?: string;
  readonly push?: number;
  readonly policyBlobs?: string;
  readonly rulePlaces?: readonly RulePlace[];
}

const SOURCE = {
  repository: "acme/payments",
  path: ".github/tollgate.yml",
  ref: "main",
  blob: "b".repeat(40),
};

/** A commit id that follows from the pull request and the number of its push. */
function headOf({ repositoryId, number, push = 0 }: StoredPull): Sha {
  const text = createHash("sha1").update(`${repositoryId}/${number}/${push}`).digest("hex");
  const sha = parseSha(text);
  if (sha === null) throw new RangeError(text);
  return sha;
}

/** A stage that raises the monthly cost by this amount; a negative one lowers it. */
export const raise = (amount: string, workspace = "prod", currency = "USD"): StageReport =>
  amount.startsWith("-")
    ? stage(workspace, ["100000", (100_000 - Number(amount.slice(1))).toFixed(2)], { currency })
    : stage(workspace, ["0", amount], { currency });

/** Opens a pull request, or pushes to it, and saves its evaluation as the bot does. */
export async function evaluatePull(db: Kysely<Tables>, pull: StoredPull, at: Date): Promise<void> {
  const { repositoryId, number, team = "finops", figures = true, stages = [], verdict = "pass" } = pull;
  const key = { repositoryId, number };
  await savePullLabels(db, pull, at);
  const approve = { groups: [{ teams: [team], users: [], permission: null, count: 1 }], reviews: true };
  const blocked = finding("monthly-increase", verdict === "approval" ? { approve } : {});
  const findings = pull.findings ?? (verdict === "pass" ? [] : [blocked]);
  const rules = findings.filter((one) => one.approve !== null).map(({ rule }) => rule);
  const missing = rules.map((rule) => ({ rule, groups: [{ group: 0, lacks: 1 }] }));
  const offer = { commands: [], rules, opensGate: true, why: null };
  const made = evaluation({
    pull: { ...key, figures, headSha: headOf(pull), draft: pull.isDraft ?? false },
    report: report(stages, pull.byTag && { byTag: pull.byTag }),
    situation: evaluatedSituation(verdict === "approval" ? "block" : verdict, findings),
    policySources: [{ ...SOURCE, commit: "c".repeat(40) }],
    rulePlaces: pull.rulePlaces ?? [],
    approvals: verdict === "approval" ? { ...NO_APPROVALS, missing, offer } : NO_APPROVALS,
  });
  const fence = await enterLane(db, `pull:${repositoryId}:${number}`, at);
  const digest = createHash("sha1").update(JSON.stringify(made)).digest("hex");
  const stored = { evaluation: made, digest, policyBlobs: pull.policyBlobs ?? "" };
  if (!(await saveEvaluation(db, stored, { fence, now: at }))) throw new Error("nothing was saved");
}

async function savePullLabels(
  db: Kysely<Tables>,
  pull: StoredPull,
  at: Date,
  end: "open" | "merged" | "closed" = "open",
) {
  const { repositoryId, number, title = `Change ${number}`, author = "octocat", openedAt = at } = pull;
  const state = end === "open" ? ("open" as const) : ("closed" as const);
  const labels = {
    ...{ title, author_id: 1, author_login: author, is_draft: pull.isDraft ?? false, opened_at: openedAt },
    ...{ merged_at: end === "merged" ? at : null },
  };
  const update = {
    repositoryId,
    number,
    headSha: headOf(pull),
    mergeSha: null,
    baseRef: "main",
    state,
    labels,
  };
  await savePull(db, update, at);
}

/** Merges a pull request that was evaluated with these stages. */
export async function mergePull(
  db: Kysely<Tables>,
  pull: StoredPull,
  at: Date,
  given: Partial<MergeOutcome> = {},
): Promise<void> {
  const { repositoryId, number, stages = [] } = pull;
  const key = { repositoryId, number };
  await savePullLabels(db, pull, at, "merged");
  const isKnown = stages.every(({ state }) => state === "known");
  const outcome = mergeOutcome({
    ...{ author: pull.author ?? "octocat", byTag: pull.byTag ?? null },
    ...{
      modules: report(stages).modules,
      cost: stages.length === 0 ? "none" : isKnown ? "known" : "unknown",
    },
    ...given,
  });
  const merge = { ...key, mergedMs: at.getTime(), compareMs: null, outcome };
  const merged = stages.map(({ org, project, workspace, name, currency, before, after, change }) => {
    return { org, project, workspace, stage: name, currency, before, after, change, plannedMs: at.getTime() };
  });
  await recordMerge(db, merge, merged);
  await closeRuleOutcomes(db, key, { as: "merged", at });
}

/** Closes a pull request without a merge. */
export async function closePull(db: Kysely<Tables>, pull: StoredPull, at: Date): Promise<void> {
  await savePullLabels(db, pull, at, "closed");
  await closeRuleOutcomes(db, pull, { as: "closed", at });
}
