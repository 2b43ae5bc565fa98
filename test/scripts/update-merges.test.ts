import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { UpdateMerge } from "../../sandbox/resources/pull-verbs.ts";
import type { FileTree } from "../../sandbox/state/git.ts";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { type Conversation, evaluatePull, joins } from "../world/conversation.ts";
import { EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops] } }
`;

let world: SimulatedWorld;
let branches = 0;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
  joins(world);
});
afterAll(() => world.ends());
afterEach(() => {
  world.github.deliveries.clearFaults();
  world.github.faults.clear();
});

const pushesTo = (branch: string, files: FileTree, by?: string) =>
  world.github.push({ repository: REPOSITORY, branch, files, ...(by && { by }) }).after;
const headRef = ({ pull }: Conversation) => world.github.pullRequest(pull).headRef;
const head = ({ pull }: Conversation) => world.github.pullRequest(pull).headSha;

/** A pull request into a branch of its own that grace approved; the base branch has moved since. */
async function isApproved(own: FileTree = {}, ofBase: FileTree = { "docs/base.md": "base\n" }) {
  branches += 1;
  const base = `base-${branches}`;
  pushesTo(base, {
    ".github/tollgate.yml": POLICY,
    "infra/shared.tf": "# shared\n",
    "infra/old.tf": "# old\n",
    "docs/a.md": "a\n",
  });
  const files = { "infra/own.tf": "# own\n", ...own };
  const talk = await evaluatePull(world, {}, { base, branch: `work-${branches}`, files });
  await talk.signs("grace", "up to 600 USD load test");
  expect(talk.gate()).toBe("success");
  return { talk, base, baseTip: pushesTo(base, ofBase) };
}

/** The pipeline runs on the merge, with the same figures. */
async function isPriced(talk: Conversation) {
  await world.ci.runs({ sha: head(talk), cost: EXPENSIVE, changes: [] });
  await world.settles();
  return talk.gate();
}

const presses = async (talk: Conversation, merge: UpdateMerge = {}) => {
  world.github.updateBranch(talk.pull, { by: "grace", ...merge });
  return isPriced(talk);
};

describe("an approver who updates the branch from its base", () => {
  it("keeps the approval, also a second time, and may approve afterwards", async () => {
    const { talk, base } = await isApproved();
    expect(await presses(talk)).toBe("success");
    pushesTo(base, { "docs/a.md": null, "docs/b.md": "a\n", "vendor/lib": { submodule: "1".repeat(40) } });
    expect(await presses(talk)).toBe("success");
    await talk.says("grace", "/tollgate revoke");
    await talk.says("grace", `/tollgate approve ${head(talk)} up to 700 USD still fine`);
    expect(talk.gate()).toBe("success");
  });

  it("keeps the approval although the delivery of the push was lost", async () => {
    const { talk } = await isApproved();
    world.github.deliveries.drop({ event: "pull_request" });
    world.github.updateBranch(talk.pull, { by: "grace" });
    world.github.deliveries.clearFaults();
    world.github.addLabel(talk.pull, { label: "again" });
    expect(await isPriced(talk)).toBe("success");
  });

  it("keeps the approval where GitHub tells no moves of the branch, from the delivery alone", async () => {
    const { talk } = await isApproved();
    const match = { path: /\/activity/ };
    world.github.faults.add({ kind: "status", status: 404, match, times: Number.POSITIVE_INFINITY });
    expect(await presses(talk)).toBe("success");
  });

  it("loses it when the base branch no longer contains what was merged", async () => {
    const { talk, base } = await isApproved();
    expect(await presses(talk)).toBe("success");
    world.github.forcePush({ repository: REPOSITORY, branch: base, files: { "docs/a.md": "b\n" } });
    expect(await isPriced(talk)).toBe("action_required");
  });

  it("loses it with a commit of their own on top", async () => {
    const { talk } = await isApproved();
    expect(await presses(talk)).toBe("success");
    pushesTo(headRef(talk), { "infra/more.tf": "# more\n" }, "grace");
    expect(await isPriced(talk)).toBe("action_required");
  });
});

describe("a comparison that GitHub does not answer", () => {
  const match = { path: /\/compare\// };
  const times = Number.POSITIVE_INFINITY;

  it("counts the merge as work, and commands are answered as ever", async () => {
    const { talk } = await isApproved();
    world.github.faults.add({ kind: "status", status: 503, match, times });
    expect(await presses(talk)).toBe("action_required");
    expect(talk.signatures()).toContain("its approver worked on this pull request");
    await talk.says("heidi", `/tollgate approve ${head(talk)} up to 600 USD load test`);
    expect(talk.gate()).toBe("success");
    await talk.says("heidi", "/tollgate revoke");
    expect(talk.gate()).toBe("action_required");
  });

  it("keeps the approval when only a rate limit delayed it", async () => {
    const { talk } = await isApproved();
    world.github.faults.add({ kind: "secondary-limit", retryAfter: 60, match, times: 1 });
    await presses(talk);
    await world.timePasses(120_000);
    expect(talk.gate()).toBe("success");
  });
});

describe("a merge that may contain work ends the approval of who made it", () => {
  type Setting = Awaited<ReturnType<typeof isApproved>>;
  const cases: readonly [
    how: string,
    merge: (at: Setting) => UpdateMerge,
    own?: FileTree,
    ofBase?: FileTree,
  ][] = [
    ["that only names GitHub as its committer", () => ({ signature: "unsigned" })],
    ["with a file of its own", () => ({ files: { "infra/evil.tf": "# evil\n" } })],
    ["that changes a file of the pull request", () => ({ files: { "infra/own.tf": "# evil\n" } })],
    ["that drops a file of the pull request", () => ({ files: { "infra/own.tf": null } })],
    ["that drops a change of the base", () => ({ files: { "docs/base.md": null } })],
    ["that deletes a file which neither side changed", () => ({ files: { "infra/old.tf": null } })],
    ["that renames a file", () => ({ files: { "infra/old.tf": null, "infra/new.tf": "# old\n" } })],
    ["that makes a file executable", () => ({ files: { "docs/base.md": { executable: "base\n" } } })],
    ["that makes a file a link", () => ({ files: { "infra/own.tf": { symlink: "/etc/passwd" } } })],
    [
      "that moves a submodule on",
      () => ({ files: { "vendor/lib": { submodule: "2".repeat(40) } } }),
      {},
      { "vendor/lib": { submodule: "1".repeat(40) } },
    ],
    [
      "that resolves a conflict by the text of the base",
      () => ({ files: { "infra/shared.tf": "# of the base\n" } }),
      { "infra/shared.tf": "# of the head\n" },
      { "infra/shared.tf": "# of the base\n" },
    ],
    [
      "that resolves a conflict by the text of the head",
      () => ({ files: { "infra/shared.tf": "# of the head\n" } }),
      { "infra/shared.tf": "# of the head\n" },
      { "infra/shared.tf": "# of the base\n" },
    ],
    [
      "that joins what both sides changed in one file",
      () => ({ files: { "infra/shared.tf": "# of both\n" } }),
      { "infra/shared.tf": "# of the head\n" },
      { "infra/shared.tf": "# of the base\n" },
    ],
    [
      "of a file that both sides changed alike",
      () => ({}),
      { "infra/shared.tf": "# same\n" },
      { "infra/shared.tf": "# same\n" },
    ],
    [
      "of a file that one side renamed and the other changed",
      () => ({ files: { "infra/old.tf": null, "infra/new.tf": "# changed\n" } }),
      { "infra/old.tf": null, "infra/new.tf": "# old\n" } as FileTree,
      { "infra/old.tf": "# changed\n" },
    ],
    [
      "of a commit that is not on the base branch",
      ({ base, talk }) => ({
        parents: [
          head(talk),
          world.github.push({
            repository: REPOSITORY,
            branch: `side-${branches}`,
            from: base,
            files: { "infra/evil.tf": "# evil\n" },
          }).after,
        ],
      }),
    ],
    [
      "with a third parent",
      ({ talk, baseTip }) => ({
        parents: [head(talk), baseTip, world.github.repository(REPOSITORY).branches.get("main") ?? ""],
      }),
    ],
    ["in which the base comes first", ({ talk, baseTip }) => ({ parents: [baseTip, head(talk)] })],
    [
      "above a commit that came with the same push",
      ({ talk }) => ({
        parents: [
          world.github.push({
            repository: REPOSITORY,
            branch: `below-${branches}`,
            from: head(talk),
            files: { "infra/evil.tf": "# evil\n" },
            by: "ivan",
          }).after,
          world.github.repository(REPOSITORY).branches.get(talk.base()) ?? "",
        ],
      }),
    ],
    [
      "of more files than GitHub lists",
      () => ({}),
      {},
      Object.fromEntries(Array.from({ length: 301 }, (_, i) => [`docs/${i}.md`, `${i}\n`])),
    ],
  ];
  it.each(cases)("%s", async (_, merge, own, ofBase) => {
    const at = await isApproved(own, ofBase);
    expect(await presses(at.talk, merge(at))).toBe("action_required");
    expect(at.talk.signatures()).toContain("its approver worked on this pull request");
  });
});
