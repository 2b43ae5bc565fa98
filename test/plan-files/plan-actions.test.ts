import { describe, expect, test } from "vitest";
import { PAGE_ELEMENTS } from "../../src/platform/contract/resource-changes.ts";
import { counts } from "../report/facts.ts";
import {
  type ChangeGiven,
  everythingIn,
  plan,
  planOf,
  readPlanOf,
  resourceChange,
  textOf,
} from "./plan-builder.ts";

const { replaced: _, ...NONE } = counts();

const REPLACED = { added: 1, deleted: 1 };

/** What one entry of a plan counts to, and the rows it makes in the order in which they are sorted. */
const CASES: readonly (readonly [string, ChangeGiven, Partial<typeof NONE>, readonly string[]])[] = [
  ["a creation", { actions: ["create"] }, { added: 1 }, ["added"]],
  ["a change", { actions: ["update"] }, { changed: 1 }, ["changed"]],
  ["a deletion", { actions: ["delete"] }, { deleted: 1 }, ["deleted"]],
  ["no change", { actions: ["no-op"] }, { unchanged: 1 }, ["unchanged"]],
  ["a read", { actions: ["read"] }, {}, []],
  ["a replacement", { actions: ["delete", "create"] }, REPLACED, ["deleted", "added"]],
  ["one that creates first", { actions: ["create", "delete"] }, REPLACED, ["deleted", "added"]],
  ["forgetting", { actions: ["forget"] }, { removed: 1 }, ["removed"]],
  ["creating, forgetting", { actions: ["create", "forget"] }, { added: 1, removed: 1 }, ["added", "removed"]],
  ["an import", { actions: ["no-op"], importing: { id: "i-1" } }, { imported: 1 }, ["imported"]],
  [
    "an import with a change",
    { actions: ["update"], importing: {} },
    { changed: 1, imported: 1 },
    ["changed", "imported"],
  ],
  [
    "an import that is replaced",
    { actions: ["delete", "create"], importing: { id: "i-1" } },
    { ...REPLACED, imported: 1 },
    ["deleted", "added", "imported"],
  ],
  ["importing null", { actions: ["update"], importing: null }, { changed: 1 }, ["changed"]],
  ["a missing mode", { mode: null, actions: ["delete"] }, { deleted: 1 }, ["deleted"]],
  ["a data source", { mode: "data", actions: ["delete", "create"] }, {}, []],
  ["a data source by address", { mode: null, address: "data.cloud_disk.data", actions: ["update"] }, {}, []],
  ["an ephemeral resource", { mode: "ephemeral", actions: ["create"] }, {}, []],
];

