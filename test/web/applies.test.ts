import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TollgateError } from "../../src/kernel/errors.ts";
import type { Sha } from "../../src/kernel/ids.ts";
import { decimal } from "../../src/kernel/money.ts";
import type { WorkspacePlan } from "../../src/policy/model/apply.ts";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import { listApplies } from "../../src/store/after-merge/applies.ts";
import { recordMerge } from "../../src/store/after-merge/merged-pulls.ts";
import { appendMerge } from "../../src/store/audit/decisions.ts";
import { markPublished } from "../../src/store/evaluations.ts";
import { storedApply } from "../../src/store/json/stored-values.ts";
import { savePull } from "../../src/store/pulls.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import { createJobToken, createToken, type TokenGrant } from "../../src/store/tokens.ts";
import type { ApplyAnswer } from "../../src/web/applies/contract.ts";
import { createAppliesRoute } from "../../src/web/applies/route.ts";
import { createIdTokenVerifier } from "../../src/web/oidc/verify-id-token.ts";
import type { Database } from "../../src/wiring/database/schema.ts";
import { evaluates } from "../pages/pull/pull-store.ts";
import {
  approval,
  evaluatedSituation,
  evaluation,
  finding,
  money,
  report,
  row,
  stage,
} from "../render/evaluation-builder.ts";
import { mergeOutcome } from "../store/merge-outcome.ts";
import { usualEngine } from "../world/engines.ts";
import {
  AUDIENCE,
  type Claims,
  type IdTokenIssuer,
  jobClaims,
  NOW_MS,
  OWNER_ID,
  REPOSITORY_ID,
  startIssuer,
  toSha,
} from "./id-token-issuer.ts";

/** Commits on the base branch; heads have a digit. */
const [OLD, FIRST, SECOND, THIRD, FOURTH, OTHER] = ["a", "b", "c", "d", "e", "f"].map(toSha) as [
  ...[Sha, Sha, Sha, Sha, Sha, Sha], // as many as digits
];
const WORKSPACE = "prod";

const MEASURED = { kind: "money" as const, ...money("10") };

let store: Database;
let issuer: IdTokenIssuer;
const clock = { ms: NOW_MS, now: () => clock.ms, monotonicMs: () => clock.ms };
let enqueued: unknown[];

beforeAll(async () => {
  [store, issuer] = [await usualEngine().open(), await startIssuer()];
});
beforeEach(async () => {
  for (const table of [
    "tokens",
    "pulls",
    "merged_pulls",
    "evaluations",
    "evaluation_stages",
    "applies",
  ] as const)
    await store.db.deleteFrom(table).execute();
  [enqueued, clock.ms] = [[], NOW_MS];
  const now = new Date(NOW_MS);
  const label = { owner_id: OWNER_ID, owner_login: "acme", name: "shop", installation_id: 1, figures: true };
  await saveRepository(store.db, { repository_id: REPOSITORY_ID, ...label }, now);
  await saveRepository(store.db, { repository_id: 8, ...label, name: "other" }, now);
});
afterAll(async () => {
  await issuer.ends();
  await store.close();
});

const headOf = (number: number): Sha => toSha(String(number % 10));

/** Evaluates a pull request that adds these addresses to a workspace and costs so much more there. */
async function evaluated(
  number: number,
  added: readonly string[],
  { change = "10", isPublished = true, rest = {} as Parameters<typeof evaluation>[0] } = {},
): Promise<Evaluation> {
  const one = evaluation({
    report: report([stage(WORKSPACE, ["0", change])], {
      rows: added.map((address) => row("added", address, WORKSPACE)),
    }),
    ...rest,
    pull: { repositoryId: REPOSITORY_ID, number, headSha: headOf(number), ...rest?.pull },
  });
  await evaluates(store, one, { digest: `d${number}`, now: new Date(clock.ms) });
  if (isPublished) await markPublished(store.db, { repositoryId: REPOSITORY_ID, number }, `d${number}`);
  return one;
}

/** Merges it, by whichever method: GitHub names the commit that brought it to the base branch. */
async function merges(number: number, mergeSha: Sha): Promise<void> {
  const key = { repositoryId: REPOSITORY_ID, number };
  clock.ms += 60_000;
  await recordMerge(
    store.db,
    { ...key, mergedMs: clock.ms, mergeSha, compareMs: null, outcome: mergeOutcome() },
    [],
  );
  const closed = { ...key, headSha: headOf(number), mergeSha, baseRef: "main", state: "closed" } as const;
  await savePull(store.db, closed, new Date(clock.ms));
}

