import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";
import { Conversation, joins } from "./conversation.ts";

const policy = (mode: string, more = "") => `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops], users: [ivan, heidi, acme-admin]${more} } }
  - { id: no-deletes, limit: { deletions: 0 }, approve: { teams: [security] } }
comment: { mode: ${mode} }
`;
const DELETED = [{ address: "aws_thing.old", change: "deleted" as const }];
const MORE = { before: "10", after: "910", change: "900" };

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: policy("update") });
  joins(world);
});
afterAll(() => world.ends());

/** A pull request by `acme-admin` to which heidi pushed, with a run that is over the limit. */
async function opened(mode: string, { cost = EXPENSIVE, more = "" } = {}): Promise<Conversation> {
  const base = `as-${mode}-${world.github.requests.count()}`;
  const files = { ".github/tollgate.yml": policy(mode, more) };
  world.github.push({ repository: REPOSITORY, branch: base, files });
  await world.settles();
  const pull = world.opensPullRequest({ base, branch: `to-${base}` });
  world.github.push({
    repository: REPOSITORY,
    branch: pull.headRef,
    files: { "infra/h.tf": "# h\n" },
    by: "heidi",
  });
  await plans(pull, cost);
  return new Conversation(world, world.github.pullRequest(pull));
}

type Pull = { readonly repositoryId: number; readonly number: number };

async function plans(pull: Pull, cost = EXPENSIVE, changes: typeof DELETED | [] = []): Promise<void> {
  await world.settles();
  await world.ci.runs({ sha: world.github.pullRequest(pull).headSha, cost, changes });
  await world.settles();
}

async function pushes({ pull }: Conversation, cost = EXPENSIVE): Promise<Conversation> {
  const { headRef } = world.github.pullRequest(pull);
  const files = { [`infra/${world.github.requests.count()}.tf`]: "#\n" };
  world.github.push({ repository: REPOSITORY, branch: headRef, files });
  await plans(pull, cost);
  return new Conversation(world, world.github.pullRequest(pull));
}

/** Who was notified by mentions so far: each once for each time. */
const notified = ({ pull }: Conversation): readonly string[] =>
  world.github.notifications(pull).map(({ to, mention }) => (to === mention ? to : `${to} of ${mention}`));
const ONCE = ["grace of acme/finops", "heidi of acme/finops", "mallory of acme/finops", "ivan"];

/** The newest report's lines about missing approvals. */
const asks = ({ pull }: Conversation): string =>
  world
    .comments(pull)
    .filter((body) => body.startsWith("###"))
    .at(-1)
    ?.match(/^- ✍️.*$/gm)
    ?.join("\n") ?? "";

describe("in the mode update", () => {
  it("the first violation mentions the rule's team and users once, and neither the author nor who pushed", async () => {
    const talk = await opened("update");
    expect(asks(talk)).toMatchInlineSnapshot(
      `"- ✍️ \`monthly-increase\` still needs 1 approval from @acme/finops or @ivan or \`@heidi\` or \`@acme-admin\`"`,
    );
    expect(notified(talk)).toEqual(ONCE);
  });

  it("another evaluation with the same need retains the mention and notifies nobody", async () => {
    const talk = await opened("update");
    const before = asks(talk);
    await plans(talk.pull, MORE);
    expect(world.comment(talk.pull)).toContain("+$900.00");
    expect(asks(talk)).toBe(before);
    expect(notified(talk)).toEqual(ONCE);
  });

  it("a push with the same need notifies nobody again, although the comment mentioned nobody while it waited", async () => {
    const talk = await pushes(await opened("update"));
    expect(asks(talk)).toMatchInlineSnapshot(
      `"- ✍️ \`monthly-increase\` still needs 1 approval from \`@acme/finops\` or \`@ivan\` or \`@heidi\` or \`@acme-admin\`"`,
    );
    expect(notified(talk)).toEqual(ONCE);
  });

  it("an approval ends the need, and when it lapses the approvers are mentioned again", async () => {
    const talk = await opened("update");
    await talk.signs("grace", "up to 600 USD load test");
    expect(talk.gate()).toBe("success");
    expect(talk.report()).not.toMatch(/@\w/);
    const later = await pushes(talk, MORE);
    expect(asks(later)).toContain("from @acme/finops or @ivan or `@heidi`");
    expect(notified(later)).toEqual([...ONCE, ...ONCE]);
  });

  it("a need that ends because the cost falls is a new one when the cost rises again", async () => {
    const talk = await pushes(await pushes(await opened("update"), CHEAP));
    expect(notified(talk)).toEqual([...ONCE, ...ONCE]);
  });

  it("a second rule mentions its own approvers, and those of the first are not notified again", async () => {
    const talk = await opened("update");
    await plans(talk.pull, EXPENSIVE, DELETED);
    expect(asks(talk)).toContain("`no-deletes` still needs 1 approval from @acme/security");
    expect(notified(talk)).toEqual([...ONCE, "ivan of acme/security"]);
  });

  it("a mention that a maintainer edited away is not put back as a mention", async () => {
    const talk = await opened("update");
    const [own] = world.github.comments(talk.pull);
    world.github.editComment(own?.id ?? 0, { body: "nothing to see", by: "olga" });
    await world.settles();
    expect(asks(talk)).toContain("`@acme/finops` or `@ivan`");
    expect(notified(talk)).toEqual(ONCE);
  });

  it("a comment that was deleted is written again without notifying", async () => {
    const talk = await opened("update");
    const [own] = world.github.comments(talk.pull);
    world.github.deleteComment(own?.id ?? 0, "olga");
    await world.settles();
    expect(asks(talk)).toContain("`@acme/finops` or `@ivan`");
    expect(notified(talk)).toEqual(ONCE);
  });
});

describe.each(["new", "hide-and-new", "delete-and-new"])("in the mode %s", (mode) => {
  it("the first comment mentions, later ones name the same approvers without notifying, until the need is new", async () => {
    const talk = await opened(mode);
    expect(asks(talk)).toContain("from @acme/finops or @ivan or `@heidi`");
    const later = await pushes(talk, MORE);
    expect(asks(later)).toContain("from `@acme/finops` or `@ivan` or `@heidi`");
    expect(notified(later)).toEqual(ONCE);
    const again = await pushes(await pushes(later, CHEAP));
    expect(asks(again)).toContain("from @acme/finops or @ivan or `@heidi`");
    expect(notified(again)).toEqual([...ONCE, ...ONCE]);
  });
});

it("a draft mentions nobody, and its approvers are mentioned once it is ready for review", async () => {
  const base = "for-drafts";
  world.github.push({
    repository: REPOSITORY,
    branch: base,
    files: { ".github/tollgate.yml": policy("update") },
  });
  await world.settles();
  const pull = world.opensPullRequest({ base, branch: "a-draft" });
  world.github.convertToDraft(pull);
  await plans(pull);
  const talk = new Conversation(world, pull);
  expect(notified(talk)).toEqual([]);
  world.github.markReadyForReview(pull);
  await world.settles();
  expect(notified(talk)).toContain("ivan");
});

it("people with a permission are described and not mentioned", async () => {
  const talk = await opened("update", { more: ", permission: maintain" });
  expect(asks(talk)).toMatch(/`@acme-admin` or anybody with maintain permission$/);
  expect(notified(talk)).toEqual(ONCE);
});
