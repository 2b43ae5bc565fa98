import { describe, expect, onTestFinished, test } from "vitest";
import { VERSION } from "../../src/package/version.ts";
import { findRepository } from "../../src/store/repositories.ts";
import { createSimulatedWorld, type SimulatedWorld as World } from "../simulation/simulated-world.ts";
import type { FoundingOptions } from "../world/base-world.ts";
import { CHEAP, EXPENSIVE, LAX, STRICT } from "../world/costs.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";

const POLICY_FILE = ".github/tollgate.yml";

async function opens(options: FoundingOptions = { policy: STRICT }) {
  const world = await createSimulatedWorld(options);
  onTestFinished(() => world.ends());
  const on = (branch: string, files: Record<string, string | null>) =>
    world.github.push({ repository: REPOSITORY, branch, files });
  return { world, on };
}

/** The first lines of a comment or check. */
const opening = (text: string | null, lines = 3): string =>
  (text ?? "").split("\n").slice(0, lines).join("\n");

describe("a draft", () => {
  async function drafts(world: World) {
    const pull = world.opensPullRequest();
    world.github.convertToDraft(pull);
    await world.settles();
    return pull;
  }

  test("waits for its executions without a deadline", async () => {
    const { world } = await opens();
    const pull = await drafts(world);
    expect(world.gate(pull)).toBe("in_progress");
    expect(world.checkOf(pull).output.title).toMatchInlineSnapshot(
      `"Draft: decided when it is ready for review"`,
    );
    expect(opening(world.checkOf(pull).output.summary)).toMatchInlineSnapshot(`
      "Nothing to do. The check is decided once this is ready for review and the executions below have ended.

      - any execution that plans infrastructure: not seen yet"
    `);
    expect(world.comments(pull)).toEqual([]);
  });

  test("shows what it would cost and violate, and is decided when it is ready", async () => {
    const { world } = await opens();
    const pull = await drafts(world);
    await world.plans(pull, EXPENSIVE);
    expect(world.gate(pull)).toBe("in_progress");
    expect(opening(world.comment(pull))).toMatchInlineSnapshot(`
      "### 📝 Draft: decided when it is ready for review · +$500.00 per month (+5,000%)

      Nothing to do. The check is decided once this is ready for review; as it is now, 1 rule would block it."
    `);
    expect(world.comment(pull)).toContain("monthly-increase");
    world.github.markReadyForReview(pull);
    await world.settles();
    expect(world.gate(pull)).toBe("failure");
    expect(world.comment(pull)).toContain("Blocked");
    expect(world.checkOf(pull).output.summary?.split("\n").at(-1)).toBe(`<sub>Tollgate ${VERSION}</sub>`);
  });

  test("passes when it is ready, and waits again as a draft", async () => {
    const { world } = await opens();
    const pull = await drafts(world);
    await world.plans(pull);
    expect(opening(world.comment(pull))).toMatchInlineSnapshot(`
      "### 📝 Draft: decided when it is ready for review · +$10.00 per month (+100%)

      Nothing to do. The check is decided once this is ready for review; as it is now, it would pass."
    `);
    world.github.markReadyForReview(pull);
    await world.settles();
    expect(world.gate(pull)).toBe("success");
    expect(world.github.mergeability(pull).allowed).toBe(true);
    world.github.convertToDraft(pull);
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
    expect(world.github.mergeability(pull).allowed).toBe(false);
    const group = world.github.addToMergeQueue([pull]);
    await world.settles();
    expect(world.gate(group)).toBe("failure");
  });
});

test("a head that was evaluated before is evaluated by today's rules when its branch comes back to it", async () => {
  const { world, on } = await opens();
  const gate = () => world.gate(world.github.pullRequest(pull));
  const pull = await world.opensPlanned(EXPENSIVE, { branch: "back" });
  expect(gate()).toBe("failure");
  on("back", { "infra/more.tf": "# more\n" });
  await world.settles();
  expect(gate()).toBe("in_progress");
  on("main", { [POLICY_FILE]: LAX });
  await world.settles();
  world.github.moveBranch({ repository: REPOSITORY, branch: "back", sha: pull.headSha });
  await world.settles();
  expect(gate()).toBe("success");
});

