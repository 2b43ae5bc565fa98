import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CHEAP, EXPENSIVE, STRICT } from "../world/costs.ts";
import { NAME, OWNER, REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY_FILE = ".github/tollgate.yml";

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: STRICT });
});
afterAll(() => world.ends());
afterEach(() => world.github.deliveries.clearFaults());

const on = (branch: string, files: Record<string, string | null>) =>
  world.github.push({ repository: REPOSITORY, branch, files });

const judged = (...change: Parameters<World["opensPlanned"]>) => world.opensPlanned(...change);

const opening = (text: string | null): string => (text ?? "").split("\n").slice(0, 4).join("\n");

/** A person presses Re-check. */
async function rechecks(pull: { headSha: string }) {
  world.github.requestCheckAction({ checkRunId: world.checkOf(pull).id, identifier: "recheck" });
  await world.settles();
}

describe("a policy file that is gone, though no push was heard of", () => {
  it("is taken for removed once history shows the commit that removed it", async () => {
    on("drops", { [POLICY_FILE]: STRICT });
    const pull = await judged(EXPENSIVE, { base: "drops" });
    expect(world.gate(pull, "tollgate: drops")).toBe("failure");
    world.github.deliveries.drop({ event: "push" });
    on("drops", { [POLICY_FILE]: null });
    on("drops", { "docs/later.md": "# later\n" });
    await world.settles();
    world.github.deliveries.clearFaults();
    expect(world.gate(pull, "tollgate: drops")).toBe("failure");
    await rechecks(pull);
    expect(world.gate(pull, "tollgate: drops")).toBe("success");
  });

  it("also when a pull request removed it", async () => {
    on("merges", { [POLICY_FILE]: STRICT });
    const pull = await judged(EXPENSIVE, { base: "merges" });
    world.github.deliveries.drop({ event: "push" });
    const removal = world.opensPullRequest({
      base: "merges",
      branch: "removes",
      files: { [POLICY_FILE]: null },
    });
    world.github.mergePullRequest(removal);
    await world.settles();
    world.github.deliveries.clearFaults();
    await rechecks(pull);
    expect(world.gate(pull, "tollgate: merges")).toBe("success");
  });

  it("stays unreadable where no commit of the branch removed it", async () => {
    const place = await createWorld({ policy: null });
    const { after: before } = place.github.push({
      repository: REPOSITORY,
      branch: "main",
      files: { "a.md": "#\n" },
    });
    place.github.push({ repository: REPOSITORY, branch: "main", files: { [POLICY_FILE]: STRICT } });
    const pull = place.opensPullRequest();
    await place.ci.runs({ sha: pull.headSha, cost: EXPENSIVE, changes: [] });
    await place.settles();
    expect(place.gate(pull)).toBe("failure");
    place.github.deliveries.drop({ event: "push" });
    place.github.moveBranch({ repository: REPOSITORY, branch: "main", sha: before });
    await place.settles();
    place.github.requestCheckAction({ checkRunId: place.checkOf(pull).id, identifier: "recheck" });
    await place.settles();
    expect(place.gate(pull)).toBe("failure");
    expect(opening(place.checkOf(pull).output.summary)).toMatchInlineSnapshot(`
      "**To merge:** this repository's policy file must be readable again, so that no rule is skipped. It was there before, it cannot be found now, and the branch's history does not show that a commit removed it: re-check in a minute, or commit the file again. Press **Re-check** on the check to try again.

      #### Cost per month
      "
    `);
    await place.ends();
  });
});

