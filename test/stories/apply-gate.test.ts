import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { SandboxPull } from "../../sandbox/state/records.ts";
import { verifyCommand } from "../../src/cli/commands/verify.ts";
import { MINUTE_MS, systemClock } from "../../src/kernel/clock.ts";
import { createToken } from "../../src/store/tokens.ts";
import { type Ended, typed } from "../cli/run-command.ts";
import { planOf } from "../plan-files/plan-builder.ts";
import { type IdTokenIssuer, startIssuer } from "../web/id-token-issuer.ts";
import { estimateOf } from "../world/ci-job.ts";
import { eventually } from "../world/eventually.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";
import { type Receiver, startReceiver } from "../world/receiver.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = "version: 1\nrules:\n  - { id: growth, limit: { increase: 100 USD } }\n";
const SERVER = { address: "aws_instance.server", actions: ["update"] };
const DISK = { address: "cloud_disk.data" };
const DELETED = { address: "cloud_disk.old", actions: ["delete"] };

const folder = mkdtempSync(join(tmpdir(), "tollgate-apply-"));
let issuer: IdTokenIssuer;
let receiver: Receiver;
let world: World;
let token: string;
let ownerId = 0;
beforeAll(async () => {
  [issuer, receiver] = await Promise.all([startIssuer(), startReceiver()]);
  const target = { name: "ops", kind: "slack", url: `${receiver.url}/ops`, on: ["apply-refused"] };
  world = await createWorld({
    ...{ policy: POLICY, settings: { oidcIssuer: issuer.url } },
    operator: (ids) => {
      ownerId = ids.ownerId;
      return { notifications: { targets: [{ ...target, owners: [ownerId] }] } };
    },
  });
  token = await world.ci.token({ purpose: "import" });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await world.ends();
  await issuer.ends();
  await receiver.close();
});

/** The options that name a plan and an estimate of this change of the monthly cost. */
function files(changes: readonly object[], change: string): readonly string[] {
  const [plan, cost] = [join(folder, "plan.json"), join(folder, "infracost.json")];
  writeFileSync(plan, JSON.stringify(planOf(...changes)));
  writeFileSync(cost, JSON.stringify(estimateOf(change)));
  return ["--workspace", "production", "--plan", plan, "--infracost", cost];
}

/** A pull request whose CI sent these files, and that was merged after its check had passed. */
async function merges(changes: readonly object[], change: string): Promise<SandboxPull & { sha: string }> {
  const pull = world.opensPullRequest();
  const place = [
    "--account",
    "acc",
    "--org",
    OWNER,
    "--project",
    NAME,
    "--repository",
    REPOSITORY,
    "--sha",
    pull.headSha,
  ];
  vi.stubEnv("TOLLGATE_URL", world.bot.url);
  vi.stubEnv("TOLLGATE_TOKEN", token);
  const sent = await typed(["platform", "import", ...files(changes, change), ...place]);
  expect(sent).toMatchObject({ code: 0 });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  const merged = world.github.mergePullRequest(pull);
  await world.settles();
  return { ...merged, sha: merged.mergeCommitSha ?? expect.fail("it was not merged") };
}

const verifies = (
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> => {
  const job = { GITHUB_REPOSITORY: REPOSITORY, TOLLGATE_URL: world.bot.url, ...environment };
  return typed(
    ["verify", ...words],
    [{ name: "verify", summary: "", load: async () => verifyCommand(() => job) }],
  );
};

it("a pull request is evaluated and merged: its apply is accepted, and a more expensive and a deleting one are refused", async () => {
  const { number, sha } = await merges([SERVER], "10");
  const claims = {
    ...{ repository: REPOSITORY, repository_id: String(world.repositoryId), run_id: "4711" },
    ...{ repository_owner_id: String(ownerId), event_name: "push", sha, ref: "refs/heads/main" },
  };
  const job = { GITHUB_SHA: sha, ...issuer.startsJob(claims) };

  const page = `${world.bot.url}/r/${REPOSITORY}/pull/${number}`;
  const within = await verifies(files([SERVER], "10"), job);
  expect(within).toEqual({
    ...{ code: 0, messages: [] },
    results: `production: the apply does at most what was evaluated (#${number})\n  ${page}`,
  });

  const expensive = await verifies(files([SERVER], "11"), job);
  expect(expensive).toMatchObject({
    code: 1,
    results: expect.stringContaining("+11 USD; evaluated: +10 USD"),
  });
  expect(await verifies([...files([SERVER], "11"), "--tolerance", "10%"], job)).toMatchObject({ code: 0 });

  const deleting = await verifies(files([SERVER, DELETED], "10"), { GITHUB_SHA: sha, TOLLGATE_TOKEN: token });
  expect(deleting).toMatchObject({
    code: 1,
    results: expect.stringContaining("cloud_disk.old: deleted; evaluated: no change"),
  });
  await eventually(() => expect(JSON.stringify(receiver.requests)).toContain("cloud_disk.old"));

  const { db } = world.bot.session.store;
  const recorded = await db.selectFrom("decisions").select("seq").where("kind", "=", "apply").execute();
  expect(recorded).toHaveLength(4);
});

it("an apply brings every merge since the last accepted one, and a commit that nobody evaluated is not accepted", async () => {
  const first = await merges([SERVER], "10");
  const alone = await verifies(files([SERVER], "10"), { GITHUB_SHA: first.sha, TOLLGATE_TOKEN: token });
  expect(alone).toMatchObject({ code: 0 });
  await world.timePasses(MINUTE_MS); // GitHub states the time of a merge in seconds

  await merges([SERVER, DISK], "10");
  const { sha } = await merges([SERVER], "20");
  const both = files([SERVER, DISK], "20");
  expect(await verifies(both, { GITHUB_SHA: sha, TOLLGATE_TOKEN: token })).toMatchObject({ code: 0 });

  const { after } = world.github.push({ repository: REPOSITORY, branch: "main", files: { "a.tf": "# a\n" } });
  const pushed = await verifies(files([], "0"), { GITHUB_SHA: after, TOLLGATE_TOKEN: token });
  expect(pushed).toMatchObject({ code: 3, results: expect.stringContaining("No evaluated pull request") });

  const grant = { purpose: "import", account: "acc", repositoryId: 4711, org: OWNER, project: NAME } as const;
  const { secret } = await createToken(world.bot.session.store.db, grant, systemClock);
  const foreign = await verifies(both, { GITHUB_SHA: sha, TOLLGATE_TOKEN: secret });
  expect(foreign).toMatchObject({
    code: 2,
    messages: [expect.stringContaining("not valid for this"), expect.anything()],
  });
});