test("a pull request that is reopened is evaluated again, by a policy that changed meanwhile", async () => {
  const { world, on } = await opens();
  const pull = await world.opensPlanned(EXPENSIVE);
  world.github.closePullRequest(pull);
  await world.settles();
  on("main", { [POLICY_FILE]: LAX });
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
  world.github.reopenPullRequest(pull);
  await world.settles();
  expect(world.gate(pull)).toBe("success");
  expect(world.comments(pull)).toHaveLength(1);
});

test("a stacked pull request is evaluated by the policy of the branch below, and by main's once it is moved there", async () => {
  const { world, on } = await opens();
  on("lower", { "infra/lower.tf": "# lower\n", [POLICY_FILE]: LAX });
  const lower = world.github.openPullRequest({ repository: REPOSITORY, head: "lower", title: "Lower" });
  await world.plans(lower);
  const upper = await world.opensPlanned(EXPENSIVE, { base: "lower", branch: "upper" });
  expect(world.gate(upper, "tollgate: lower")).toBe("success");
  expect(world.gate(upper)).toBeNull();
  on("lower", { [POLICY_FILE]: STRICT });
  await world.settles();
  expect(world.gate(upper, "tollgate: lower")).toBe("failure");
  on("lower", { [POLICY_FILE]: LAX });
  await world.settles();
  world.github.mergePullRequest(lower);
  world.github.retargetPullRequest(upper, { base: "main" });
  world.github.deleteBranch({ repository: REPOSITORY, branch: "lower" });
  await world.settles();
  expect(world.gate(upper)).toBe("success"); // main has the lower one's policy now
  on("main", { [POLICY_FILE]: STRICT });
  await world.settles();
  expect(world.gate(upper)).toBe("failure");
  expect(world.comments(upper)).toHaveLength(1);
});

describe("a policy file that is gone, though no push was heard of", () => {
  /** A person presses Re-check. */
  async function rechecks(world: World, pull: { headSha: string }) {
    world.github.requestCheckAction({ checkRunId: world.checkOf(pull).id, identifier: "recheck" });
    await world.settles();
  }

  test.each([["a commit of the branch"], ["a pull request"]])(
    "is taken for removed once the history shows that %s removed it",
    async (remover) => {
      const { world, on } = await opens();
      on("release", { [POLICY_FILE]: STRICT });
      const pull = await world.opensPlanned(EXPENSIVE, { base: "release" });
      const gate = () => world.gate(pull, "tollgate: release");
      expect(gate()).toBe("failure");
      world.github.deliveries.drop({ event: "push" });
      if (remover === "a pull request")
        world.github.mergePullRequest(
          world.opensPullRequest({ base: "release", files: { [POLICY_FILE]: null } }),
        );
      else on("release", { [POLICY_FILE]: null });
      on("release", { "docs/later.md": "# later\n" });
      await world.settles();
      world.github.deliveries.clearFaults();
      expect(gate()).toBe("failure");
      await rechecks(world, pull);
      expect(gate()).toBe("success");
    },
  );

  test("is unreadable, and holds the check back, where no commit of the branch removed it", async () => {
    const { world, on } = await opens({ policy: null });
    const { after: before } = on("main", { "a.md": "#\n" });
    on("main", { [POLICY_FILE]: STRICT });
    const pull = await world.opensPlanned(EXPENSIVE);
    expect(world.gate(pull)).toBe("failure");
    world.github.deliveries.drop({ event: "push" });
    world.github.moveBranch({ repository: REPOSITORY, branch: "main", sha: before });
    await world.settles();
    await rechecks(world, pull);
    expect(world.gate(pull)).toBe("failure");
    expect(opening(world.checkOf(pull).output.summary, 1)).toMatchInlineSnapshot(
      `"**To merge:** this repository's policy file must be readable again, so that no rule is skipped. It was there before, it cannot be found now, and the branch's history does not show that a commit removed it: re-check in a minute, or commit the file again. Press **Re-check** on the check to try again."`,
    );
  });
});