async function merged(...[number, ...rest]: Parameters<typeof evaluated>): Promise<void> {
  await evaluated(number, ...rest);
  await merges(number, FIRST);
}

const planOf = (added: readonly string[], { change = "10", workspace = WORKSPACE } = {}): WorkspacePlan => ({
  workspace,
  isComplete: true,
  cost: {
    ...{ state: "known", currency: "USD", before: decimal("0") },
    ...{ after: decimal(change), change: decimal(change) },
  },
  changes: added.map((address) => ({ address, action: "added", before: null, after: null })),
});

function createRoute({ silent = false } = {}) {
  const { db } = store;
  return createAppliesRoute({
    ...{ db, clock, account: "acc", publicUrl: AUDIENCE },
    verifyIdToken: createIdTokenVerifier({ issuer: issuer.url, audience: AUDIENCE }, { clock, fetch }),
    readDefaultBranch: async () => "main",
    readMergedPull: async () => {
      if (silent) throw new TollgateError("github_failed", "silent", { retryable: true });
      return null;
    },
    enqueue: async (pull) => void enqueued.push(pull),
  });
}

async function send(token: string, body: object, route = createRoute()) {
  const response = await route.request("/api/v1/applies", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as ApplyAnswer }; // refusals are compared by their status
}

const BOUND: TokenGrant = {
  ...{ purpose: "notify", account: "acc", repositoryId: REPOSITORY_ID },
  ...{ org: "acme", project: "shop" },
};
const makeToken = async (grant: TokenGrant = BOUND) =>
  (await createToken(store.db, grant, clock, { name: "apply job" })).secret;

async function verifies(sha: string, plan: WorkspacePlan, rest: object = {}): Promise<ApplyAnswer> {
  const { status, body } = await send(await makeToken(), { repository: "acme/shop", sha, plan, ...rest });
  expect(status).toBe(200);
  return body;
}
const kindOf = async (...request: Parameters<typeof verifies>) => {
  const { result } = await verifies(...request);
  return result.kind === "undecided" ? result.because.join() : result.kind;
};