describe("an expected execution that does not come", () => {
  it("fails the check after its time, with what is missing and how to go on", async () => {
    const expecting = `${STRICT}expect:\n  - { paths: ["infra/**"], workspaces: [production, staging], within: 1m }\n`;
    on("expects", { [POLICY_FILE]: expecting });
    await world.settles();
    const pull = world.opensPullRequest({ base: "expects" });
    await world.ci.runs({ sha: pull.headSha, workspace: "staging", cost: CHEAP, changes: [] });
    await world.settles();
    expect(world.gate(pull, "tollgate: expects")).toBe("in_progress");
    const hourAgo = new Date(Date.now() - 3_600_000);
    const { db } = world.bot.session.store;
    await db.updateTable("pulls").set({ head_seen_at: hourAgo }).where("number", "=", pull.number).execute();
    await world.bot.sweep();
    await world.settles();
    expect(world.gate(pull, "tollgate: expects")).toBe("failure");
    const { title, summary } = world.checkOf(pull).output;
    expect(title).toMatchInlineSnapshot(`"Held back: 1 expected execution did not arrive in time"`);
    expect(summary?.split("\n").slice(0, 4).join("\n")).toMatchInlineSnapshot(`
      "**To merge:** start the executions below for the newest commit, then press **Re-check** on the check. If one is no longer needed, remove it from \`expect\` in \`.github/tollgate.yml\` on \`expects\`.

      - \`production\`: not seen yet
      "
    `);
    await world.ci.runs({ sha: pull.headSha, workspace: "production", cost: CHEAP, changes: [] });
    await world.settles();
    expect(world.gate(pull, "tollgate: expects")).toBe("success");
  });
});

describe("a repository that gets another name", () => {
  let place: World;
  beforeAll(async () => {
    place = await createWorld({ policy: STRICT });
  });
  afterAll(() => place.ends());

  const bodiesIn = (repository: string, number: number) =>
    place.github
      .comments({ repositoryId: place.github.repository(repository).id, number })
      .filter(({ appId }) => appId === place.appId);

  it("has its comment and check; one that takes its name receives neither, even without a delivery", async () => {
    const pull = place.opensPullRequest({ branch: "before" });
    await place.ci.runs({ sha: pull.headSha, cost: CHEAP, changes: [] });
    await place.settles();
    expect(place.comments(pull)).toHaveLength(1);

    place.github.deliveries.drop({ event: "repository" });
    place.github.renameRepository({ repository: REPOSITORY, name: "store" });
    place.github.createRepository({ owner: OWNER, name: NAME, files: { [POLICY_FILE]: STRICT } });
    place.github.push({ repository: REPOSITORY, branch: "idea", files: { "infra/x.tf": "#\n" } });
    const other = place.github.openPullRequest({ repository: REPOSITORY, head: "idea", title: "Another" });
    expect(other.number).toBe(pull.number); // the same address as before, another pull request
    await place.settles();
    place.github.deliveries.clearFaults();

    const { db } = place.bot.session.store;
    await db.updateTable("comments").set({ digest: "" }).execute();
    await place.bot.session.queue.enqueueComment(`pull:${pull.repositoryId}:${pull.number}`);
    await place.settles();
    expect(place.comments(pull)).toHaveLength(1);
    expect(bodiesIn(REPOSITORY, other.number)).toEqual([]);
    expect(place.comment(pull)).toContain("$10");
    const wrong = place.github.checkRuns({ repository: REPOSITORY, sha: pull.headSha, appId: place.appId });
    expect(wrong).toEqual([]);
  });

  it("is known again when its news arrives, under the same ids", async () => {
    place.github.renameRepository({ repository: `${OWNER}/store`, name: "warehouse" });
    await place.settles();
    place.github.push({
      repository: `${OWNER}/warehouse`,
      branch: "before",
      files: { "infra/more.tf": "#\n" },
    });
    await place.settles();
    const runs = place.github.checkRuns({
      repository: `${OWNER}/warehouse`,
      sha: place.github.repository(`${OWNER}/warehouse`).branches.get("before") ?? "",
      appId: place.appId,
    });
    expect(runs.map(({ name, status }) => [name, status])).toEqual([["tollgate: main", "in_progress"]]);
  });

  it("that goes to another owner is left alone by the old installation, and served by the new one", async () => {
    place.github.createOwner({ login: "umbrella", type: "organisation" });
    const before = place.github.requests.count();
    place.github.transferRepository({ repository: `${OWNER}/warehouse`, owner: "umbrella" });
    await place.settles();
    expect(before).toBeGreaterThan(0);
    place.github.installApp({ appId: place.appId, owner: "umbrella" });
    await place.settles();
    place.github.push({
      repository: "umbrella/warehouse",
      branch: "before",
      files: { "infra/again.tf": "#\n" },
    });
    await place.settles();
    const sha = place.github.repository("umbrella/warehouse").branches.get("before") ?? "";
    const runs = place.github.checkRuns({ repository: "umbrella/warehouse", sha, appId: place.appId });
    expect(runs.map(({ name }) => name)).toEqual(["tollgate: main"]);
  });
});
