import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { platformImportCommand } from "../../src/cli/commands/platform-import.ts";
import { TollgateError } from "../../src/kernel/errors.ts";
import type { PlatformClient } from "../../src/platform/client.ts";
import { getPushDisabled } from "../../src/platform/contract/settings.ts";
import { createFailure, type Failure } from "../../src/platform/errors.ts";
import { createRetryingCall } from "../../src/wiring/import/run.ts";
import { breakdown, estimate, project } from "../plan-files/estimate-builder.ts";
import { type ChangeGiven, plan, resourceChange } from "../plan-files/plan-builder.ts";
import { ACCOUNT, openPlatform, type PlatformWorld } from "../platform-server/platform-world.ts";
import { usualEngines } from "../world/engines.ts";
import { createFolder, words } from "./folder.ts";
import { typed } from "./run-command.ts";

const { file, path } = createFolder();
const SHA = "0123456789abcdef0123456789abcdef01234567";
const SECRET = "s3cr3t-p4ssw0rd";
const PLAN = plan({
  resource_changes: [
    resourceChange({
      actions: ["delete", "create"],
      before: { size: 1, key: SECRET },
      after: { size: 2, note: `x${SECRET}` },
      before_sensitive: { key: true },
    }),
    resourceChange({
      address: 'module.web["a.b"].cloud_disk.data',
      actions: ["update"],
      before: { size: 1 },
      after: { size: 2 },
    }),
    resourceChange({ address: "cloud_disk.same", actions: ["no-op"] }),
  ],
  resource_drift: [resourceChange({ actions: ["delete"] })],
  output_changes: { password: { actions: ["create"], before: null, after: SECRET, after_sensitive: true } },
});
const COSTS = estimate(
  [
    project("web", ["1", "2.125", "1.125"]),
    project("db", ["1", "1", "0"], { metadata: { path: "db", errors: [{ message: `no ${SECRET}` }] } }),
  ],
  ["2", "3.125", "1.125"],
);