describe("the apply of a merged pull request", () => {
  it("is accepted for what was evaluated, under GitHub's commit of any way to merge, and recorded", async () => {
    await merged(1, ["a.one"]);
    expect(await verifies(FIRST, planOf(["a.one"]))).toEqual({
      result: { kind: "within", cost: "compared" },
      ...{ pulls: [1], uncounted: [], unchecked: [] },
      page: `${AUDIENCE}/r/acme/shop/pull/1`,
    });
    const key = { repositoryId: REPOSITORY_ID, number: 1 };
    expect(await listApplies(store.db, key)).toMatchObject([{ sha: FIRST, actor: "token apply job" }]);
    const { record } = await store.db
      .selectFrom("decisions")
      .select("record")
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(record)).toMatchObject({ kind: "apply", sha: FIRST, result: "within", pulls: [1] });
    expect(enqueued).toEqual([]);
  });

  it("is refused for a further address, and the pull request's targets are notified", async () => {
    await merged(1, ["a.one"]);
    expect(await kindOf(FIRST, planOf(["a.one", "a.two"]))).toBe("exceeds");
    expect(enqueued).toEqual([{ repositoryId: REPOSITORY_ID, number: 1 }]);
  });

  it("is accepted up to the tolerance or the approved amount, not beyond", async () => {
    await merged(1, []);
    const tolerance = { kind: "percent", percent: "5" };
    expect(await kindOf(FIRST, planOf([], { change: "10.5" }), { tolerance })).toBe("within");
    expect(await kindOf(FIRST, planOf([], { change: "10.51" }), { tolerance })).toBe("exceeds");
    await evaluated(2, [], {
      rest: {
        situation: evaluatedSituation("pass", [
          finding("monthly-increase", { measured: MEASURED, approved: true }),
        ]),
        approvals: { ...evaluation().approvals, live: [approval({ upTo: money("20") })] },
      },
    });
    await merges(2, SECOND);
    expect(await kindOf(SECOND, planOf([], { change: "20" }))).toBe("within");
    expect(await kindOf(SECOND, planOf([], { change: "20.01" }))).toBe("exceeds");
  });

  it("is compared without amounts where they are hidden, and tells none", async () => {
    await merged(1, ["a.one"]);
    await store.db.updateTable("repositories").set({ figures: false }).execute();
    const answer = await verifies(FIRST, planOf(["a.one"], { change: "999" }));
    expect(answer.result).toEqual({ kind: "within", cost: "hidden" });
  });

  it("is answered 503 while it takes GitHub to know the merge, and GitHub is silent", async () => {
    const body = { repository: "acme/shop", sha: FIRST, plan: planOf(["a.one"]) };
    expect((await send(await makeToken(), body, createRoute({ silent: true }))).status).toBe(503);
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ["its commit is of no pull request", "no_evaluation", async () => {}],
    [
      "its check had not passed",
      "unchecked_merge",
      () => merged(1, ["a.one"], { rest: { situation: evaluatedSituation("block", [finding("x")]) } }),
    ],
    ["its check had not been shown", "unchecked_merge", () => merged(1, ["a.one"], { isPublished: false })],
    [
      "it was merged over its check, and the check passed later",
      "unchecked_merge",
      async () => {
        await merged(19, ["a.one"]);
        const place = { repositoryId: REPOSITORY_ID, number: 19, headSha: headOf(19), baseRef: "main" };
        const record = { mergeSha: FIRST, mergedAt: "", mergedBy: null, checkName: "t", check: "failure" };
        await appendMerge(
          store.db,
          { kind: "merge", ...place, ...record, situation: null, open: [] },
          new Date(clock.ms),
        );
      },
    ],
    [
      "its evaluation is of an earlier head",
      "no_evaluation",
      () => merged(3, ["a.one"], { rest: { pull: { headSha: OTHER } } }),
    ],
    [
      "its evaluation is of another base branch",
      "no_evaluation",
      () => merged(3, ["a.one"], { rest: { pull: { baseRef: "next" } } }),
    ],
    [
      "it has no plan of the workspace",
      "workspace_not_evaluated",
      () => merged(3, [], { rest: { report: report([stage("dev", ["0", "1"])]) } }),
    ],
    [
      "its workspace only ends with the name",
      "workspace_not_evaluated",
      () => merged(3, [], { rest: { report: report([stage(`sandbox/${WORKSPACE}`, ["0", "1"])]) } }),
    ],
    [
      "two projects have the workspace",
      "ambiguous_workspace",
      async () => {
        const both = [stage(WORKSPACE, ["0", "1"]), stage(WORKSPACE, ["0", "1"], { project: "shop" })];
        await merged(3, [], { rest: { report: report(both) } });
      },
    ],
  ])("is undecided where %s", async (_, doubt, prepare) => {
    await prepare();
    expect(await kindOf(FIRST, planOf(["a.one"]))).toBe(doubt);
  });

  it("does not count for another base branch than the one that is applied", async () => {
    await evaluated(3, [], { rest: { pull: { baseRef: "next" } } });
    await savePull(
      store.db,
      {
        repositoryId: REPOSITORY_ID,
        number: 3,
        headSha: headOf(3),
        mergeSha: null,
        baseRef: "next",
        state: "open",
      },
      new Date(clock.ms),
    );
    expect(await kindOf(headOf(3), planOf([]), { base: "main" })).toBe("other_base");
    expect(await kindOf(headOf(3), planOf([]), { base: "next" })).toBe("within");
  });

  it("names the workspace with its project where two have it", async () => {
    const both = [stage(WORKSPACE, ["0", "1"]), stage(WORKSPACE, ["0", "9"], { project: "shop" })];
    await merged(3, [], { rest: { report: report(both) } });
    const plan = planOf([], { change: "9", workspace: `shop/${WORKSPACE}` });
    expect(await kindOf(FIRST, plan)).toBe("within");
    expect(await kindOf(FIRST, { ...plan, workspace: `payments/${WORKSPACE}` })).toBe("exceeds");
  });
});

