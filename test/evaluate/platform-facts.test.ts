import { describe, expect, test } from "vitest";
import {
  buildChangesFromListing,
  buildChangesFromRows,
  type PlatformChanges,
  type SourceRow,
} from "../../src/evaluate/facts/change-facts.ts";
import { toCostFact, toModulesFact, toUnknownReason } from "../../src/evaluate/facts/platform-facts.ts";
import { CostChange, ModuleCosts } from "../../src/platform/contract/cost-changes.ts";
import { listChanges } from "../../src/platform/contract/resource-changes.ts";
import { createFailure, type Failure } from "../../src/platform/errors.ts";

const answered = <T>(value: T) => ({ ok: true, value, headers: {} }) as const;
const failed = (kind: Failure["kind"]) => ({ ok: false, failure: createFailure(kind, "no") }) as const;

/** A cost change as a real platform sends it. */
const sent = (more: object = {}) =>
  CostChange.parse({
    currency: "usd",
    diff: {
      cloud_disk: {
        previous_monthly_cost: "1.00",
        current_monthly_cost: "3.00",
        diff_monthly_cost: "2.00",
        percentage_change_monthly_cost: 200,
        diff: [
          {
            name: "module.a.cloud_disk.data[0]",
            previous_monthly_cost: "1.00",
            current_monthly_cost: "3.00",
            diff_monthly_cost: "2.00",
            percentage_change_monthly_cost: 200,
          },
        ],
      },
    },
    total_monthly_cost: "12.00",
    past_total_monthly_cost: "10.00",
    diff_total_monthly_cost: "2.00",
    percentage_change_total_monthly_cost: 20,
    stage_execution_id: "s",
    stage_id: "s",
    workspace_id: "w",
    ...more,
  });

describe("the cost of a stage", () => {
  const estimate = { completeness: "complete", problems: [], unpriced: {}, parts: "changed" };

  test("with the usage-based resources, where the platform states them", () => {
    const resources = [{ address: "cloud_queue.jobs", type: "cloud_queue", change: "added" }];
    const usage = { resources, unnamed: 2, unnamed_unchanged: 3 };
    expect(toCostFact(answered(sent({ estimate: { ...estimate, usage } })))).toMatchObject({
      value: { usage: { resources, unnamed: 2, unnamedUnchanged: 3 } },
    });
  });

  test("without the usage-based resources, where the platform or an older ingestion does not state them", () => {
    for (const more of [{}, { estimate }]) {
      const fact = toCostFact(answered(sent(more)));
      expect(fact.state === "known" && "usage" in fact.value).toBe(false);
    }
  });

  test("from a real platform: whether all was estimated is not stated, and the parts are incomplete", () => {
    expect(toCostFact(answered(sent()))).toMatchObject({
      state: "known",
      value: {
        currency: "USD",
        before: "10",
        after: "12",
        change: "2",
        percent: "20",
        completeness: "unstated",
        unpriced: null,
        partsAreWhole: false,
        groups: [
          {
            type: "cloud_disk",
            change: "2",
            resources: [{ address: "module.a.cloud_disk.data[0]", components: [] }],
          },
        ],
      },
    });
  });

  test("as the embedded platform says it", () => {
    const estimate = {
      completeness: "partial",
      problems: ["no"],
      unpriced: { cloud_rare: 2, cloud_new: 1 },
      parts: "all",
    };
    expect(toCostFact(answered(sent({ estimate })))).toMatchObject({
      value: {
        completeness: "partial",
        problems: ["no"],
        unpriced: { count: 3, types: { cloud_rare: 2 } },
        partsAreWhole: true,
      },
    });
  });

  test("of an estimate that does not state its unpriced resources: unknown, which is not none", () => {
    const estimate = { completeness: "complete", problems: [], unpriced: null, parts: "changed" };
    expect(toCostFact(answered(sent({ estimate })))).toMatchObject({
      value: { completeness: "complete", unpriced: null },
    });
  });

  test("amounts that are not stated are null, not zero", () => {
    const value = sent({
      total_monthly_cost: "",
      diff_total_monthly_cost: null,
      percentage_change_total_monthly_cost: null,
    });
    expect(toCostFact(answered(value))).toMatchObject({
      value: { before: "10", after: null, change: null, percent: null },
    });
  });

  test.each([
    ["no entry for the stage", answered(undefined), "not_estimated"],
    ["an entry without a currency", answered(sent({ currency: " " })), "not_estimated"],
    ["404", failed("not_found"), "not_estimated"],
    ["a time-out", failed("timed_out"), "timed_out"],
    ["a refusal", failed("forbidden"), "forbidden"],
    ["a request that breaks the contract", failed("rejected"), "unavailable"],
  ])("%s is unknown with its reason", (_name, answer, reason) => {
    expect(toCostFact(answer)).toEqual({ state: "unknown", reason });
  });

  test("modules go the same way", () => {
    const ids = { stage_execution_id: "s", stage_id: "s", workspace_id: "w" };
    const of = (modules: object) => toModulesFact(answered(ModuleCosts.parse({ ...ids, modules })));
    expect(of({ "web.db": sent() })).toMatchObject({
      state: "known",
      value: [{ module: "web.db", currency: "USD", change: "2" }],
    });
    expect(of({})).toEqual({ state: "known", value: [] });
    expect(of({ web: sent({ currency: "" }) })).toEqual({ state: "unknown", reason: "not_stated" });
    expect(toModulesFact(failed("not_found"))).toEqual({ state: "unknown", reason: "not_estimated" });
    expect(toModulesFact(answered(undefined))).toEqual({ state: "unknown", reason: "not_estimated" });
  });

  test("an answer that says no says that nothing was read", () => {
    expect(toUnknownReason({ kind: "not_found" })).toBe("not_read");
  });
});

