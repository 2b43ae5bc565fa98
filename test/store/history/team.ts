import { createHash } from "node:crypto";
import { type PullKey, parseSha, type Sha } from "../../../src/kernel/ids.ts";
import type { Evaluation } from "../../../src/policy/model/evaluation.ts";
import { recordMerge } from "../../../src/store/after-merge/merged-pulls.ts";
import { enterLane } from "../../../src/store/database/lanes.ts";
import { saveDecision } from "../../../src/store/evaluations.ts";
import { closeRuleOutcomes } from "../../../src/store/history/write-evaluation.ts";
import { savePull } from "../../../src/store/pulls.ts";
import { saveRepository } from "../../../src/store/repositories.ts";
import type { Database } from "../../../src/wiring/database/schema.ts";
import { evaluation } from "../../render/evaluation-builder.ts";
import { mergeOutcome } from "../merge-outcome.ts";

const NOTHING_KNOWN = { currency: null, before: null, after: null, change: null };
const OWNER = { owner_id: 5, owner_login: "acme", installation_id: 9 };
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 2, 2);

/** Noon of the n-th day of a story. */
export const day = (number: number): Date => new Date(START + number * DAY_MS + DAY_MS / 2);

export function shaOf(text: string): Sha {
  const sha = parseSha(createHash("sha1").update(text).digest("hex"));
  if (sha === null) throw new RangeError("a digest is a commit id");
  return sha;
}

interface Push {
  readonly repositoryId?: number;
  readonly number: number;
  readonly title?: string;
  readonly author?: string;
  readonly at: Date;
  /** What came of it. */
  readonly made?: Parameters<typeof evaluation>[0];
  /** Another text is another result. */
  readonly facts?: string;
  readonly head?: string;
}

/** The repositories of one organisation, and what happens to their pull requests. */
export class Team {
  readonly db: Database["db"];
  readonly #newest = new Map<string, Evaluation>();

  constructor(db: Database["db"]) {
    this.db = db;
  }

  async owns(repositoryId: number, name: string, figures = true): Promise<void> {
    await saveRepository(this.db, { ...OWNER, repository_id: repositoryId, name, figures }, day(0));
  }

  /** Someone pushes, and Tollgate evaluates the head. */
  async pushes({ repositoryId = 1, number, at, title, author, ...rest }: Push): Promise<Evaluation> {
    const headSha = shaOf(rest.head ?? "head");
    const labels = this.#labels({ title: title ?? `Change ${number}`, author: author ?? "alice", at });
    const pull = { repositoryId, number, headSha, mergeSha: null, baseRef: "main" };
    await savePull(this.db, { ...pull, state: "open", labels }, at);
    const { made } = rest;
    const result = evaluation({ ...made, pull: { repositoryId, number, headSha, ...made?.pull } });
    const fence = await enterLane(this.db, `pull:${repositoryId}:${number}`, at);
    const facts = rest.facts ?? JSON.stringify([result.situation, result.report.totals]);
    const digest = `${rest.head} ${facts}`;
    await saveDecision(
      this.db,
      { evaluation: result, digest, policyBlobs: "b1" },
      { fence, now: at, budgetVersion: null },
    );
    this.#newest.set(`${repositoryId} ${number}`, result);
    return result;
  }

  /** Someone merges or closes it. */
  async ends(number: number, as: "merged" | "closed", at: Date, repositoryId = 1): Promise<void> {
    await this.db
      .updateTable("pulls")
      .set({ state: "closed", merged_at: as === "merged" ? at : null })
      .where("repository_id", "=", repositoryId)
      .where("number", "=", number)
      .execute();
    if (as === "merged") await this.#saveMerge({ repositoryId, number }, at);
    await closeRuleOutcomes(this.db, { repositoryId, number }, { as, at });
  }

  async #saveMerge(key: PullKey, at: Date): Promise<void> {
    const stages = this.#newest.get(`${key.repositoryId} ${key.number}`)?.report.stages ?? [];
    const merged = stages.map(({ org, project, workspace, name, state, currency, before, after, change }) => {
      const known = state === "known" ? { currency, before, after, change } : NOTHING_KNOWN;
      return { org, project, workspace, stage: name, ...known, plannedMs: at.getTime() };
    });
    await recordMerge(
      this.db,
      { ...key, mergedMs: at.getTime(), compareMs: null, outcome: mergeOutcome() },
      merged,
    );
  }

  #labels({ title, author, at }: { readonly title: string; readonly author: string; readonly at: Date }) {
    return { title, author_id: 7, author_login: author, is_draft: false, opened_at: at, merged_at: null };
  }
}
