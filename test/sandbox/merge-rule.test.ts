import { describe, expect, test } from "vitest";
import { openLab } from "./lab.ts";

const repository = "acme/infra";
const NAME = "tollgate: main";

async function protectedLab(options: { anySource?: boolean } = {}) {
  const lab = await openLab();
  const { sandbox, appId } = lab;
  const appOrAny = options.anySource === true ? null : appId;
  sandbox.protectBranch({ repository, branch: "main", requiredChecks: [{ context: NAME, appId: appOrAny }] });
  const pull = sandbox.openPullRequest({ repository, head: "more", title: "More" });
  const check = (
    conclusion: "success" | "failure" | "neutral" | "skipped" | "action_required",
    from = appId,
  ) => sandbox.postCheckRun({ repository, sha: pull.headSha, appId: from, name: NAME, conclusion });
  const because = () => sandbox.mergeability(pull).reasons;
  return { ...lab, pull, check, because };
}

const MISSING = `the required check "${NAME}" is expected and not reported yet`;

describe("a required check", () => {
  test.each([
    ["success", []],
    ["neutral", []],
    ["skipped", []],
    ["failure", [`the required check "${NAME}" failed`]],
    ["action_required", [`the required check "${NAME}" needs action`]],
  ] as const)("that ended in %s", async (conclusion, because) => {
    const lab = await protectedLab();
    lab.check(conclusion);
    expect(lab.sandbox.mergeability(lab.pull)).toEqual({ allowed: because.length === 0, reasons: because });
  });

  test("must be there and finished", async () => {
    const { sandbox, appId, pull, because } = await protectedLab();
    expect(because()).toEqual([MISSING]);
    sandbox.postCheckRun({ repository, sha: pull.headSha, appId, name: NAME, status: "in_progress" });
    expect(because()).toEqual([`the required check "${NAME}" is not finished`]);
  });

  test("counts in its newest run", async () => {
    const { check, because } = await protectedLab();
    check("success");
    check("failure");
    expect(because()).toHaveLength(1);
    check("success");
    expect(because()).toEqual([]);
  });

  test("of another App or a person counts only where any source will do", async () => {
    const other = { name: "Other" };
    const strict = await protectedLab();
    strict.check("success", (await strict.sandbox.registerApp(other)).id);
    const status = { repository, sha: strict.pull.headSha, context: NAME, state: "success" } as const;
    strict.sandbox.postStatus(status);
    expect(strict.because()).toEqual([MISSING]);
    const lax = await protectedLab({ anySource: true });
    lax.check("success", (await lax.sandbox.registerApp(other)).id);
    expect(lax.because()).toEqual([]);
    lax.sandbox.postStatus({ ...status, sha: lax.pull.headSha, state: "failure" });
    expect(lax.because()).toEqual([`the required check "${NAME}" failed`]);
  });

  test("belongs to a head: a push needs a new one, and another base has none", async () => {
    const { sandbox, check, because, pull } = await protectedLab();
    check("success");
    sandbox.push({ repository, branch: "more", files: { x: "1" } });
    expect(because()).toEqual([MISSING]);
    sandbox.push({ repository, branch: "lax", files: { y: "1" } });
    sandbox.retargetPullRequest(pull, { base: "lax" });
    expect(because()).toEqual([]);
  });
});

test("drafts, closed ones and conflicts are not merged", async () => {
  const { sandbox, check, because, pull } = await protectedLab();
  check("success");
  sandbox.convertToDraft(pull);
  expect(because()).toEqual(["it is still a draft"]);
  sandbox.markReadyForReview(pull);
  sandbox.push({ repository, branch: "main", files: { "main.tf": "one\nother\n" } });
  expect(because()).toEqual(["it conflicts with main"]);
  expect(sandbox.testMerge(pull)).toBeNull();
  expect(() => sandbox.mergePullRequest(pull)).toThrow("not mergeable");
  sandbox.closePullRequest(pull);
  expect(because()).toEqual(["it is closed"]);
});

test("the test merge is one commit of both sides and stays the same until a side moves", async () => {
  const { sandbox, asBot } = await openLab();
  const pull = sandbox.openPullRequest({ repository, head: "more", title: "More" });
  const sha = sandbox.testMerge(pull);
  expect((await asBot(`GET /repos/acme/infra/pulls/1`)).body.merge_commit_sha).toBe(sha);
  const { parents } = (await asBot(`GET /repos/acme/infra/git/commits/${sha}`)).body;
  expect(parents.map((parent: { sha: string }) => parent.sha)).toEqual([pull.baseSha, pull.headSha]);
  expect(sandbox.testMerge(pull)).toBe(sha);
  sandbox.push({ repository, branch: "main", files: { y: "1" } });
  expect(sandbox.testMerge(pull)).not.toBe(sha);
});