describe("what a plan's actions count to", () => {
  test.each(CASES)("%s", async (...[, given, counted, rows]) => {
    const read = await readPlanOf(planOf(given));
    expect(read.counts).toEqual({ ...NONE, ...counted });
    expect(read.rows.planned_changes.map(({ change }) => change)).toEqual(rows);
    expect(read.rows.unchanged).toHaveLength(counted.unchanged ?? 0);
    expect(read.marker.PlannedTotal).toBe(rows.length);
  });

  test("a moved resource has its former address, whatever else happens to it", async () => {
    const previous_address = 'cloud_disk.old["eu"]';
    const read = await readPlanOf(
      planOf(
        { actions: ["no-op"], previous_address },
        { actions: ["update"], address: "cloud_disk.b", previous_address },
        { actions: ["no-op"], address: "cloud_disk.c", previous_address: "cloud_disk.c" },
      ),
    );
    expect(
      read.rows.planned_changes.map(({ address, previousAddress }) => [address, previousAddress]),
    ).toEqual([
      ["cloud_disk.b", previous_address],
      ["cloud_disk.c", undefined],
      ["cloud_disk.data", previous_address],
    ]);
    expect(JSON.parse(textOf(read.rows.planned_changes[2]))).toMatchObject({ previous_address });
    expect(read.counts).toEqual({ ...NONE, changed: 1, unchanged: 2 });
  });

  test("an attribute that is known only after the apply is marked as such", async () => {
    const read = await readPlanOf(
      planOf({
        actions: ["update"],
        before: { disk: [{ size: 1, id: "a" }], arn: "b", tags: { x: "1" } },
        after: { disk: [{ size: 2 }], tags: { x: "1" } },
        after_unknown: { disk: [{ id: true }], arn: true },
      }),
    );
    expect(JSON.parse(textOf(read.rows.planned_changes[0])).changes).toMatchObject({
      disk: { new: [{ size: 2, id: "(known after apply)" }] },
      arn: { new: "(known after apply)" },
    });
  });

  test("the attributes that force a replacement come first", async () => {
    const read = await readPlanOf(
      planOf({
        actions: ["delete", "create"],
        before: { id: "a", size: 1, zone: "x", disk: [{ type: "a" }] },
        after: { size: 2, zone: "y", disk: [{ type: "b" }] },
        after_unknown: { id: true },
        replace_paths: [["disk", 0, "type"], ["zone"]],
      }),
    );
    const { changes } = JSON.parse(textOf(read.rows.planned_changes[0]));
    expect(Object.keys(changes)).toEqual(["disk", "zone", "id", "size"]);
  });

  test("a secret in the address before is masked", async () => {
    const read = await readPlanOf(
      planOf({
        actions: ["no-op"],
        previous_address: 'cloud_disk.old["top-secret-key"]',
        before: { password: "top-secret-key" },
        before_sensitive: { password: true },
      }),
    );
    expect(
      JSON.stringify([read.rows.planned_changes[0]?.previousAddress, textOf(read.rows.planned_changes[0])]),
    ).not.toContain("top-secret-key");
  });

  test("a deposed object is deleted beside its resource, which is not replaced", async () => {
    const read = await readPlanOf(planOf({ actions: ["create"] }, { actions: ["delete"], deposed: "ab12" }));
    expect(read.counts).toEqual({ ...NONE, added: 1, deleted: 1 });
    expect(read.rows.planned_changes.map(({ address }) => address)).toEqual([
      "cloud_disk.data (deposed object ab12)",
      "cloud_disk.data",
    ]);
  });

  test("drift is counted apart, also where an old plan names no address", async () => {
    const { address: _, ...old } = resourceChange({ actions: ["delete"] }) as { address: string };
    const drift = [resourceChange({ actions: ["update"] }), old, resourceChange({ actions: ["no-op"] })];
    const read = await readPlanOf(
      plan({ resource_drift: [...drift, resourceChange({ mode: "data", actions: ["update"] })] }),
    );
    expect(read.counts).toEqual({ ...NONE, drifted: 2 });
    expect(read.rows.drift_changes.map(({ change, address }) => [change, address])).toEqual([
      ["deleted", "cloud_disk.data"],
      ["changed", "cloud_disk.data"],
    ]);
  });

  test("one object that drifted counts once, also where it was found replaced", async () => {
    const read = await readPlanOf(
      plan({ resource_drift: [resourceChange({ actions: ["delete", "create"] })] }),
    );
    expect([read.counts.drifted, read.rows.drift_changes.map(({ change }) => change)]).toEqual([
      1,
      ["changed"],
    ]);
  });

  test("what is deferred to a later plan is listed and not counted, masked as everything else", async () => {
    const deferred = (given: Parameters<typeof resourceChange>[0]) => ({
      reason: "deferred_prereq",
      resource_change: resourceChange(given),
    });
    const read = await readPlanOf(
      plan({
        complete: false,
        deferred_changes: [
          deferred({ actions: ["delete"] }),
          deferred({ address: "cloud_disk.b", actions: ["delete", "create"] }),
          deferred({
            address: 'cloud_disk.c["hunter2x"]',
            after: { password: "hunter2x" },
            after_sensitive: { password: true },
          }),
          deferred({ address: "data.cloud_disk.d", mode: "data", actions: ["read"] }),
          { reason: "absent_prereq" },
        ],
      }),
    );
    const incomplete = {
      deferred: [
        { address: "cloud_disk.data", change: "deleted" },
        { address: "cloud_disk.b", change: "replaced" },
        { address: 'cloud_disk.c["(sensitive value)"]', change: "added" },
      ],
      more: 1,
    };
    expect(read.counts).toMatchObject({ added: 0, deleted: 0 });
    expect(read.incomplete).toEqual(incomplete);
    expect(read.marker.PlanNotes?.incomplete?.deferred).toHaveLength(3);
    expect(read.notes).toEqual([
      "4 changes are deferred to a later plan and not counted, so limits on counts are undecided",
    ]);
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["one that no known tool writes", { resource_changes: [resourceChange({ actions: ["destroy"] })] }],
    ["one in other letters", { resource_changes: [resourceChange({ actions: ["no-op", "Delete"] })] }],
    ["none at all", { resource_changes: [resourceChange({ actions: [] })] }],
    ["an unknown one that drifted", { resource_drift: [resourceChange({ actions: ["destroy"] })] }],
  ])("an action that is not known may delete anything, so the plan is refused: %s", async (_, members) => {
    await expect(readPlanOf(plan(members))).rejects.toThrow("does something that is not known");
  });

  test("a resource of an unknown mode counts", async () => {
    const read = await readPlanOf(planOf({ mode: "other", actions: ["delete"] }));
    expect(read.counts.deleted).toBe(1);
  });

  test("a plan of a part of the code says so; one that failed has its own state", async () => {
    const { notes, incomplete } = await readPlanOf(plan({ complete: false }));
    expect(incomplete).toEqual({ deferred: [], more: 0 });
    expect(notes).toEqual([
      "the plan is of a part of the code only: what it leaves out is not counted, and limits on counts are undecided",
    ]);
    for (const whole of [{ complete: true }, {}, { complete: false, errored: true }])
      expect(await readPlanOf(plan(whole))).toMatchObject({ incomplete: null, notes: [] });
  });

  test("a plan with resources and without its list of changes does not say that nothing changes", async () => {
    const values = (mode: string) => ({
      planned_values: {
        root_module: { child_modules: [{ resources: [{ address: "cloud_disk.a", mode }] }] },
      },
    });
    const bare = (mode: string) => readPlanOf({ format_version: "1.2", ...values(mode) });
    expect((await bare("managed")).incomplete).toEqual({ deferred: [], more: 0 });
    expect((await bare("data")).incomplete).toBeNull();
    const outputs = { planned_values: { outputs: { url: { value: "x", sensitive: false } } } };
    expect((await readPlanOf({ format_version: "1.2", ...outputs })).incomplete).toBeNull();
    expect((await readPlanOf(plan(values("managed")))).incomplete).toBeNull();
  });

  test("members that are null are members that are missing", async () => {
    const given = { ...resourceChange(), mode: null, deposed: null, module_address: null, index: null };
    const read = await readPlanOf(plan({ resource_changes: [{ ...given, provider_name: null }] }));
    expect(read.counts.added).toBe(1);
  });

  test("a plan without any of its lists is a plan without changes; one that failed says so", async () => {
    const bare = {
      format_version: "0.1",
      planned_values: {},
      resource_changes: null,
      resource_drift: null,
      variables: null,
    };
    expect(await readPlanOf(bare)).toMatchObject({ counts: NONE, errored: false });
    expect((await readPlanOf(plan({ errored: true }))).errored).toBe(true);
  });
});