describe.each(usualEngines())("importing into the embedded platform ($name)", (engine) => {
  let world: PlatformWorld;
  beforeAll(async () => {
    world = await openPlatform(engine);
  });
  afterAll(() => world.close());

  /** Imports the plan and these costs. */
  const sends = (costs: object, ...more: readonly string[]) => {
    const target = words`--org acme --project pay --workspace prod --repository acme/pay --sha ${SHA}`;
    const files = words`--plan ${file("plan.json", PLAN)} --infracost ${file("costs.json", costs)}`;
    const token = more.includes("--token") ? [] : ["--token", world.key];
    const platform = words`--url ${world.url} --account ${ACCOUNT} ${token}`;
    return typed(words`platform import ${target} ${platform} ${files} ${more}`);
  };

  const at = (execution: string) => `/api/orgs/acme/projects/pay/executions/${execution}`;

  test("records execution, rows, counts, costs per stage and module, and the commit", async () => {
    const { code, results } = await sends(COSTS, "--json");
    expect(code).toBe(0);
    const { pipeline_execution_id: execution, pipeline_stage_id: stage } = JSON.parse(results);
    const run = await world.call("GET", `${at(execution)}/${stage}`);
    expect(run.body).toMatchObject({ workspace: "prod", status: "success", pipeline: "import" });
    const rows = await world.call("GET", `${at(execution)}/${stage}/resource-changes/planned_changes/rows`);
    expect(
      rows.body.rows.map((row: { change: string; module: string }) => `${row.change} ${row.module}`),
    ).toEqual(["deleted root", "added root", "changed web", "unchanged root"]);
    const counts = await world.call(
      "GET",
      `${at(execution)}/${stage}/resource-changes/filter-counts?category=planned_changes`,
    );
    expect(counts.body).toMatchObject({
      change_types: { added: 1, deleted: 1, changed: 1, unchanged: 1 },
      categories: { drift_changes: 1, outputs: 1 },
    });
    const [cost] = (await world.call("GET", `${at(execution)}/cost-changes-all-stages`)).body;
    expect(cost).toMatchObject({
      workspace_id: "prod",
      stage_execution_id: stage,
      past_total_monthly_cost: "2.00",
      total_monthly_cost: "3.125",
      diff_total_monthly_cost: "1.125",
      estimate: { completeness: "partial" },
    });
    const [modules] = (await world.call("GET", `${at(execution)}/cost-changes-all-stages-by-modules`)).body;
    expect(modules.modules).toMatchObject({ root: { total_monthly_cost: "3.125" } });
    expect(world.ingested.at(-1)).toMatchObject({ repository: "acme/pay", sha: SHA, executionId: execution });
  });

  test("states that there is nothing to plan, in the name of the token, and takes no plan or cost for it later", async () => {
    const target = words`--org acme --project pay --workspace still --repository acme/pay --sha ${SHA} --json`;
    const platform = words`--url ${world.url} --account ${ACCOUNT} --token ${world.key} --execution still-1`;
    const states = () => typed(words`platform import ${target} ${platform} --nothing-to-plan`);
    const { pipeline_stage_id: stage } = JSON.parse((await states()).results);
    expect((await states()).code).toBe(0);
    const run = await world.call("GET", `${at("still-1")}/${stage}`);
    expect(run.body).toMatchObject({ status: "success", no_changes_by: expect.stringMatching(/^token /) });
    const late = await typed(
      words`platform import ${target} ${platform} --infracost ${file("late.json", COSTS)}`,
    );
    expect([late.code, late.messages.join()]).toEqual([2, expect.stringContaining("which is final")]);
  });

  test("records a folder of plans as one execution with a stage for each, and shows none of its values", async () => {
    for (const unit of ["vpc", "db"]) file(`plans/envs/prod/${unit}/tfplan.json`, PLAN);
    const costs = estimate(
      ["vpc", "db"].map((unit, at) =>
        project(`live/${unit}`, ["1", `${at + 2}`, `${at + 1}`], {
          metadata: { path: `live/envs/prod/${unit}`, errors: [{ message: `no ${SECRET}` }] },
        }),
      ),
      ["2", "5", "3"],
    );
    const target = words`--org acme --project pay --repository acme/pay --sha ${SHA} --json`;
    const platform = words`--url ${world.url} --account ${ACCOUNT} --token ${world.key}`;
    const files = words`--plan ${join(path, "plans")} --infracost ${file("of-units.json", costs)}`;
    const { code, results } = await typed(words`platform import ${target} ${platform} ${files}`);
    expect(code).toBe(0);
    const stages: readonly Record<string, string>[] = JSON.parse(results);
    expect(stages).toMatchObject([{ workspace: "envs/prod/vpc" }, { workspace: "envs/prod/db" }]);
    const [execution, ...others] = new Set(stages.map((one) => one["pipeline_execution_id"]));
    expect(others).toEqual([]);
    for (const { pipeline_stage_id: stage, workspace } of stages) {
      const run = await world.call("GET", `${at(execution ?? "")}/${stage}`);
      expect(run.body).toMatchObject({ workspace, status: "success" });
    }
    const { body } = await world.call("GET", `${at(execution ?? "")}/cost-changes-all-stages`);
    expect(
      body.map((one: Record<string, string>) => [one["workspace_id"], one["diff_total_monthly_cost"]]).sort(),
    ).toEqual([
      ["envs/prod/db", "2.00"],
      ["envs/prod/vpc", "1.00"],
    ]);
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  test.each([
    [SHA, undefined],
    ["", undefined],
    [
      "f".repeat(40),
      ["it was made at commit ffffffff, and the head is 01234567: that is a test merge of it, or other code"],
    ],
  ])(
    "an estimate of commit %j says where that is not the head, and keeps its figures",
    async (commit, notices) => {
      const metadata = { vcsCommitSha: commit };
      const costs = estimate([project("web", ["1", "2", "1"])], ["1", "2", "1"], { metadata });
      const execution = `run-of-${commit.slice(0, 3)}`;
      const target = words`--org acme --project pay --workspace prod --repository acme/pay --sha ${SHA}`;
      const platform = words`--url ${world.url} --account ${ACCOUNT} --token ${world.key} --execution ${execution}`;
      const estimated = file("of-commit.json", costs);
      expect((await typed(words`platform import ${target} ${platform} --infracost ${estimated}`)).code).toBe(
        0,
      );
      const [cost] = (await world.call("GET", `${at(execution)}/cost-changes-all-stages`)).body;
      expect(cost.estimate.notices).toEqual(notices);
      expect(cost.estimate.completeness).toBe("complete");
    },
  );

  test("an estimate that does not state its unpriced resources is not shown as having none", async () => {
    const names = ["cloud_disk.data", 'module.web["a.b"].cloud_disk.data'];
    const present = breakdown(
      "2",
      names.map((name) => ({ name, monthlyCost: "1" })),
    );
    const untold = estimate(
      [project("web", ["1", "2", "1"], { summary: null, breakdown: present })],
      ["1", "2", "1"],
    );
    expect((await sends(untold, "--execution", "run-untold")).code).toBe(0);
    const [cost] = (await world.call("GET", `${at("run-untold")}/cost-changes-all-stages`)).body;
    expect(cost.estimate).toEqual({
      completeness: "complete",
      problems: [],
      unpriced: null,
      parts: "changed",
      usage: { resources: [], unnamed: 0, unnamed_unchanged: 0 },
      resources: names.map((address) => ({
        address,
        type: "cloud_disk",
        ...(address !== "cloud_disk.data" && { cost: null }),
        tags: "unsupported",
      })),
    });
  });

  test("records the tags of the plan, masked, for rows and for every resource of the estimate", async () => {
    const instance = (name: string, given: ChangeGiven) => ({
      ...resourceChange({ address: `aws_instance.${name}`, ...given }),
      type: "aws_instance",
    });
    const tags = (team: string) => ({ tags: { team, owner: "canary-owner" } });
    const marks = { tags: { owner: true } };
    const marked = { before_sensitive: marks, after_sensitive: marks };
    const planned = plan({
      resource_changes: [
        instance("moves", {
          actions: ["update"],
          before: tags("search"),
          after: tags("payments"),
          ...marked,
        }),
        instance('stays["canary-owner"]', {
          ...{ actions: ["no-op"], before: tags("search"), after: tags("search"), ...marked },
        }),
      ],
    });
    const side = (amount: string) =>
      breakdown(amount, [
        { name: "aws_instance.moves", monthlyCost: amount, tags: { owner: "canary-owner" } },
        { name: "aws_instance.stays['canary-owner']", monthlyCost: "5", tags: { team: "of the estimate" } },
      ]);
    const costs = estimate(
      [{ name: "web", pastBreakdown: side("1"), breakdown: side("2"), diff: breakdown("1", []) }],
      ["6", "7", "1"],
    );
    const target = words`--org acme --project pay --workspace prod --repository acme/pay --sha ${SHA}`;
    const files = words`--plan ${file("tagged.json", planned)} --infracost ${file("tagged-costs.json", costs)}`;
    const platform = words`--url ${world.url} --account ${ACCOUNT} --token ${world.key} --execution run-tagged`;
    const { results } = await typed(words`platform import ${target} ${platform} ${files} --json`);
    const { pipeline_stage_id: stage } = JSON.parse(results);
    const rows = await world.call(
      "GET",
      `${at("run-tagged")}/${stage}/resource-changes/planned_changes/rows`,
    );
    const read = (team: string) => ({ values: { team, owner: { unknown: "sensitive" } }, complete: true });
    const [moves, stays] = [{ before: read("search"), after: read("payments") }, { after: read("search") }];
    expect(rows.body.rows.map((row: { tags: unknown }) => row.tags)).toEqual([moves, stays]);
    const [cost] = (await world.call("GET", `${at("run-tagged")}/cost-changes-all-stages`)).body;
    expect(cost.estimate.resources).toMatchObject([
      { address: "aws_instance.moves", tags: moves },
      { address: 'aws_instance.stays["(sensitive value)"]', tags: stays },
    ]);
    expect(JSON.stringify([rows.body, cost])).not.toContain("canary-owner");
  });

  test("the same import again, by its id, changes nothing", async () => {
    const first = await sends(COSTS, "--execution", "run-7");
    const second = await sends(COSTS, "--execution", "run-7");
    expect([first.code, first.results, second.code, second.results]).toEqual([0, "run-7", 0, "run-7"]);
    const runs = await world.call(
      "GET",
      "/api/orgs/acme/projects/pay/executions?pipeline_execution_id=run-7",
    );
    expect(runs.body).toHaveLength(1);
  });

  test("no sensitive value reaches the platform", async () => {
    const { code } = await sends(COSTS, "--execution", "run-8");
    expect(code).toBe(0);
    const [run] = (
      await world.call("GET", "/api/orgs/acme/projects/pay/executions?pipeline_execution_id=run-8")
    ).body;
    const changes = `${at("run-8")}/${run.pipeline_stage_id}/resource-changes`;
    const answers = await Promise.all([
      world.call("GET", `${changes}/planned_changes/rows/0`),
      world.call("GET", `${changes}/planned_changes/rows/1`),
      world.call("GET", `${changes}/outputs/rows/0`),
      world.call("GET", `${at("run-8")}/cost-changes-all-stages`),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain("(sensitive value)");
      expect(JSON.stringify(body)).not.toContain(SECRET);
    }
  });

  test("a wrong token is refused with the way out", async () => {
    const { code, results, messages } = await sends(COSTS, "--token", "tg_wrong");
    expect([code, results]).toEqual([2, ""]);
    expect(messages.join("\n")).toContain("Check the token (TOLLGATE_TOKEN, --token)");
  });
});

describe("wrong arguments", () => {
  const wrong = async (...more: readonly string[]) => {
    const known = words`--org o --project p --workspace w --repository o/p --sha ${SHA} --plan x`;
    const given = known.filter((word, at) => !more.includes(at % 2 === 0 ? word : (known[at - 1] ?? "")));
    const row = { name: "platform import", summary: "", load: async () => platformImportCommand(noPlatform) };
    return (await typed(["platform", "import", ...given, ...more], [row])).messages[0];
  };
  const noPlatform = () => Promise.reject(new TollgateError("usage", "none here"));

  test.each([
    [["--sha", "abc"], "--sha is not a full commit id of 40 (or 64) hex digits."],
    [["--repository", "pay"], "--repository is neither OWNER/NAME nor the address of a repository."],
    [["--org", ".."], '--org ".." cannot name one: 1 to 128 characters, but not . or ..'],
    [
      ["--execution", "a/b"],
      '--execution "a/b" is no id of the platform: 1 to 128 letters, digits or _ . $ -',
    ],
    [["--url", "http://localhost:1"], "There is an address, but no token."],
    [
      ["--url", "localhost:1", "--token", "t"],
      "--url is no address of a platform: http:// or https://, without user and password.",
    ],
    [
      ["--execution", "e-1", "--nothing-to-plan"],
      "--nothing-to-plan does not go with --plan and --infracost; leave them out.",
    ],
    [["--plan", "/no/such"], "/no/such cannot be read: there is no such file"],
    [
      ["--infracost", "a.json", "--infracost-base", "a.json"],
      "a.json cannot be its own base: nothing would change.",
    ],
  ])("%j", async (more, message) => {
    expect(await wrong(...more)).toBe(message);
  });
});

describe("calls that fail", () => {
  const failing = (times: number, last: Failure): PlatformClient => {
    let left = times;
    const call = async () => {
      left -= 1;
      return left >= 0 ? { ok: false, failure: last } : { ok: true, value: { disabled: false }, headers: {} };
    };
    return { call: call as unknown as PlatformClient["call"], close: async () => {} }; // every endpoint gets the same answer
  };
  const input = { params: { org: "o", project: "p" } };

  test("are sent again when that may help, ever later, as long as the platform asks", async () => {
    const slept: number[] = [];
    const retrying = { tries: 4, pauseMs: 100, sleep: async (ms: number) => void slept.push(ms) };
    const busy = { ...createFailure("rate_limited", "slow down"), retryAfterMs: 350 };
    expect(await createRetryingCall(failing(3, busy), retrying)(getPushDisabled, input)).toEqual({
      disabled: false,
    });
    expect(slept).toEqual([350, 350, 400]);
    await expect(
      createRetryingCall(failing(4, busy), retrying)(getPushDisabled, input),
    ).rejects.toMatchObject({
      code: "platform_failed",
      retryable: true,
    });
  });

  test("are not sent again when it would not help", async () => {
    const retrying = { tries: 4, pauseMs: 1, sleep: () => Promise.reject(new Error("slept")) };
    const refused = createRetryingCall(failing(1, createFailure("forbidden", "no")), retrying)(
      getPushDisabled,
      input,
    );
    await expect(refused).rejects.toMatchObject({ code: "platform_failed", retryable: false });
  });
});
