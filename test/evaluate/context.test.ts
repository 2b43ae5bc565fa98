import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContextGrant } from "../../src/evaluate/run/operator-rules.ts";
import type { PlatformClient } from "../../src/platform/client.ts";
import { anomalyImport } from "../../src/platform-server/anomalies/import.ts";
import { evaluationImport } from "../../src/platform-server/governance/handlers.ts";
import type { Saving } from "../../src/report/model/context.ts";
import type { StageFacts } from "../../src/report/model/facts.ts";
import { anomaly } from "../platform-server/anomalies-verbs.ts";
import {
  bring,
  DAY_MS,
  openPlatform,
  type PlatformWorld,
  START_MS,
} from "../platform-server/platform-world.ts";
import { imports, recommendation } from "../platform-server/recommendation-verbs.ts";
import { record, verbsOf } from "../platform-server/unit-metric-verbs.ts";
import { cost, known } from "../report/facts.ts";
import { usualEngine } from "../world/engines.ts";
import { clientOf, failing, REF, readFact, touching, uploadsStage } from "./context-world.ts";

const PASSING = new Set(["SUCCESS"]);
const METRIC = { metric: "cost-per-order", org: "acme", project: "payments", workspaces: ["prod-network"] };
describe("context facts of a pull request on the embedded platform", () => {
  let world: PlatformWorld;
  let platform: PlatformClient;
  beforeAll(async () => {
    world = await openPlatform(usualEngine());
    platform = clientOf(world);
    await uploadsStage(world, {
      resources: ["web", "db", "log", "old", "far"].map((name) => ({
        provider: "aws",
        type: "aws_instance",
        name,
        module: "root",
        resource_address: `aws_instance.${name}`,
        resource_id: `i-0000000${name}`,
      })),
    });
    await imports(world, [
      saving("r-web", "web", { monthlySaving: 40.5 }),
      saving("r-db", "db", { monthlySaving: 99, overriddenSavings: 12.25 }),
      saving("r-old", "old", { monthlySaving: 7 }),
      saving("r-far", "far", { monthlySaving: 500, cloudAccountId: "999" }),
      saving("r-done", "web", { monthlySaving: 800, recommendationState: "APPLIED" }),
    ]);
  });
  afterAll(async () => {
    await platform.close();
    await world.close();
  });

  const saving = (id: string, name: string, more: object) =>
    recommendation(id, {
      resourceType: "EC2_INSTANCE",
      resourceId: `i-0000000${name}`,
      cloudProvider: "CLOUD_1",
      cloudAccountId: "111",
      ...more,
    });

  describe("savings", () => {
    const read = (...stages: readonly StageFacts[]) =>
      readFact("savings", platform, {
        stages,
        grant: { cloudAccounts: ["111"] },
        operator: { costCurrency: "EUR", passingStatuses: PASSING },
      });
    const of = (...names: readonly string[]) =>
      read(touching(names.map((name) => name.replace("~", " aws_instance."))));

    it("are those of touched resources, largest first, overridden ones counting, in the operator's currency", async () => {
      expect(await of("changed~db", "replaced~web")).toEqual({
        state: "known",
        value: {
          totals: [{ amount: "52.75", currency: "EUR" }],
          unmatched: 0,
          items: [
            expect.objectContaining({
              recommendationId: "r-web",
              address: "aws_instance.web",
              change: "replaced",
            }),
            expect.objectContaining({
              recommendationId: "r-db",
              workspace: "prod-network",
              resourceType: "aws_instance",
              monthly: { amount: "12.25", currency: "EUR" },
            }),
          ],
        },
      });
    });

    it.each<[string, readonly string[], object]>([
      [
        "a deleted resource's come with the merge: named, not counted as missed",
        ["deleted~old"],
        { totals: [], unmatched: 0 },
      ],
      ["a created resource has none yet", ["added~new"], { totals: [], items: [], unmatched: 0 }],
      [
        "nothing is recommended for one that is right",
        ["changed~log"],
        { totals: [], items: [], unmatched: 0 },
      ],
      [
        "one that the state does not know is not matched",
        ["changed~ghost"],
        { totals: [], items: [], unmatched: 1 },
      ],
      [
        "those of other cloud accounts are not shown, and not taken for none",
        ["changed~far"],
        { totals: [], items: [], unmatched: 1 },
      ],
      ["drift alone touches nothing", ["drifted~web"], { totals: [], items: [], unmatched: 0 }],
    ])("%s", async (_, rows, expected) => {
      expect(await of(...rows)).toMatchObject({ state: "known", value: expected });
    });

    it("are unknown where it is not known what is touched", async () => {
      const unproven = touching(["changed aws_instance.web"], { proven: false });
      expect(await read(unproven)).toEqual({ state: "unknown", reason: "unproven" });
    });

    it("of a stage without any uploaded rows are unknown", async () => {
      const elsewhere = { ...REF, pipeline_execution_id: "run-none" };
      const stage = touching(["changed aws_instance.web"], { executionId: "run-none" });
      const query = { stages: [stage], refs: [elsewhere], grant: { cloudAccounts: ["111"] } };
      expect(await readFact("savings", platform, query)).toEqual({ state: "unknown", reason: "not_indexed" });
    });
  });

  describe("the advice of a saving", () => {
    const OWN = "https://platform.example/ng/recommendations/1";
    it.each<[string, unknown, string | null, object]>([
      [
        "of a virtual machine",
        {
          current: { instanceFamily: "m5.2xlarge" },
          sameFamilyRecommendation: { instanceFamily: "m5.large" },
        },
        OWN,
        { advice: { current: "m5.2xlarge", recommended: ["m5.large"], terminate: false }, page: OWN },
      ],
      [
        "of two choices, one of which is no change",
        {
          current: { vmSize: "D4" },
          target: { vmSize: "D2" },
          crossFamilyRecommendation: "E2",
          sameFamilyRecommendation: { vmSize: "D4" },
        },
        "https://elsewhere.example/",
        { advice: { current: "D4", recommended: ["D2", "E2"], terminate: false } },
      ],
      [
        "of what is not needed",
        { current: { instanceFamily: "t2.micro" }, showTerminated: true },
        "javascript:alert(1)",
        { advice: { current: "t2.micro", recommended: [], terminate: true } },
      ],
      ["in words that are not known", { current: { size: 4 }, target: 7, showTerminated: "yes" }, null, {}],
      ["that is not stated", undefined, null, {}],
    ])("%s", async (_, recommendationDetails, recommendationLink, expected) => {
      const more = { monthlySaving: 40.5, recommendationDetails, recommendationLink };
      await imports(world, [saving("r-log", "log", more)]);
      const fact = await readFact("savings", platform, {
        stages: [touching(["changed aws_instance.log"])],
        grant: { cloudAccounts: ["111"] },
      });
      const [{ recommendationId, address, workspace, resourceType, change, monthly, ...told } = {}] =
        fact?.state === "known" ? (fact.value.items as readonly Partial<Saving>[]) : [];
      expect([recommendationId, told]).toEqual(["r-log", expected]);
    });

    it("has no page where the platform is embedded", async () => {
      const link = { monthlySaving: 1, recommendationLink: OWN };
      await imports(world, [saving("r-log", "log", link)]);
      const fact = await readFact("savings", platform, {
        stages: [touching(["changed aws_instance.log"])],
        grant: { cloudAccounts: ["111"] },
        operator: { embedded: true },
      });
      expect(JSON.stringify(fact)).not.toContain("platform.example");
    });
  });

  describe("anomalies", () => {
    const read = (perspective: string, from = platform) =>
      readFact("anomalies", from, {
        grant: { perspectives: [perspective] },
        operator: { anomaliesPage: "https://platform.example/anomalies" },
      });
    const open = (id: string, more: object) =>
      anomaly(id, { perspectiveId: "shop", anomalousSpend: 10, ...more });

    it("are the active ones of granted perspectives, counted, the most expensive named", async () => {
      const lines = [
        ...[1, 2, 3, 4, 5, 6].map((n) =>
          open(`a-${n}`, { anomalousSpend: n * 10.5, resourceName: `vm-${n}` }),
        ),
        open("a-ignored", { status: "IGNORED", anomalousSpend: 9_999 }),
        open("a-secret", { perspectiveId: "payroll", anomalousSpend: 9_999 }),
      ];
      await bring(world, anomalyImport, { lines });
      const fact = await read("shop");
      expect(fact).toMatchObject({
        state: "known",
        value: {
          ...{ count: 6, impact: { amount: "220.5", currency: "USD" } },
          page: "https://platform.example/anomalies",
        },
      });
      expect(fact?.state === "known" && fact.value.items.map(({ resource }) => resource)).toEqual([
        "vm-6",
        "vm-5",
        "vm-4",
        "vm-3",
        "vm-2",
      ]);
      expect(JSON.stringify(fact)).not.toMatch(/secret|\b9999\b/);
    });

    it("cost an unknown amount in all where one states none, and say since when and how critical", async () => {
      const lines = [
        anomaly("c-1", { perspectiveId: "club", time: START_MS, criticality: "CRITICAL", anomalousSpend: 9 }),
        anomaly("c-2", { perspectiveId: "club", time: null, criticality: null }),
      ];
      await bring(world, anomalyImport, { lines });
      const silent: PlatformClient = {
        ...platform,
        call: async (endpoint, input) => {
          const answer = await platform.call(endpoint, input);
          return JSON.parse(JSON.stringify(answer).replace('"anomalousSpend":50', '"anomalousSpend":null'));
        },
      };
      const fact = await read("club", silent);
      expect(fact).toMatchObject({ state: "known", value: { count: 2, impact: null } });
      expect(fact?.state === "known" && fact.value.items).toEqual([
        { id: "c-2", resource: "c-2", perspective: null, spend: null },
        expect.objectContaining({ id: "c-1", sinceMs: START_MS, criticality: "CRITICAL" }),
      ]);
    });

    it("of a quiet perspective are none, which is known", async () => {
      expect(await read("quiet")).toMatchObject({
        state: "known",
        value: { count: 0, impact: { amount: "0", currency: "USD" }, items: [] },
      });
    });

    it("of perspectives that were not requested are rejected", async () => {
      const careless: PlatformClient = {
        ...platform,
        call: (endpoint, input) =>
          platform.call(
            endpoint,
            JSON.parse(JSON.stringify(input), (key, value) => (key === "perspectiveIds" ? undefined : value)),
          ),
      };
      expect(await read("shop", careless)).toEqual({
        state: "unknown",
        reason: "malformed",
      });
    });
  });

  describe("governance", () => {
    const NOW = START_MS + 10 * DAY_MS;
    const line = (id: string, day: number, more: object) => ({
      id,
      time: NOW - day * DAY_MS,
      cloudProvider: "CLOUD_1",
      ...more,
    });
    const read = (
      nowMs: number,
      clouds: ContextGrant["clouds"] = ["CLOUD_1"],
      passingStatuses: ReadonlySet<string> = PASSING,
    ) =>
      readFact("governance", platform, {
        grant: { clouds },
        operator: { costCurrency: "USD", passingStatuses },
        nowMs,
      });

    it("uses the newest day of the granted clouds; a status that is not known to pass counts as failed", async () => {
      const lines = [
        line("old", 3, { status: "FAILED" }),
        line("ok-1", 1, { status: "SUCCESS" }),
        line("ok-2", 1, { status: "SUCCESS" }),
        line("bad", 1, { status: "FAILED" }),
        line("odd", 1, { status: "PARTIAL_SUCCESS" }),
        line("other", 1, { status: "FAILED", cloudProvider: "CLOUD_2" }),
      ];
      await bring(world, evaluationImport, { lines });
      const day = new Date(NOW - DAY_MS).toISOString().slice(0, 10);
      expect(await read(NOW)).toEqual({
        state: "known",
        value: { day, failed: 2, total: 4, statuses: { SUCCESS: 2, FAILED: 1, PARTIAL_SUCCESS: 1 } },
      });
      const lenient = await read(NOW, ["CLOUD_1"], new Set(["SUCCESS", "PARTIAL_SUCCESS"]));
      expect(lenient).toMatchObject({ value: { failed: 1, total: 4 } });
    });

    it("is stale when the engine stopped, and absent after weeks or where nothing is governed", async () => {
      expect(await read(NOW + 5 * DAY_MS)).toMatchObject({
        state: "stale",
        ageMs: 5 * DAY_MS,
        value: { failed: 2 },
      });
      expect(await read(NOW + 60 * DAY_MS)).toEqual({ state: "absent" });
      expect(await read(NOW, ["CLOUD_3"])).toEqual({ state: "absent" });
    });
  });

  describe("unit costs", () => {
    const verbs = verbsOf(() => world);
    const read = (
      more: object = {},
      stages: readonly StageFacts[] = [touching([], { cost: known(cost("100 > 150")) })],
    ) =>
      readFact("unitCosts", platform, {
        grant: { unitMetrics: [{ ...METRIC, ...more }] },
        stages,
        nowMs: START_MS + 20 * DAY_MS,
      });

    beforeAll(async () => {
      const metric = (metricIdentifier: string, over: object = {}) =>
        verbs.create({ metricIdentifier, metricName: `Name of ${metricIdentifier}`, ...over });
      await metric("cost-per-order", {
        unitMetricRecords: [record("2026-01-02T00:00:00Z", 9), record("2026-01-12T00:00:00Z", 0.3)],
      });
      await metric("gaps", {
        handleEmptyValue: "ZERO",
        unitMetricRecords: [record("2026-01-05T00:00:00Z", 2)],
      });
      await metric("adds-up", {
        defaultAggregation: "SUM",
        unitMetricRecords: [record("2026-01-20T12:00:00Z", 8), record("2026-01-21T00:00:00Z", 1)],
      });
      await metric("silent");
    });

    it.each<[string, object, object]>([
      [
        "its newest value, grown as its workspaces' cost does",
        {},
        { before: "0.3", after: "0.45", asOf: "2026-01-12T00:00:00Z" },
      ],
      [
        "zeros of days without a value are none",
        { metric: "gaps" },
        { before: "2", asOf: "2026-01-05T00:00:00Z" },
      ],
      ["today is not over for one that adds up", { metric: "adds-up" }, { before: "8" }],
      ["one without values is not known", { metric: "silent" }, { before: null, after: null, asOf: null }],
      [
        "one of unknown workspaces is not shown for after merging",
        { workspaces: null },
        { before: "0.3", after: null },
      ],
    ])("%s", async (_, more, expected) => {
      expect(await read(more)).toMatchObject({ state: "known", value: [{ currency: "USD", ...expected }] });
    });

    it("that do not exist are absent", async () => {
      expect(await read({ metric: "nobody-made-it" })).toEqual({ state: "absent" });
    });
  });

  describe("schedules", () => {
    const read = (from: PlatformClient) => readFact("schedules", from, {});
    const put = (kind: string, json: object) =>
      world.call("PUT", `/api/orgs/acme/projects/payments/settings/${kind}`, { json });

    it("are those of the provisioners for which the platform acts", async () => {
      const drift = { run_every: 2, run_every_unit: "hours" };
      const ephemeral = { ttl_value: 3, ttl_unit: "days", destroy_on_date: "2026-05-01" };
      const acting: Pick<PlatformClient, "call"> = {
        // biome-ignore lint/suspicious/noExplicitAny: answers of two operations
        call: async ({ operation }, { query }: any): Promise<any> => {
          const { provisioner } = query;
          const config = operation === "get-drift-config" ? drift : ephemeral;
          const enabled = provisioner === "iac_tool_2";
          return { ok: true, value: { enabled, provisioner, ...(enabled ? config : {}) } };
        },
      };
      expect(await read({ ...platform, ...acting })).toEqual({
        state: "known",
        value: [
          {
            org: "acme",
            project: "payments",
            provisioner: "iac_tool_2",
            driftEveryMs: 7_200_000,
            lifetime: { ms: 259_200_000, onDate: "2026-05-01" },
          },
        ],
      });
    });

    it("of the embedded platform are absent, whatever is configured: nothing acts on it", async () => {
      const tool = { pipeline_id: "p", provisioner: "iac_tool_2" };
      await put("drift-config", { ...tool, run_every: 2, run_every_unit: "hours" });
      await put("ephemeral-config", { ...tool, destroy_delay_value: 3, destroy_delay_unit: "days" });
      expect(await read(platform)).toEqual({ state: "absent" });
    });

    it("of a service that answers 404 for none are absent", async () => {
      expect(await read(failing("not_found"))).toEqual({ state: "absent" });
    });
  });
});