describe("actions that a plan invokes", () => {
  const SECRET = "hunter2-secret";
  const at = (event: string, more: object = {}) => ({
    address: `module.jobs.action.aws_lambda_invoke.run["${SECRET}"]`,
    type: "aws_lambda_invoke",
    name: "run",
    config_values: { payload: SECRET },
    config_sensitive: { payload: true },
    lifecycle_action_trigger: {
      triggering_resource_address: `cloud_disk.data["${SECRET}"]`,
      action_trigger_event: event,
      actions_list_index: 0,
    },
    ...more,
  });
  const request = { address: "action.aws_lambda_invoke.x", invoke_action_trigger: {} };

  test("are listed with what invokes them, and what they are called with is masked everywhere", async () => {
    const uses = resourceChange({ after: { user_data: `run ${SECRET}` } });
    const read = await readPlanOf(
      plan({ action_invocations: [at("AfterCreate"), request], resource_changes: [uses] }),
    );
    expect(read.marker.PlanNotes?.invocations).toEqual({
      listed: [
        {
          address: 'module.jobs.action.aws_lambda_invoke.run["(sensitive value)"]',
          type: "aws_lambda_invoke",
          module: "jobs",
          resource: 'cloud_disk.data["(sensitive value)"]',
          event: "AfterCreate",
        },
        { ...{ ...request, invoke_action_trigger: undefined }, type: "aws_lambda_invoke", module: "root" },
      ].map((one) => expect.objectContaining(JSON.parse(JSON.stringify(one)))),
      more: 0,
    });
    expect(everythingIn(read)).not.toContain(SECRET);
  });

  test("and are deferred leave the plan incomplete", async () => {
    const deferred = [{ reason: "unknown", action_invocation: request }, { reason: "unknown" }];
    const { incomplete, marker } = await readPlanOf(plan({ deferred_action_invocations: deferred }));
    expect(incomplete).toEqual({ deferred: [{ address: request.address, change: "invoked" }], more: 1 });
    expect(marker.PlanNotes?.invocations).toEqual({ listed: [], more: 0 });
  });

  test("are counted beyond the fifty that are listed", async () => {
    const all = Array.from({ length: 53 }, (_, index) => ({ ...request, address: `action.a.b[${index}]` }));
    const { marker } = await readPlanOf(plan({ action_invocations: all }));
    const { listed = [], more } = marker.PlanNotes?.invocations ?? {};
    expect([listed.length, more]).toEqual([50, 3]);
  });
});

