import { expect, it, onTestFinished } from "vitest";
import { anomalyImport } from "../../src/platform-server/anomalies/import.ts";
import { createSimulatedWorld } from "../simulation/simulated-world.ts";
import { importRows } from "../world/import-rows.ts";
import { NAME, OWNER } from "../world/places.ts";

const HOUR = 3_600_000;
const WEB = {
  address: "aws_instance.web",
  change: "changed",
  cloudId: "arn:aws:ec2:a:1:instance/i-1",
} as const;
const COST = { before: "100", after: "150", change: "50" };
const raised = { previous_monthly_cost: "100", current_monthly_cost: "150", diff_monthly_cost: "50" };
const delta = { ...raised, percentage_change_monthly_cost: 50 };
const DIFF = { aws_instance: { ...delta, diff: [{ name: WEB.address, ...delta }] } };
const APPLY = { operation: "apply", provisioner: "iac_tool_1", workspace: "", pipeline: "infra", updated: 1 };
const BEFORE = Date.UTC(2026, 2, 2, 9);
const AFTER = Date.UTC(2026, 2, 3, 9);

const ANOMALIES = [
  { id: "explained", anomalousSpend: 50 },
  { id: "began-before", time: BEFORE },
  { id: "costs-more", anomalousSpend: 50.01 },
  { id: "of-another-resource", resourceName: "i-2" },
  { id: "not-granted", perspectiveId: "payroll" },
  { id: "closed", status: "RESOLVED" },
  { id: "answered", userFeedback: "FALSE_ANOMALY" },
];

/** Merges an increase, applies it, and returns the feedback of each anomaly at the end. */
async function merge({ limit, optIn }: { readonly limit: number; readonly optIn: boolean }) {
  const world = await createSimulatedWorld({
    policy: `version: 1\nrules: [{ id: much, limit: { increase: ${limit} USD } }]\n`,
    operator: ({ ownerId: owner, repositoryId: repository }) => ({
      grants: [{ owner, repository, org: OWNER, project: NAME, perspectives: ["shop"] }],
      after_merge: { compare_after_days: 0, mark_expected_anomalies: optIn },
    }),
  });
  onTestFinished(() => world.ends());
  const token = await world.ci.token({ purpose: "api" });
  const headers = { "x-api-key": token, "content-type": "application/json", "platform-account": "acc" };
  const asks = (method: string, path: string, body: object) =>
    world.fetch(world.bot.url + path, { method, headers, body: JSON.stringify(body) });
  await asks("PUT", `/api/orgs/${OWNER}/projects/${NAME}/settings/default-pipelines`, APPLY);
  const pull = world.opensPullRequest();
  await world.ci.runs({ sha: pull.headSha, cost: COST, diff: DIFF, changes: [WEB] });
  await world.settles();
  const gate = world.gate(pull);
  const { mergeCommitSha } = world.github.mergePullRequest(pull);
  await world.settles();
  await world.timePasses(HOUR);
  await world.ci.runs({ sha: mergeCommitSha ?? "", cost: COST, changes: [WEB], bind: "status" });
  const usual = {
    time: AFTER,
    actualAmount: 200,
    expectedAmount: 150,
    anomalousSpend: 5,
    cloudProvider: "CLOUD_1",
  };
  const lines = ANOMALIES.map((one) =>
    anomalyImport.line.parse({ ...usual, resourceName: "i-1", perspectiveId: "shop", ...one }),
  );
  await importRows(world.bot.session.store, anomalyImport, "acc", lines);
  await world.timePasses(170 * HOUR);
  const answer = await asks("POST", "/gateway/ccm/api/anomaly/v2/list?accountIdentifier=acc", {
    anomalyFilterPropertiesDTO: { limit: 100 },
  });
  const { data } = (await answer.json()) as { data: { id: string; userFeedback: string }[] }; // the platform's own list
  const answered = data.filter(({ userFeedback }) => userFeedback !== "NOT_RESPONDED");
  return { gate, answered: answered.map(({ id, userFeedback }) => `${id} ${userFeedback}`).sort() };
}

const UNTOUCHED = "answered FALSE_ANOMALY";

it.each([
  [
    "allowed by the policy, is marked as expected",
    { limit: 100, optIn: true },
    "success",
    ["explained TRUE_EXPECTED_ANOMALY"],
  ],
  ["merged over a failing check, is not marked", { limit: 10, optIn: true }, "failure", []],
  [
    "allowed by the policy, is not marked unless the operator wants it",
    { limit: 100, optIn: false },
    "success",
    [],
  ],
])("an anomaly that an applied increase explains, %s", async (_, about, gate, marked) => {
  expect(await merge(about)).toEqual({ gate, answered: [UNTOUCHED, ...marked] });
});
