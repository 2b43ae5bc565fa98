import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DocumentedPlatform,
  documentedPlatform,
  type Manners,
  type RecordedStage,
} from "../world/documented-platform.ts";
import { eventually } from "../world/eventually.ts";
import { createWorld, type World } from "../world/world.ts";

/** Nothing is expected for documents, and the only rule allows an increase. */
const POLICY = `version: 1
expect: []
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;
const SECOND = 1_000;

const stage = (execution: string, own: Partial<RecordedStage> = {}): RecordedStage => ({
  execution,
  stage: `${execution}-plan`,
  workspace: "production",
  pipeline: "infra",
  status: "success",
  createdMs: Date.now(),
  ...own,
});
/** So many other executions. */
const others = (count: number): RecordedStage[] =>
  Array.from({ length: count }, (_, index) =>
    stage(`other${index}`, { workspace: `w${index}`, createdMs: Date.now() - index * 60_000 }),
  );
const IGNORES: Partial<Manners> = { otherParameters: "ignore" };

describe("an execution that a status names", () => {
  let world: World;
  let platform: DocumentedPlatform;
  beforeAll(async () => {
    platform = await documentedPlatform();
    const remote = { kind: "remote", token: "t", account: "acc", dialect: null } as const;
    world = await createWorld({
      policy: POLICY,
      settings: { platform: { ...remote, url: platform.url, callsPerMinute: 100_000 } },
      operator: ({ ownerId: owner }) => ({
        grants: [{ owner, org: "o", project: "p" }],
        other_pipelines: [{ org: "o", project: "p", pipeline: "build-*" }],
      }),
    });
  });
  afterAll(async () => {
    platform.close();
    await world.ends();
  });

  /** A pull request that changes documents, and a status on its head that names an execution. */
  async function named(
    executionId: string,
    { stageId, state = "success", pipeline = "infra" }: NamedBy = {},
  ) {
    const pull = world.opensPullRequest({ files: { [`docs/${executionId}.md`]: "# text\n" } });
    posts(pull, { executionId, stageId, state, pipeline });
    await world.settles();
    return pull;
  }
  interface NamedBy {
    readonly stageId?: string | undefined;
    readonly state?: "success" | "pending";
    readonly pipeline?: string;
  }
  function posts({ headSha: sha }: { headSha: string }, { executionId, stageId, state, pipeline }: Posted) {
    const path = `ci/orgs/o/projects/p/pipelines/${pipeline}/executions/${executionId}/pipeline`;
    const query = stageId === undefined ? "" : `?stage=plan&stageExecId=${stageId}`;
    const url = `${platform.url}/ng/account/acc/${path}${query}`;
    world.ci.posts({ sha, executionId, state, url });
  }
  type Posted = Required<Pick<NamedBy, "state" | "pipeline">> & NamedBy & { readonly executionId: string };
  async function triesEnd(pull: { headSha: string }) {
    for (const seconds of [2, 4, 8, 16]) {
      if (world.gate(pull) !== "in_progress") break;
      const before = platform.lists();
      await world.timePasses(seconds * SECOND);
      await eventually(() => expect(platform.lists()).toBeGreaterThan(before));
      await world.settles();
    }
    return world.gate(pull);
  }

  it.each<[string, readonly RecordedStage[], Partial<Manners>]>([
    ["that finds executions by id", [], { filters: ["pipeline_execution_id"] }],
    ["that ignores the id and lists 250 others first", others(250), IGNORES],
    [
      "that ignores the id, states no totals and gives 25 per page",
      others(99),
      {
        ...IGNORES,
        headers: "none",
        mostPerPage: 25,
      },
    ],
    ["that refuses parameters which no document names", others(250), {}],
  ])("is evaluated, and a link to its page, on a platform %s", async (what, before, manners) => {
    const id = `found${what.length}`;
    platform.becomes([...before, stage(id)], manners);
    const pull = await named(id);
    expect(world.gate(pull)).toBe("success");
    expect(world.comment(pull)).toContain("+$10.00");
    expect(world.comment(pull)).toContain("**120** added");
    const page = `${platform.url}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/${id}/pipeline`;
    expect(world.github.comments(pull)[0]?.body).toContain(`| [\`production\`](${page}) |`);
  });

  it("is evaluated with all its stages, though they are on different pages", async () => {
    const run = [stage("wide", { workspace: "staging" }), stage("wide", { stage: "wide-2" })];
    platform.becomes([...run.slice(0, 1), ...others(150), ...others(150), ...run.slice(1)], IGNORES);
    const pull = await named("wide", { stageId: "wide-plan" });
    expect(world.gate(pull)).toBe("success");
    expect(world.comment(pull)).toContain("+$20.00");
  });

  it("is not enough while GitHub does not list the statuses that later ones hide", async () => {
    platform.becomes([stage("alone")]);
    world.github.faults.add({
      kind: "status",
      status: 502,
      match: { path: /\/statuses/ },
      times: Infinity,
    });
    const pull = world.opensPullRequest({ files: { "docs/alone.md": "# text\n" } });
    posts(pull, { executionId: "alone", state: "success", pipeline: "infra" });
    await eventually(() =>
      expect(world.github.requests.list().some(({ path }) => path.includes("/statuses"))).toBe(true),
    );
    expect(world.gate(pull)).not.toBe("success");
    world.github.faults.clear();
    await eventually(() => expect(world.gate(pull)).toBe("success"));
  });

  it("is nothing when the operator says that its pipeline provisions nothing", async () => {
    platform.becomes(others(3), IGNORES);
    const pull = await named("build-1", { pipeline: "build-docs" });
    await eventually(() => expect(world.gate(pull)).toBe("success"));
  });

  it("blocks the gate when the platform lists others and not this one", async () => {
    platform.becomes(others(250), IGNORES);
    const pull = await named("lost");
    expect(world.gate(pull)).toBe("in_progress");
    expect(await triesEnd(pull)).toBe("failure");
    expect(world.checkOf(pull).output.title).toBe("Held back: 1 execution could not be read");
    expect(world.comment(pull).split("####")[0]).toMatchInlineSnapshot(`
      "### ⛔ Held back: 1 execution could not be read

      **To merge:** the platform did not return the executions below after several requests, so it is unknown what merging changes. Press **Re-check** on the check to try again. If this persists, tell the operator of Tollgate. List a pipeline that provisions nothing in the operator's \`other_pipelines\`.

      - \`lost\`: the platform does not list this execution

      "
    `);
  });

  it("that appears late is evaluated then", async () => {
    platform.becomes(others(3), IGNORES);
    const pull = await named("late", { state: "pending" });
    expect(world.gate(pull)).toBe("in_progress");
    platform.becomes([...others(3), stage("late")], IGNORES);
    posts(pull, { executionId: "late", state: "success", pipeline: "infra" });
    await world.settles();
    expect(world.gate(pull)).toBe("success");
  });

  it("that ended before it provisioned anything counts no longer when another execution took its status and minutes passed", async () => {
    platform.becomes([...others(3), stage("again")], IGNORES);
    const pull = await named("aborted");
    posts(pull, { executionId: "again", state: "success", pipeline: "infra" });
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
    await world.timePasses(6 * 60 * SECOND);
    posts(pull, { executionId: "again", state: "success", pipeline: "infra" });
    await world.settles();
    expect(world.gate(pull)).toBe("success");
  });
});
