import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "../../src/package/version.ts";
import { CHEAP, EXPENSIVE, LAX, STRICT } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: STRICT });
});
afterAll(() => world.ends());
afterEach(() => world.github.deliveries.clearFaults());

const on = (branch: string, files: Record<string, string | null>, repository = REPOSITORY) =>
  world.github.push({ repository, branch, files });

const planned = (...plan: Parameters<World["plans"]>) => world.plans(...plan);
const judged = (...change: Parameters<World["opensPlanned"]>) => world.opensPlanned(...change);

/** What stands above the first table of a comment or check. */
const opening = (text: string | null): string => (text ?? "").split("\n").slice(0, 3).join("\n");

describe("a draft", () => {
  const drafted = async (cost?: typeof CHEAP) => {
    const pull = world.opensPullRequest({
      branch: `draft-${cost?.change ?? "none"}-${world.github.requests.count()}`,
    });
    world.github.convertToDraft(pull);
    await world.settles();
    if (cost !== undefined) await planned(pull, cost);
    return pull;
  };

  it("waits for its executions without a deadline", async () => {
    const pull = await drafted();
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

  it("shows what it would cost and violate, and is decided when it is ready; the check ends with the version", async () => {
    const pull = await drafted(EXPENSIVE);
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

  it("passes when it is ready, and waits again as a draft", async () => {
    const pull = await drafted(CHEAP);
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
  });

  it("that became ready unheard is found by the sweep", async () => {
    const pull = await drafted(CHEAP);
    world.github.deliveries.drop({ event: "pull_request" });
    world.github.markReadyForReview(pull);
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
    world.github.deliveries.clearFaults();
    await world.bot.session.store.db.updateTable("repositories").set({ listed_at: null }).execute();
    await world.bot.sweep();
    await world.settles();
    expect(world.gate(pull)).toBe("success");
  });

  it("does not carry a merge group", async () => {
    const pull = await drafted(CHEAP);
    const group = world.github.addToMergeQueue([pull]);
    await world.settles();
    expect(world.gate(group)).toBe("failure");
    world.github.destroyMergeGroup(group.id, "dequeued");
  });
});

describe("a head that changes", () => {
  it("by force: what was said of the old one does not open the new one", async () => {
    const pull = await judged(CHEAP, { branch: "forced" });
    expect(world.gate(pull)).toBe("success");
    world.github.forcePush({
      repository: REPOSITORY,
      branch: "forced",
      files: { "infra/forced.tf": "# other\n" },
    });
    await world.settles();
    const now = world.github.pullRequest(pull);
    expect(now.headSha).not.toBe(pull.headSha);
    expect(world.gate(now)).toBe("in_progress");
    expect(world.github.mergeability(now).allowed).toBe(false);
    await planned(now, EXPENSIVE);
    expect(world.gate(now)).toBe("failure");
    expect(world.comments(now)).toHaveLength(1);
  });

  it("back to one that was evaluated before is evaluated by today's rules", async () => {
    on("turns", { ".github/tollgate.yml": STRICT });
    const gate = () => world.gate(world.github.pullRequest(pull), "tollgate: turns");
    const pull = await judged(EXPENSIVE, { branch: "back", base: "turns" });
    expect(gate()).toBe("failure");
    on("back", { "infra/more.tf": "# more\n" });
    await world.settles();
    expect(gate()).toBe("in_progress");
    on("turns", { ".github/tollgate.yml": LAX });
    await world.settles();
    world.github.moveBranch({ repository: REPOSITORY, branch: "back", sha: pull.headSha });
    await world.settles();
    expect(gate()).toBe("success");
  });

  it("by a rebase onto the base's newest commit is a new head", async () => {
    const pull = await judged(CHEAP, { branch: "rebased" });
    const { after } = on("main", { "docs/a.md": "# a\n" });
    world.github.forcePush({
      repository: REPOSITORY,
      branch: "rebased",
      files: { "infra/rebased.tf": "#\n" },
      onto: after,
    });
    await world.settles();
    const now = world.github.pullRequest(pull);
    expect(world.gate(now)).toBe("in_progress");
    await planned(now);
    expect(world.gate(now)).toBe("success");
  });
});

describe("closing and reopening", () => {
  it("asks anew, also when the policy changed meanwhile", async () => {
    on("reopens", { ".github/tollgate.yml": STRICT });
    const pull = await judged(EXPENSIVE, { base: "reopens" });
    world.github.closePullRequest(pull);
    await world.settles();
    on("reopens", { ".github/tollgate.yml": LAX });
    await world.settles();
    expect(world.gate(pull, "tollgate: reopens")).toBe("failure");
    world.github.reopenPullRequest(pull);
    await world.settles();
    expect(world.gate(pull, "tollgate: reopens")).toBe("success");
    expect(world.comments(pull)).toHaveLength(1);
  });
});

describe("stacked pull requests", () => {
  it("are evaluated by the policy of the branch below, and by main's once they are moved there", async () => {
    on("lower", { "infra/lower.tf": "# lower\n", ".github/tollgate.yml": LAX });
    const lower = world.github.openPullRequest({ repository: REPOSITORY, head: "lower", title: "Lower" });
    await planned(lower);
    const upper = await judged(EXPENSIVE, { base: "lower", branch: "upper" });
    expect(world.gate(upper, "tollgate: lower")).toBe("success");
    expect(world.gate(upper)).toBeNull();
    world.github.mergePullRequest(lower);
    world.github.retargetPullRequest(upper, { base: "main" });
    world.github.deleteBranch({ repository: REPOSITORY, branch: "lower" });
    await world.settles();
    expect(world.gate(upper)).toBe("success"); // main has the lower one's policy now
    on("main", { ".github/tollgate.yml": STRICT });
    await world.settles();
    expect(world.gate(upper)).toBe("failure");
    expect(world.comments(upper)).toHaveLength(1);
  });

  it("follow a change of the policy on the branch below", async () => {
    on("below", { ".github/tollgate.yml": LAX });
    const upper = await judged(EXPENSIVE, { base: "below", branch: "above" });
    expect(world.gate(upper, "tollgate: below")).toBe("success");
    on("below", { ".github/tollgate.yml": STRICT });
    await world.settles();
    expect(world.gate(upper, "tollgate: below")).toBe("failure");
  });
});