test("an expected execution that does not come fails the check after its time, with what is missing and how to go on", async () => {
  const expecting = `${STRICT}expect:\n  - { paths: ["infra/**"], workspaces: [production, staging], within: 1h }\n`;
  const { world } = await opens({ policy: expecting });
  const pull = world.opensPullRequest();
  await world.ci.runs({ sha: pull.headSha, workspace: "staging", cost: CHEAP, changes: [] });
  await world.settles();
  expect(world.gate(pull)).toBe("in_progress");
  await world.timePasses(61 * 60_000);
  await world.settles();
  expect(world.gate(pull)).toBe("failure");
  const { title, summary } = world.checkOf(pull).output;
  expect(title).toMatchInlineSnapshot(`"Undecided: 1 expected execution did not arrive in time"`);
  expect(opening(summary, 4)).toMatchInlineSnapshot(`
    "**To merge:** start the executions below for the newest commit, then press **Re-check** on the check. If one is no longer needed, remove it from \`expect\` in \`.github/tollgate.yml\` on \`main\`.

    - \`production\`: not seen yet
    "
  `);
  await world.ci.runs({ sha: pull.headSha, workspace: "production", cost: CHEAP, changes: [] });
  await world.settles();
  expect(world.gate(pull)).toBe("success");
});

describe("a repository that gets another name", () => {
  test("has its comment and check; one that takes its name receives neither, even without a delivery", async () => {
    const { world } = await opens();
    const { github } = world;
    const pull = await world.opensPlanned();
    expect(world.comments(pull)).toHaveLength(1);
    github.deliveries.drop({ event: "repository" });
    github.renameRepository({ repository: REPOSITORY, name: "store" });
    github.createRepository({ owner: OWNER, name: NAME, files: { [POLICY_FILE]: STRICT } });
    github.push({ repository: REPOSITORY, branch: "idea", files: { "infra/x.tf": "#\n" } });
    const other = github.openPullRequest({ repository: REPOSITORY, head: "idea", title: "Another" });
    expect(other.number).toBe(pull.number); // the same address as before, another pull request
    await world.settles();
    const { session } = world.bot;
    await session.store.db.updateTable("comments").set({ digest: "" }).execute();
    await session.queue.enqueueComment(`pull:${pull.repositoryId}:${pull.number}`);
    await world.settles();
    expect(world.comments(pull)).toHaveLength(1);
    expect(world.comments(other)).toEqual([]);
    expect(world.comment(pull)).toContain("$10");
    const { appId } = world;
    expect(github.checkRuns({ repository: REPOSITORY, sha: pull.headSha, appId })).toEqual([]);
  });

  test("keeps its new name when a delivery from before the renaming is sent again, and another repository has the old name", async () => {
    const { world } = await opens();
    const { github } = world;
    const pull = await world.opensPlanned();
    github.deliveries.drop({ event: "pull_request", action: "labeled" });
    github.addLabel(pull, { label: "late" });
    github.deliveries.clearFaults();
    await world.timePasses(2_000);
    github.renameRepository({ repository: REPOSITORY, name: "store" });
    await world.settles();
    github.createRepository({ owner: OWNER, name: NAME, files: { [POLICY_FILE]: STRICT } });
    const [late] = github.deliveries.list({ event: "pull_request", action: "labeled" });
    await github.deliveries.redeliver(late?.id ?? 0);
    await world.settles();
    const { db } = world.bot.session.store;
    const stored = db
      .selectFrom("repositories")
      .select("name")
      .where("repository_id", "=", pull.repositoryId);
    expect(await stored.executeTakeFirst()).toEqual({ name: "store" });
    github.convertToDraft(pull); // evaluated under its present name
    await world.settles();
    const [check] = github.checkRuns({ repository: `${OWNER}/store`, sha: pull.headSha, appId: world.appId });
    expect(check?.status).toBe("in_progress");
  });

  test("keeps its new owner and installation when a delivery from before its transfer is sent again", async () => {
    const { world } = await opens();
    const { github, appId } = world;
    const pull = await world.opensPlanned();
    github.deliveries.drop({ event: "pull_request", action: "labeled" });
    github.addLabel(pull, { label: "late" });
    github.deliveries.clearFaults();
    await world.timePasses(2_000);
    github.createOwner({ login: "umbrella", type: "organisation" });
    const { id: installation_id } = github.installApp({ appId, owner: "umbrella" });
    const { ownerId: owner_id } = github.transferRepository({ repository: REPOSITORY, owner: "umbrella" });
    await world.settles();
    github.createRepository({ owner: OWNER, name: NAME, files: { [POLICY_FILE]: STRICT } });
    const [late] = github.deliveries.list({ event: "pull_request", action: "labeled" });
    await github.deliveries.redeliver(late?.id ?? 0);
    await world.settles();
    const { repositoryId } = pull;
    const stored = await findRepository(world.bot.session.store.db, repositoryId);
    expect(stored).toMatchObject({ owner_id, owner_login: "umbrella", installation_id });
    github.convertToDraft(pull); // evaluated through its present installation
    await world.settles();
    const at = { repository: `umbrella/${NAME}`, sha: pull.headSha, appId };
    expect(github.checkRuns(at)[0]?.status).toBe("in_progress");
  });

  test("or another owner is known by its id: the old installation leaves it alone, the new one serves it", async () => {
    const { world } = await opens();
    const { github, appId } = world;
    const pull = await world.opensPlanned();
    github.renameRepository({ repository: REPOSITORY, name: "warehouse" });
    await world.settles();
    const pushes = async (repository: string, text: string) => {
      github.push({ repository, branch: pull.headRef, files: { "infra/more.tf": text } });
      await world.settles();
      const sha = github.repository(repository).branches.get(pull.headRef) ?? "";
      return github.checkRuns({ repository, sha, appId }).map(({ name, status }) => [name, status]);
    };
    const served = [["tollgate: main", "in_progress"]];
    expect(await pushes(`${OWNER}/warehouse`, "# renamed\n")).toEqual(served);
    github.createOwner({ login: "umbrella", type: "organisation" });
    github.transferRepository({ repository: `${OWNER}/warehouse`, owner: "umbrella" });
    await world.settles();
    expect(await pushes("umbrella/warehouse", "# moved\n")).toEqual([]);
    github.installApp({ appId, owner: "umbrella" });
    await world.settles();
    expect(await pushes("umbrella/warehouse", "# installed\n")).toEqual(served);
  });
});

test("the sweep finds the repositories of an installation although GitHub refuses those of another one", async () => {
  const { world } = await opens();
  const { db } = world.bot.session.store;
  const { installation_id: refusing } = await db
    .selectFrom("installations")
    .select("installation_id")
    .executeTakeFirstOrThrow();
  world.github.createOwner({ login: "umbrella", type: "organisation" });
  const { id } = world.github.createRepository({
    owner: "umbrella",
    name: "wiki",
    files: { "README.md": "#" },
  });
  world.github.deliveries.drop({ event: "installation" });
  const installed = world.github.installApp({ appId: world.appId, owner: "umbrella" });
  await world.settles();
  world.github.deliveries.clearFaults();
  const match = { path: /^\/installation\/repositories/, installationId: refusing };
  world.github.faults.add({ match, kind: "status", status: 403, message: "Forbidden" });
  await world.bot.sweep();
  expect(world.github.faults.hits()).toBe(1);
  const known = await db
    .selectFrom("repositories")
    .select("repository_id")
    .where("installation_id", "=", installed.id)
    .execute();
  expect(known).toEqual([{ repository_id: id }]);
});