test("checks that fail are named with their messages, and others are not", async () => {
  const check = (name: string, status: string, problems: readonly string[] = []) => ({
    address: { kind: "check", to_display: `check.${name}` },
    status,
    instances: [
      {
        address: { to_display: `check.${name}` },
        status,
        problems: problems.map((message) => ({ message })),
      },
    ],
  });
  const checks = [
    check("good", "pass"),
    check("later", "unknown"),
    check("health", "fail", ["token hunter2-secret expired"]),
    { ...check("all", "error"), instances: [] },
  ];
  const marked = resourceChange({ after: { token: "hunter2-secret" }, after_sensitive: { token: true } });
  const { marker } = await readPlanOf(plan({ checks, resource_changes: [marked] }));
  expect(marker.PlanNotes?.failedChecks).toEqual({
    listed: [
      { address: "check.health", problems: ["token (sensitive value) expired"] },
      { address: "check.all", problems: [] },
    ],
    more: 0,
  });
});

test("checks that fail are counted beyond the fifty that are listed", async () => {
  const checks = Array.from({ length: 53 }, (_, at) => ({
    address: { to_display: `check.c${at}` },
    status: at === 0 ? "pass" : "fail",
  }));
  const { listed = [], more } = (await readPlanOf(plan({ checks }))).marker.PlanNotes?.failedChecks ?? {};
  expect([listed.length, more]).toEqual([50, 2]);
});

test("rows say why the plan does what it does", async () => {
  const deletes = resourceChange({ actions: ["delete"] });
  const change = { ...deletes, action_reason: "delete_because_no_resource_config" };
  const [row] = (await readPlanOf(plan({ resource_changes: [change] }))).rows.planned_changes;
  expect(row?.reason).toBe("delete_because_no_resource_config");
  expect(JSON.parse(textOf(row))).toMatchObject({ action_reason: "delete_because_no_resource_config" });
});

test("rows are sorted by change, then name, then address, and name their module without instance keys", async () => {
  const named = (address: string, name: string, actions: readonly string[]) => ({
    ...resourceChange({ address, actions }),
    name,
  });
  const read = await readPlanOf(
    plan({
      resource_changes: [
        named("cloud_disk.b", "b", ["create"]),
        named('module.x["a.b"].module.y[1].cloud_disk.a', "a", ["create"]),
        named("cloud_disk.a[1]", "a", ["create"]),
        named("cloud_disk.z", "z", ["delete"]),
        named("cloud_disk.c", "c", ["forget"]),
        named("cloud_disk.d", "d", ["no-op"]),
        named("cloud_disk.e", "e", ["update"]),
      ],
    }),
  );
  expect(
    read.rows.planned_changes.map(({ change, module, address }) => `${change} ${module} ${address}`),
  ).toEqual([
    "deleted root cloud_disk.z",
    "added root cloud_disk.a[1]",
    'added x.y module.x["a.b"].module.y[1].cloud_disk.a',
    "added root cloud_disk.b",
    "changed root cloud_disk.e",
    "unchanged root cloud_disk.d",
    "removed root cloud_disk.c",
  ]);
});

test("state before the plan gives resources and data sources; every element is what the contract takes", async () => {
  const inState = (address: string, mode: string) => ({
    address,
    mode,
    type: "t",
    name: "n",
    values: { id: `id of ${address}` },
  });
  const read = await readPlanOf({
    ...planOf(
      { actions: ["update"], before: { size: 1, same: 1 }, after: { size: 2, same: 1 } },
      { actions: ["no-op"] },
    ),
    resource_drift: [resourceChange({ actions: ["update"] })],
    output_changes: { url: { actions: ["create"], before: null, after: "http://x", after_sensitive: false } },
    prior_state: {
      values: {
        root_module: {
          resources: [inState("t.n", "managed")],
          child_modules: [
            { resources: [inState("module.a.data.t.n", "data")] },
            {
              child_modules: [
                { address: "module.a.module.b", resources: [inState("module.a.module.b.t.n", "managed")] },
              ],
            },
          ],
        },
      },
    },
  });
  expect(read.marker).toMatchObject({ Drift: 1, Resources: 2, DataSources: 1, Outputs: 1 });
  for (const [category, schema] of Object.entries(PAGE_ELEMENTS)) {
    const rows = Object.entries(read.rows).find(([name]) => name === category)?.[1] ?? [];
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) schema.parse(JSON.parse(textOf(row)));
  }
  const [changed] = read.rows.planned_changes;
  expect(JSON.parse(textOf(changed))).toMatchObject({
    provider: "cloud",
    change_count: 1,
    changes: { size: { change: "changed", old: 1, new: 2, sensitive: false, drift: false } },
  });
  expect(JSON.parse(textOf(read.rows.resources[0]))).toMatchObject({
    resource_id: "id of module.a.module.b.t.n",
    module: "a.b",
  });
});
