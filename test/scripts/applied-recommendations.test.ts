import { afterAll, beforeAll, expect, it } from "vitest";
import type { PullKey } from "../../src/kernel/ids.ts";
import { recommendationsImport } from "../../src/platform-server/recommendations/import.ts";
import { formatLaneKey } from "../../src/queue/names.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { importRows } from "../world/import-rows.ts";
import { NAME, OWNER } from "../world/places.ts";

const MINUTE = 60_000;
const COST = { before: "100", after: "60", change: "-40" };
const GONE = { address: "aws_instance.gone", change: "deleted", cloudId: "i-0000000000001" } as const;
const STAYS = { address: "aws_instance.web", change: "changed", cloudId: "i-0000000000002" } as const;

let world: SimulatedWorld;
let token: string;
beforeAll(async () => {
  world = await createSimulatedWorld({
    policy: "version: 1\nrules:\n  - { id: much, limit: { increase: 5000 USD } }\n",
    operator: ({ ownerId: owner, repositoryId: repository }) => ({
      grants: [{ owner, repository, org: OWNER, project: NAME, cloud_accounts: ["111"] }],
      after_merge: { compare_after_days: 0, mark_recommendations: true },
    }),
  });
  token = await world.ci.token({ purpose: "api" });
  const rows = [GONE, STAYS].map(({ cloudId }, index) =>
    recommendationsImport.line.parse({
      id: `r-${index + 1}`,
      resourceType: "EC2_INSTANCE",
      resourceId: cloudId,
      cloudAccountId: "111",
      monthlySaving: 12.5,
      verificationStatus: index === 0 ? "INFERRED_PENDING_REVIEW" : undefined,
    }),
  );
  await importRows(world.bot.session.store, recommendationsImport, "acc", rows);
});
afterAll(() => world.ends());

async function asks(method: string, path: string, body: object): Promise<Response> {
  const headers = { "x-api-key": token, "content-type": "application/json", "platform-account": "acc" };
  return world.fetch(`${world.bot.url}${path}`, { method, headers, body: JSON.stringify(body) });
}

async function onPlatform(): Promise<readonly string[]> {
  const path = "/gateway/ccm/api/recommendation/overview/list?accountIdentifier=acc";
  const answer = (await (await asks("POST", path, {})).json()) as {
    data: {
      items: {
        id: string;
        recommendationState: string;
        appliedAtSavings: number;
        verificationStatus: string;
      }[];
    };
  };
  return answer.data.items
    .map((item) =>
      [item.id, item.recommendationState, item.appliedAtSavings, item.verificationStatus].join(" "),
    )
    .sort();
}

async function runsOfLane({ repositoryId, number }: PullKey): Promise<number> {
  const lane = formatLaneKey({ kind: "pull", repositoryId, number });
  const { db } = world.bot.session.store;
  return (await db.selectFrom("lanes").select("token").where("lane", "=", lane).executeTakeFirstOrThrow())
    .token;
}

/** Time passes, and the pull request is looked at because of it. */
async function later(pull: PullKey, minutes: number): Promise<void> {
  const before = await runsOfLane(pull);
  await world.timePasses(minutes * MINUTE);
  expect(await runsOfLane(pull)).toBeGreaterThan(before);
}

it("what an apply carried out is marked on the platform, once it is known as an apply of the merge", async () => {
  const pull = world.opensPullRequest();
  await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [GONE, STAYS] });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  const { mergeCommitSha } = world.github.mergePullRequest(pull);
  await world.settles();
  await later(pull, 6);
  const untouched = await onPlatform();
  expect(untouched).toMatchInlineSnapshot(`
    [
      "r-1 OPEN  INFERRED_PENDING_REVIEW",
      "r-2 OPEN  ",
    ]
  `);
  await world.ci.runs({ sha: "c".repeat(40), cost: COST, changes: [GONE], bind: "none" });
  await world.ci.runs({ sha: mergeCommitSha ?? "", cost: COST, changes: [GONE, STAYS], bind: "status" });
  await later(pull, 30);
  expect(await onPlatform()).toEqual(untouched);
  const answer = await asks("PUT", `/api/orgs/${OWNER}/projects/${NAME}/settings/default-pipelines`, {
    operation: "apply",
    provisioner: "iac_tool_1",
    workspace: "",
    pipeline: "infra",
    updated: 1,
  });
  expect(answer.status).toBe(200);
  await later(pull, 120);
  expect(await onPlatform()).toMatchInlineSnapshot(`
    [
      "r-1 APPLIED 12.5 INFERRED_APPLIED",
      "r-2 OPEN  ",
    ]
  `);
  await asks(
    "POST",
    "/gateway/ccm/api/recommendation/overview/change-state?accountIdentifier=acc&recommendationId=r-1&state=OPEN",
    {},
  );
  await later(pull, 360);
  expect((await onPlatform())[0]).toContain("r-1 OPEN");
});
