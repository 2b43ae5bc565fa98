import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlatformClient, type PlatformClient } from "../../src/platform/client.ts";
import type { ClientInput } from "../../src/platform/contract/endpoint.ts";
import { contract, executions } from "../../src/platform/contract/registry.ts";
import type { DialectName } from "../../src/platform/contract/wire/dialect.ts";
import type { PlatformResult } from "../../src/platform/errors.ts";
import { usualEngines } from "../world/engines.ts";
import { ACCOUNT, openPlatform, type PlatformWorld } from "./platform-world.ts";
import { change, cost, countsOf } from "./stories.ts";

const project = { org: "acme", project: "payments" };
const execution = { ...project, pipeline_execution_id: "run-1" };
const stage = { ...execution, pipeline_stage_id: "stage-1" };
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const BOTH = usualEngines().flatMap((engine) =>
  (["neutral", "live"] as const).map((dialect) => ({ engine, dialect, name: engine.name })),
);

describe.each(BOTH)(
  "our client in the $dialect dialect, against the server on $name",
  ({ engine, dialect }) => {
    let world: PlatformWorld;
    let client: PlatformClient;
    const open = (token: string, name: DialectName = dialect) =>
      createPlatformClient({
        url: world.url,
        token,
        account: ACCOUNT,
        dialect: name,
        clock: world.clock,
        random: () => 0,
        sleep: async () => {},
      });
    beforeAll(async () => {
      world = await openPlatform(engine);
      client = open(world.key);
    });
    afterAll(async () => {
      await client.close();
      await world.close();
    });

    it.each(["shop floor", "a/b", "../..", "%2e%2e", "ünï 雲", "a?b#c&d=e", "+", "a".repeat(128)])(
      "reads back what it wrote into org and project %j",
      async (name) => {
        const params = { org: name, project: name };
        const { pipeline_execution_id, pipeline_stage_id } = stage;
        const body = { pipeline: "deploy", pipeline_execution_id, pipeline_stage_id, workspace: "w" };
        const created = await client.call(executions.createExecution, { params, body });
        expect(created).toMatchObject({ ok: true, value: params });
        const listed = await client.call(executions.listExecutions, { params });
        expect(listed).toMatchObject({ ok: true, value: [params] });
      },
    );

    it("calls every endpoint of the executions and understands every answer", async () => {
      const { createExecution, recordAuditEvent, uploadChangePage, uploadChangeCounts, ...others } =
        executions;
      const { ingest, getPushDisabled, listChanges } = contract;
      const reads = { ...others, getPushDisabled, listChanges };
      const { pipeline_execution_id, pipeline_stage_id } = stage;
      const created = await client.call(createExecution, {
        params: project,
        body: { pipeline: "deploy", pipeline_execution_id, pipeline_stage_id, workspace: "prod-network" },
      });
      expect(created).toMatchObject({ ok: true, value: { status: "none", account: ACCOUNT } });
      const git_audit_data = {
        hash: "a".repeat(40),
        name: "main",
        repo_url: "git@github.com:acme/payments.git",
        type: "branch",
      };
      const planned_changes = [change("deleted", "db"), change("added", "web")];
      const writes = [
        await client.call(recordAuditEvent, { params: stage, body: { audit: { git_audit_data } } }),
        await client.call(uploadChangePage, {
          params: { ...stage, category: "planned_changes", page: 1 },
          body: bytes(planned_changes),
        }),
        await client.call(uploadChangePage, {
          params: { ...stage, category: "planned_changes", page: 1 },
          query: { change: "added" },
          body: bytes([change("added", "web")]),
        }),
        await client.call(uploadChangeCounts, { params: stage, body: bytes(countsOf({ planned_changes })) }),
        await client.call(ingest, {
          body: { ...stage, status: "success", cost: cost("120.005"), modules: { root: cost("120.005") } },
        }),
      ];
      expect(writes.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);

      const planned = { ...stage, category: "planned_changes" } as const;
      const inputs: { [K in keyof typeof reads]: ClientInput<(typeof reads)[K]> } = {
        getExecution: { params: stage },
        listExecutions: { params: project, query: { status: ["success"], limit: 5 } },
        listChangeRows: { params: planned, query: { type: ["aws_instance", "aws_vpc"], search: "WEB" } },
        getChangeRow: { params: { ...planned, ordinal: 0 } },
        countChangeFilters: { params: stage, query: { category: ["planned_changes"] } },
        getCostChange: { params: execution },
        listStageCosts: { params: execution },
        listModuleCosts: { params: execution },
        getPushDisabled: { params: project },
        listChanges: { params: execution },
      };
      const answers: Record<string, unknown> = {};
      for (const name of Object.keys(reads) as (keyof typeof reads)[]) {
        const outcome = await client.call<(typeof reads)[typeof name]>(reads[name], inputs[name]);
        answers[name] = outcome.ok ? outcome.value : outcome.failure;
      }
      expect(answers).toMatchObject({
        getExecution: { status: "success" },
        listExecutions: [{ pipeline_execution_id: "run-1" }],
        listChangeRows: { totalItems: 1, rows: [{ name: "web", ordinal: 1 }] },
        getChangeRow: { name: "db", attributes: {} },
        countChangeFilters: { change_types: { added: 1, deleted: 1 }, types: { aws_instance: 2 } },
        getCostChange: { total_monthly_cost: "120.005" },
        listStageCosts: [{ total_monthly_cost: "120.005" }],
        listModuleCosts: [{ modules: { root: { total_monthly_cost: "120.005" } } }],
        getPushDisabled: { disabled: false },
        listChanges: { planned_changes: [{ name: "db" }, { name: "web" }] },
      });
    });

    it("reads the server's refusals as what they are", async () => {
      const { getExecution, getChangeRow, uploadChangePage } = contract;
      const kind = async (call: Promise<PlatformResult<unknown>>) => {
        const outcome = await call;
        return outcome.ok ? "ok" : outcome.failure.kind;
      };
      const missing = { params: { ...stage, pipeline_stage_id: "other" } };
      expect(await kind(client.call(getExecution, missing))).toBe("not_found");
      const row = { params: { ...stage, category: "outputs", ordinal: 3 } } as const;
      expect(await kind(client.call(getChangeRow, row))).toBe("not_found");
      const page = {
        params: { ...stage, category: "outputs", page: 1 },
        body: bytes([{ name: "late" }]),
      } as const;
      expect(await kind(client.call(uploadChangePage, page))).toBe("rejected");
      const wrong = open("tg_0000000000000000_".padEnd(63, "A"));
      expect(await kind(wrong.call(getExecution, { params: stage }))).toBe("unauthorised");
      const bound = {
        purpose: "import",
        account: ACCOUNT,
        repositoryId: 1,
        org: "acme",
        project: "other",
      } as const;
      const narrow = open(await world.token(bound));
      expect(await kind(narrow.call(getExecution, { params: stage }))).toBe("forbidden");
      await Promise.all([wrong.close(), narrow.close()]);
    });
  },
);