describe("two merges before one apply", () => {
  beforeEach(async () => {
    await evaluated(4, ["a.old"], { change: "1" });
    await merges(4, OLD);
    await merged(5, ["a.one"]);
    await evaluated(6, ["a.two"]);
    await merges(6, SECOND);
  });
  const both = planOf(["a.one", "a.two"], { change: "20" });

  it("allow what both evaluations have, since the last accepted apply", async () => {
    expect(await kindOf(OLD, planOf(["a.old"], { change: "1" }))).toBe("within");
    expect(await verifies(SECOND, both)).toMatchObject({ result: { kind: "within" }, pulls: [6, 5] });
    expect(await kindOf(SECOND, planOf(["a.one", "a.two", "a.old"], { change: "20" }))).toBe("exceeds");
    expect(await kindOf(SECOND, planOf(["a.one", "a.two"], { change: "20.01" }))).toBe("exceeds");
  });

  it("allow what the own evaluation has, and name the others, before any apply was accepted", async () => {
    expect(await verifies(SECOND, both)).toMatchObject({
      result: { kind: "exceeds" },
      ...{ pulls: [6], uncounted: [5, 4] },
    });
  });

  it("allow the same apply again, but no apply of an earlier commit", async () => {
    await kindOf(OLD, planOf(["a.old"], { change: "1" }));
    expect([await kindOf(SECOND, both), await kindOf(SECOND, both)]).toEqual(["within", "within"]);
    expect(await kindOf(FIRST, planOf(["a.one"]))).toBe("superseded");
    await evaluated(7, ["a.three"]);
    await merges(7, THIRD);
    expect(await kindOf(THIRD, planOf(["a.three"]))).toBe("within");
    expect(await kindOf(THIRD, planOf(["a.three", "a.two"]))).toBe("exceeds");
  });

  it("allow no earlier commit after many heads, and merges of another project, were applied", async () => {
    await kindOf(SECOND, planOf(["a.two"]));
    const { apply_id: _, ...applied } = await store.db
      .selectFrom("applies")
      .selectAll()
      .executeTakeFirstOrThrow();
    const details = storedApply.write({
      ...{ result: { kind: "within", cost: "compared" }, tolerance: null, pulls: [] },
    });
    const merged_at = new Date(clock.ms + 1);
    const later = Array.from({ length: 60 }, (_, index) => ({
      ...applied,
      details,
      at: merged_at,
      sha: `${index}`,
    }));
    for (const row of [{ merged_at: null }, { merged_at, stage: `default/shop/${WORKSPACE}` }])
      await store.db
        .insertInto("applies")
        .values(later.map((one) => ({ ...one, ...row })))
        .execute();
    expect(await kindOf(FIRST, planOf(["a.one"]))).toBe("superseded");
  });

  it("allow nothing of a merge over its check, and name it", async () => {
    await kindOf(FIRST, planOf(["a.one"]));
    await evaluated(8, ["a.bad"], { rest: { situation: evaluatedSituation("block", [finding("x")]) } });
    await merges(8, THIRD);
    await evaluated(9, ["a.nine"]);
    await merges(9, FOURTH);
    expect(await verifies(FOURTH, planOf(["a.nine", "a.bad"]))).toMatchObject({
      result: { kind: "exceeds", differences: [{ address: "a.bad" }] },
      ...{ pulls: [9, 6], unchecked: [8] },
    });
  });

  it("allow no approved amount of one of them", async () => {
    await kindOf(FIRST, planOf(["a.one"]));
    await evaluated(9, [], {
      rest: {
        situation: evaluatedSituation("pass", [
          finding("monthly-increase", { measured: MEASURED, approved: true }),
        ]),
        approvals: { ...evaluation().approvals, live: [approval({ upTo: money("90") })] },
      },
    });
    await merges(9, THIRD);
    expect(await kindOf(THIRD, planOf([], { change: "20.01" }))).toBe("exceeds");
  });

  it("do not begin at an accepted apply of another project's workspace of that name", async () => {
    await kindOf(SECOND, planOf(["a.two"]));
    const shop = { report: report([stage(WORKSPACE, ["0", "10"], { project: "shop" })]) };
    for (const [number, sha] of [
      [8, THIRD],
      [9, FOURTH],
    ] as const) {
      await evaluated(number, [], { rest: shop });
      await merges(number, sha);
    }
    for (const workspace of [WORKSPACE, `shop/${WORKSPACE}`]) {
      const { uncounted, ...answer } = await verifies(FOURTH, planOf([], { change: "20", workspace }));
      expect(answer).toMatchObject({ result: { kind: "exceeds" }, pulls: [9] });
      expect(uncounted).toContain(8);
    }
  });

  it("count together where one commit merged both, as of a stack", async () => {
    await store.db.updateTable("merged_pulls").set({ merge_sha: SECOND }).where("number", "=", 5).execute();
    expect(await kindOf(SECOND, both)).toBe("within");
  });
});