describe("a module has one name, however the platform writes it", () => {
  test.each<[Partial<SourceRow>, string, string]>([
    [
      { resource_address: "module.web.module.db[0].cloud_disk.a", module: "module.web.module.db" },
      "web.db",
      "cloud_disk",
    ],
    [{ resource_address: "module.web.cloud_disk.a", module: undefined }, "web", "cloud_disk"],
    [{ resource_address: undefined, module: 'module.web["a.b"].module.db' }, "web.db", "cloud_disk"],
    [{ resource_address: "cloud_disk.a", module: "module.web" }, "web", "cloud_disk"],
    [{ resource_address: "cloud_disk.a", module: "" }, "root", "cloud_disk"],
    [{ resource_address: "cloud_disk.a", module: "stacks/web" }, "stacks/web", "cloud_disk"],
    [{ resource_address: "module.web.cloud_vm.a", type: undefined }, "web", "cloud_vm"],
    [{ resource_address: undefined, type: undefined, module: "web" }, "web", ""],
  ])("%j", (given, module, type) => {
    const { rows } = buildChangesFromRows(
      read([row("deleted", "a", given)], { counts: { ...COUNTS, deleted: 1 } }),
    );
    expect(rows).toMatchObject({ value: { rows: [{ module, type }] } });
  });

  test("of costs", () => {
    const ids = { stage_execution_id: "s", stage_id: "s", workspace_id: "w" };
    const modules = { "module.web.module.db": sent(), root: sent(), "stacks/web": sent() };
    const fact = toModulesFact(answered(ModuleCosts.parse({ ...ids, modules })));
    expect(fact).toMatchObject({
      value: [{ module: "web.db" }, { module: "root" }, { module: "stacks/web" }],
    });
  });
});

const row = (change: string, name: string, more: Partial<SourceRow> = {}): SourceRow => ({
  change,
  resource_address: `cloud_disk.${name}`,
  type: "cloud_disk",
  name,
  module: "root",
  ...more,
});

const COUNTS = { added: 1, changed: 0, deleted: 2, imported: 0, removed: 0, unchanged: 0, drifted: 0 };

const read = (planned: readonly SourceRow[], more: Partial<PlatformChanges> = {}): PlatformChanges => ({
  counts: COUNTS,
  planned: { rows: planned, replacementsKnown: true },
  drift: { rows: [], total: 0 },
  ...more,
});

