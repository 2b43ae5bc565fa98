import type { ContextQuery } from "../../src/evaluate/facts/context-query.ts";
import { readContext } from "../../src/evaluate/facts/read-context.ts";
import type { ContextGrant } from "../../src/evaluate/run/operator-rules.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createPlatformClient, type PlatformClient } from "../../src/platform/client.ts";
import type { Endpoint } from "../../src/platform/contract/endpoint.ts";
import { createFailure, type Failure } from "../../src/platform/errors.ts";
import type { ContextFacts, ContextName } from "../../src/report/model/context.ts";
import type { StageFacts } from "../../src/report/model/facts.ts";
import { ACCOUNT, type PlatformWorld, START_MS } from "../platform-server/platform-world.ts";
import { commit, createStage, upload } from "../platform-server/stories.ts";
import { counts, known, row, stage } from "../report/facts.ts";

/** A client of the platform in a world, as the bot has one. */
export const clientOf = (world: PlatformWorld): PlatformClient =>
  createPlatformClient({
    url: world.url,
    token: world.key,
    account: ACCOUNT,
    dialect: "neutral",
    clock: systemClock,
    random: () => 0.5,
    sleep: async () => {},
  });

/** A platform that fails in one way, and what it was asked. */
export function failing(kind: Failure["kind"]): PlatformClient & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    call: async (endpoint: Endpoint) => {
      asked.push(endpoint.operation);
      return { ok: false, failure: createFailure(kind, "no") };
    },
    close: async () => {},
  };
}

/** The stage that the world's uploads belong to. */
export const REF = {
  org: "acme",
  project: "payments",
  pipeline_execution_id: "run-1",
  pipeline_stage_id: "stage-1",
};

/** No repository may see anything beside its projects. */
export const NO_GRANT: ContextGrant = {
  perspectives: [],
  cloudAccounts: [],
  clouds: [],
  unitMetrics: [],
  measuredPerspectives: [],
};

/** Reads one fact around a pull request with that stage. */
export async function readFact<Name extends ContextName>(
  name: Name,
  platform: PlatformClient,
  {
    grant,
    operator,
    stages = [touching(["changed a.b"])],
    ...more
  }: Partial<Omit<ContextQuery, "grant" | "operator" | "stages">> & {
    readonly grant?: Partial<ContextGrant>;
    readonly operator?: Partial<ContextQuery["operator"]>;
    readonly stages?: readonly StageFacts[] | Promise<readonly StageFacts[]>;
  },
): Promise<ContextFacts[Name] | undefined> {
  const read = await readContext([name], {
    platform,
    grant: { ...NO_GRANT, ...grant },
    operator: {
      ...{ costCurrency: "USD", passingStatuses: new Set(["SUCCESS"]) },
      ...{ anomaliesPage: null, platformHosts: ["platform.example"], embedded: false },
      ...operator,
    },
    refs: [REF],
    stages: Promise.resolve(stages),
    hasRefused: false,
    nowMs: START_MS,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    ...more,
  });
  return read[name];
}

/** Facts of that stage with these rows: `"changed aws_instance.web"`. */
export function touching(rows: readonly string[], but: Partial<StageFacts> = {}): StageFacts {
  const parsed = rows.map((text) => {
    const [change = "", address = ""] = text.split(" ");
    return row(address, change as Parameters<typeof row>[1]); // a test names kinds that exist
  });
  return stage({
    workspace: "prod-network",
    org: "acme",
    project: "payments",
    executionId: "run-1",
    stageExecutionId: "stage-1",
    counts: known(counts()),
    rows: known({ rows: parsed, omitted: 0, unread: 0 }),
    ...but,
  });
}

/** Rows of a committed stage: planned, drifted, and what the state holds before. */
export async function uploadsStage(
  world: PlatformWorld,
  rows: {
    readonly planned?: readonly object[];
    readonly drift?: readonly object[];
    readonly resources?: readonly object[];
    readonly outputs?: readonly object[];
  },
): Promise<void> {
  const { planned = [], drift = [], resources = [], outputs = [] } = rows;
  await createStage(world);
  const pages = Object.entries({ planned_changes: planned, drift_changes: drift, resources, outputs });
  for (const [category, elements] of pages) {
    if (elements.length > 0) expectOk(await upload(world, `${category}/1`, elements));
  }
  expectOk(await commit(world));
}

function expectOk({ status, body }: { readonly status: number; readonly body: unknown }): void {
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
}
