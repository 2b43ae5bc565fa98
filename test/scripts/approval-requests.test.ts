import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { Conversation, evaluatePull, joins } from "../world/conversation.ts";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

const MORE = { before: "10", after: "910", change: "900" };
const DELETED = [{ address: "aws_thing.old", change: "deleted" as const }];

describe("a comment mentions", () => {
  const policy = (mode: string, more = "") => `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops], users: [ivan, heidi, acme-admin]${more} } }
  - { id: no-deletes, limit: { deletions: 0 }, approve: { teams: [security] } }
comment: { mode: ${mode} }
`;
  const ONCE = ["grace of acme/finops", "heidi of acme/finops", "mallory of acme/finops", "ivan"];

  let world: SimulatedWorld;
  beforeAll(async () => {
    world = await createSimulatedWorld({ policy: policy("update") });
    joins(world);
  });
  afterAll(() => world.ends());

  /** A pull request by `acme-admin` to which heidi pushed, with a run that is over the limit. */
  async function opened(mode: string): Promise<Conversation> {
    const base = `as-${mode}-${world.github.requests.count()}`;
    const files = { ".github/tollgate.yml": policy(mode) };
    world.github.push({ repository: REPOSITORY, branch: base, files });
    await world.settles();
    const pull = world.opensPullRequest({ base, branch: `to-${base}` });
    const more = { "infra/h.tf": "# h\n" };
    world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: more, by: "heidi" });
    await plans(pull);
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

  /** The newest report's lines about missing approvals. */
  const asks = ({ pull }: Conversation): string =>
    world
      .comments(pull)
      .filter((body) => body.startsWith("###"))
      .at(-1)
      ?.match(/^- ✍️.*$/gm)
      ?.join("\n") ?? "";

  it("the approvers of a violated rule once, neither the author nor who pushed, and again when an approval lapsed", async () => {
    const talk = await opened("update");
    const asked = asks(talk);
    expect(asked).toMatchInlineSnapshot(
      `"- ✍️ \`monthly-increase\` still needs 1 approval from @acme/finops or @ivan or \`@heidi\` or \`@acme-admin\`"`,
    );
    expect(notified(talk)).toEqual(ONCE);

    await plans(talk.pull, { before: "10", after: "520", change: "510" });
    expect([asks(talk), notified(talk)]).toEqual([asked, ONCE]); // the mention stays, and notifies nobody

    await plans(talk.pull, EXPENSIVE, DELETED);
    expect(asks(talk)).toContain("`no-deletes` still needs 1 approval from @acme/security");
    expect(notified(talk)).toEqual([...ONCE, "ivan of acme/security"]);

    const pushed = await pushes(talk);
    expect(asks(pushed)).toMatchInlineSnapshot(
      `"- ✍️ \`monthly-increase\` still needs 1 approval from \`@acme/finops\` or \`@ivan\` or \`@heidi\` or \`@acme-admin\`"`,
    );
    expect(notified(pushed)).toEqual([...ONCE, "ivan of acme/security"]);

    await pushed.signs("grace", "up to 600 USD load test");
    expect(pushed.gate()).toBe("success");
    expect(pushed.report()).not.toMatch(/@\w/);
    const later = await pushes(pushed, MORE);
    expect(asks(later)).toContain("from @acme/finops or @ivan or `@heidi`");
    expect(notified(later)).toEqual([...ONCE, "ivan of acme/security", ...ONCE]);
  });

  it("nobody again after a maintainer edited or deleted it", async () => {
    const talk = await opened("update");
    const own = () => world.github.comments(talk.pull)[0]?.id ?? 0;
    world.github.editComment(own(), { body: "nothing to see", by: "olga" });
    await world.settles();
    expect(asks(talk)).toContain("`@acme/finops` or `@ivan`");
    world.github.deleteComment(own(), "olga");
    await world.settles();
    expect(asks(talk)).toContain("`@acme/finops` or `@ivan`");
    expect(notified(talk)).toEqual(ONCE);
  });

  it("nobody again in a further comment of the mode new, until the need is new", async () => {
    const talk = await opened("new");
    expect(asks(talk)).toContain("from @acme/finops or @ivan or `@heidi`");
    const later = await pushes(talk, MORE);
    expect(asks(later)).toContain("from `@acme/finops` or `@ivan` or `@heidi`");
    expect(notified(later)).toEqual(ONCE);
    const again = await pushes(await pushes(later, CHEAP));
    expect(asks(again)).toContain("from @acme/finops or @ivan or `@heidi`");
    expect(notified(again)).toEqual([...ONCE, ...ONCE]);
  });
});

describe("approvers are requested as reviewers", () => {
  const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops], users: [ivan] } }
request_reviewers: true
`;
  let world: SimulatedWorld;
  beforeAll(async () => {
    world = await createSimulatedWorld({ policy: POLICY });
    joins(world);
  });
  afterAll(() => world.ends());

  const requested = ({ pull }: Conversation) => world.github.requestedReviewers(pull).toSorted();
  const becomes = (talk: Conversation, cost: typeof CHEAP) =>
    world.plans(world.github.pullRequest(talk.pull), cost);

  it("when their approval is needed, once for each need, and withdrawn when it is not needed any more or is there", async () => {
    const talk = await evaluatePull(world);
    expect(requested(talk)).toEqual(["acme/finops", "ivan"]);
    world.github.withdrawReviewers(talk.pull, { users: ["ivan"], teams: [] });
    await becomes(talk, { before: "10", after: "520", change: "510" });
    expect(requested(talk)).toEqual(["acme/finops"]);
    await becomes(talk, CHEAP);
    expect(talk.gate()).toBe("success");
    expect(requested(talk)).toEqual([]);
    await becomes(talk, EXPENSIVE);
    expect(requested(talk)).toEqual(["acme/finops", "ivan"]);
    await world.timePasses(1_100); // GitHub states whole seconds
    await talk.signs("grace", "up to 600 USD fine");
    expect(talk.gate()).toBe("success");
    expect(requested(talk)).toEqual([]);
  });

  it("but not those who reviewed already, nor in a draft, and those whom a person requested stay", async () => {
    const pull = world.opensPullRequest();
    world.github.review(pull, { by: "ivan", state: "commented" });
    world.github.convertToDraft(pull);
    await world.plans(pull, EXPENSIVE);
    expect(world.github.requestedReviewers(pull)).toEqual([]);
    world.github.markReadyForReview(pull);
    await world.settles();
    expect(world.github.requestedReviewers(pull)).toEqual(["acme/finops"]);
    world.github.requestReviewers(pull, { users: ["heidi"], teams: [] });
    await world.plans(pull, CHEAP);
    expect(world.github.requestedReviewers(pull)).toEqual(["heidi"]);
  });

  it("without one whom GitHub refuses, who is not requested again for the same need", async () => {
    const files = { ".github/tollgate.yml": POLICY.replace("[finops]", "[finops, nobody]") };
    world.github.push({ repository: REPOSITORY, branch: "other", files });
    const talk = await evaluatePull(world, {}, { base: "other" });
    expect(talk.gate()).toBe("action_required");
    expect(requested(talk)).toEqual(["acme/finops", "ivan"]);
    const writes = () => world.github.requests.count({ method: "POST", path: /requested_reviewers$/ });
    const before = writes();
    await becomes(talk, { before: "10", after: "520", change: "510" });
    expect(writes()).toBe(before);
  });
});