describe("the changes of a stage", () => {
  test("a resource that is deleted and created is replaced: one row, counted in all three", () => {
    const { counts, rows } = buildChangesFromRows(
      read([row("deleted", "a"), row("deleted", "b"), row("added", "a")]),
    );
    expect(counts).toEqual({ state: "known", value: { ...COUNTS, replaced: 1 } });
    const shown =
      rows.state === "known" ? rows.value.rows.map(({ change, address }) => `${change} ${address}`) : [];
    expect(shown).toEqual(["replaced cloud_disk.a", "deleted cloud_disk.b"]);
  });

  test("where not every row was read, replacements are not known; without deletions there are none", () => {
    const planned = { rows: [row("deleted", "a")], replacementsKnown: false };
    expect(buildChangesFromRows(read([], { planned })).counts).toMatchObject({ value: { replaced: null } });
    const counts = { ...COUNTS, deleted: 0 };
    const none = { rows: [], replacementsKnown: false };
    expect(buildChangesFromRows(read([], { planned: none, counts })).counts).toMatchObject({
      value: { replaced: 0 },
    });
  });

  test.each<[string, Partial<PlatformChanges>]>([
    ["deleted", { counts: { ...COUNTS, deleted: 0 } }],
    ["imported", { planned: { rows: [row("imported", "a")], replacementsKnown: true } }],
    ["drifted", { drift: { rows: [row("changed", "c")], total: 0 } }],
  ])("where more of them are listed than counted, nobody knows how many are %s", (_, given) => {
    const { counts } = buildChangesFromRows(read([row("deleted", "a")], given));
    expect(counts).toEqual({ state: "unknown", reason: "contradictory" });
  });

  test("what is listed too often of one kind makes up for nothing of another", () => {
    const { rows } = buildChangesFromRows(read([row("imported", "a"), row("imported", "b")]));
    expect(rows).toMatchObject({ value: { omitted: 2 } });
  });

  test("rows that were not read are counted: deletions, removals, imports and drift", () => {
    const counts = { ...COUNTS, deleted: 9, removed: 2, added: 500, drifted: 7 };
    const { rows } = buildChangesFromRows(
      read([row("deleted", "a"), row("added", "b")], {
        counts,
        drift: { rows: [row("changed", "c")], total: 7 },
      }),
    );
    expect(rows).toMatchObject({ value: { omitted: 10 + 6 } });
    expect(rows.state === "known" && rows.value.rows.map(({ change }) => change)).toEqual([
      "deleted",
      "added",
      "drifted",
    ]);
  });

  test.each(["added", "changed", "deleted", "imported", "removed", "unchanged", "drifted"] as const)(
    "a count of %s that is not stated makes the counts unknown",
    (which) => {
      const { counts } = buildChangesFromRows(read([], { counts: { ...COUNTS, [which]: null } }));
      expect(counts).toEqual({ state: "unknown", reason: "not_stated" });
    },
  );
});

describe("a stage that is not indexed", () => {
  const listing = (planned: readonly SourceRow[], drift: readonly SourceRow[] = []) =>
    buildChangesFromListing(listChanges.response.parse({ planned_changes: planned, drift_changes: drift }));

  test("is counted from its listing, without data sources and outputs", () => {
    const data = row("deleted", "d", { mode: "data" });
    const { counts } = listing(
      [
        row("deleted", "a"),
        row("added", "a"),
        row("unchanged", "c"),
        data,
        row("added", "o", { mode: "output" }),
      ],
      [row("changed", "a")],
    );
    expect(counts).toEqual({
      state: "known",
      value: {
        added: 1,
        changed: 0,
        deleted: 1,
        replaced: 1,
        imported: 0,
        removed: 0,
        unchanged: 1,
        drifted: 1,
      },
    });
  });

  test("with a kind of change that nobody knows is not counted at all", () => {
    expect(listing([row("vaporised", "a")]).counts).toEqual({ state: "unknown", reason: "malformed" });
  });
});