describe("the apply of an open pull request", () => {
  it("is accepted at the head whose check passes, and its merge brings nothing new afterwards", async () => {
    await evaluated(4, []);
    await merges(4, OLD);
    await kindOf(OLD, planOf([]));
    await evaluated(1, ["a.one"]);
    expect(await kindOf(headOf(1), planOf(["a.one"]))).toBe("within");
    await merges(1, FIRST);
    await evaluated(2, ["a.two"]);
    await merges(2, SECOND);
    expect(await kindOf(SECOND, planOf(["a.two", "a.one"]))).toBe("exceeds");
  });

  it("is undecided at a head that does not pass, or is not the newest", async () => {
    await evaluated(1, ["a.one"], { rest: { situation: evaluatedSituation("block", [finding("x")]) } });
    expect(await kindOf(headOf(1), planOf(["a.one"]))).toBe("not_passed");
    expect(await kindOf(OTHER, planOf(["a.one"]))).toBe("no_evaluation");
  });
});

describe("who may ask", () => {
  const ask = (token: string, rest: object = {}) =>
    send(token, { repository: "acme/shop", sha: FIRST, plan: planOf(["a.one"]), ...rest });
  beforeEach(async () => {
    await merged(1, ["a.one"]);
  });

  it.each<[string, TokenGrant | null, object, number]>([
    ["a token for notifications", BOUND, {}, 200],
    ["a token for imports", { ...BOUND, purpose: "import" }, { repository: REPOSITORY_ID }, 200],
    ["a token of another repository", { ...BOUND, repositoryId: 8 }, {}, 403],
    ["a token of another repository, by the id", { ...BOUND, repositoryId: 8 }, { repository: 7 }, 403],
    ["a token of no known repository", { ...BOUND, repositoryId: 9 }, { repository: 9 }, 403],
    ["a token of another account", { ...BOUND, account: "foreign" }, {}, 401],
    ["a read token", { purpose: "read", account: "acc", repositoryId: 7, ownerId: null }, {}, 401],
    ["an api token", { purpose: "api", account: "acc" }, {}, 401],
    ["no token", null, {}, 401],
    ["a token, about a plan without changes", BOUND, { plan: { workspace: "x" } }, 400],
    ["a token, about a name that no database has", BOUND, { plan: { ...planOf([]), workspace: "\0" } }, 400],
    ["a token, about a commit in another form", BOUND, { sha: "main" }, 400],
  ])("%s", async (_, grant, rest, status) => {
    const token = grant === null ? "" : await makeToken(grant);
    expect((await ask(token, rest)).status).toBe(status);
  });

  it.each<[string, Claims, number]>([
    ["of the merge commit", { sha: FIRST, ref: "refs/heads/main" }, 200],
    [
      "of another commit on the default branch",
      { sha: OTHER, ref: "refs/heads/main", workflow_ref: "acme/shop/a.yml@refs/heads/main" },
      200,
    ],
    [
      "of another commit by a branch that is called like the default branch at its end",
      { sha: OTHER, ref: "refs/heads/x@refs/heads/main", workflow_ref: "a.yml@refs/heads/x@refs/heads/main" },
      403,
    ],
    [
      "of another commit by a workflow of another branch",
      { sha: OTHER, workflow_ref: "acme/shop/a.yml@refs/heads/x" },
      403,
    ],
    ["of another repository", { repository_id: "8", sha: FIRST }, 403],
    ["for another audience", { aud: "https://elsewhere.example.com", sha: FIRST }, 401],
  ])("a job with an id token %s", async (_, claims, status) => {
    expect((await ask(await issuer.signs({ ...jobClaims(issuer), ...claims }))).status).toBe(status);
  });

  it("a job whose token is bound to an open head asks about that head only", async () => {
    const job = {
      grant: { ...BOUND, purpose: "import" as const },
      details: { validMs: 60_000 },
      ...{ headSha: headOf(1), exchanged: "x" },
    };
    const token = await createJobToken(store.db, job as Parameters<typeof createJobToken>[1], clock);
    expect((await ask(token?.secret ?? "")).status).toBe(403);
    expect((await ask(token?.secret ?? "", { sha: headOf(1) })).status).toBe(200);
  });
});
