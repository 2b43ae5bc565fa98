import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../src/kernel/clock.ts";
import { createPlatformClient, type PlatformClient } from "../../src/platform/client.ts";
import type { CodePlace, CostChangeBody } from "../../src/platform/contract/cost-changes.ts";
import type { ClientInput, Endpoint } from "../../src/platform/contract/endpoint.ts";
import { createExecution, recordAuditEvent } from "../../src/platform/contract/executions.ts";
import { ingest } from "../../src/platform/contract/own-operations.ts";
import { uploadChangeCounts, uploadChangePage } from "../../src/platform/contract/resource-changes.ts";
import { createToken, type TokenGrant } from "../../src/store/tokens.ts";
import { NAME, OWNER, REPOSITORY, type Surroundings } from "./places.ts";

/** One resource of a plan. */
interface PlannedChange {
  readonly address: string;
  readonly change: "added" | "changed" | "deleted";
  /** What its cloud calls it, if it exists before. */
  readonly cloudId?: string;
  /** How its attributes change. */
  readonly attributes?: Readonly<Record<string, { old?: unknown; new?: unknown; sensitive?: boolean }>>;
}

/** What a pipeline finds out. Amounts are texts per month; left out: no estimate. */
export interface Run {
  readonly sha: string;
  readonly workspace?: string;
  readonly org?: string;
  readonly project?: string;
  readonly cost?: {
    readonly before: string;
    readonly after: string;
    readonly change: string;
    readonly currency?: string;
  };
  /** The changes by resource; left out: none is listed. */
  readonly diff?: CostChangeBody["diff"];
  /** The tags of resources, by address, the same before and after. */
  readonly tags?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly completeness?: "complete" | "partial";
  /** Resources that are paid by usage that nobody stated, and new. */
  readonly usageBased?: readonly string[];
  readonly changes?: readonly PlannedChange[];
  /** What the plan leaves to a later one. */
  readonly deferred?: readonly PlannedChange[];
  /** Addresses of the actions that the plan invokes. */
  readonly invocations?: readonly string[];
  /** Where resources stand in the code, by address. */
  readonly places?: Readonly<Record<string, CodePlace>>;
  /** `nothing`: one state was estimated. */
  readonly comparison?: "past" | "nothing";
  /** How it ends; null: it does not yet. */
  readonly status?: "success" | "failure" | null;
  /** How the commit is made known: by ingestion, by a status of the trusted poster, by an audit event, or not at all. */
  readonly bind?: "ingest" | "status" | "audit" | "none";
  readonly executionId?: string;
  /** True: it states that there is nothing to plan, without costs and changes. */
  readonly nothingToPlan?: true;
}

type Stage = ClientInput<typeof uploadChangeCounts>["params"];

/** A CI that runs pipelines on the embedded platform. */
export class Ci {
  readonly #world: Surroundings;
  #platform: PlatformClient | null = null;

  constructor(world: Surroundings) {
    this.#world = world;
  }

  executionUrl(executionId: string, { org = OWNER, project = NAME, account = "acc" } = {}): string {
    const path = `orgs/${org}/projects/${project}/pipelines/infra/executions/${executionId}/pipeline`;
    return `${this.#world.bot.url}/ng/account/${account}/module/iacm/${path}`;
  }

  token(grant: Pick<TokenGrant, "purpose">): Promise<string> {
    const bound = { account: "acc", repositoryId: this.#world.repositoryId, org: OWNER, project: NAME };
    const { store } = this.#world.bot.session;
    return createToken(store.db, { ...bound, ...grant } as TokenGrant, systemClock).then(
      ({ secret }) => secret,
    ); // an api token ignores the rest
  }

  /** Posts a status under an execution's URL, by the trusted poster unless said otherwise. */
  posts(status: {
    sha: string;
    executionId: string;
    state: "pending" | "success" | "failure";
    creator?: string;
    url?: string;
  }) {
    const { sha, executionId, state, creator = "ci" } = status;
    const targetUrl = status.url ?? this.executionUrl(executionId);
    return this.#world.github.postStatus({
      repository: REPOSITORY,
      sha,
      context: "infra-plan",
      state,
      targetUrl,
      creator,
    });
  }

  /** Runs a pipeline; its execution id comes back. */
  async runs(run: Run): Promise<string> {
    const { sha, workspace = "production", org = OWNER, project = NAME, bind = "ingest" } = run;
    const executionId = run.executionId ?? randomUUID();
    const ids = { pipeline_execution_id: executionId, pipeline_stage_id: `${executionId}-plan` };
    const stage = { org, project, ...ids };
    await this.#call(createExecution, {
      params: { org, project },
      body: { pipeline: "infra", workspace, ...ids },
    });
    if (bind === "status") this.posts({ sha, executionId, state: "pending" });
    if (run.changes !== undefined) await this.#uploads(stage, run.changes, run);
    if (bind === "audit") {
      const repo_url = `https://github.com/${REPOSITORY}.git`;
      const git_audit_data = { hash: sha, name: "main", repo_url, type: "branch" };
      await this.#call(recordAuditEvent, { params: stage, body: { audit: { git_audit_data } } });
    }
    if (run.status !== null) await this.#ends(stage, { ...run, workspace, executionId, bind });
    return executionId;
  }

  async #ends(stage: Stage, run: Run & { workspace: string; executionId: string }): Promise<void> {
    const { sha, status = "success", bind, executionId, nothingToPlan } = run;
    const ended = status ?? "success";
    const figures =
      run.cost === undefined ? {} : { cost: costChange(run, run), modules: { root: costChange(run, run) } };
    const commit = bind === "ingest" ? { commit: { repository: REPOSITORY, sha } } : {};
    const statement = nothingToPlan && { no_changes: nothingToPlan };
    await this.#call(ingest, { body: { ...stage, status: ended, ...figures, ...commit, ...statement } });
    if (bind === "status") this.posts({ sha, executionId, state: ended });
  }

  async #uploads(
    stage: Stage,
    changes: readonly PlannedChange[],
    { deferred = [], invocations = [] }: Pick<Run, "deferred" | "invocations">,
  ): Promise<void> {
    const order = ["deleted", "added", "changed"];
    const sorted = [...changes].sort((a, b) => order.indexOf(a.change) - order.indexOf(b.change));
    const rows = sorted.map(({ address, change, attributes }) => ({
      ...rowOf(address),
      change,
      ...(attributes && { changes: attributes }),
    }));
    const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    await this.#call(uploadChangePage, {
      params: { ...stage, category: "planned_changes", page: 1 },
      body: bytes(rows),
    });
    const existing = changes.flatMap(({ cloudId, address }) =>
      cloudId === undefined ? [] : [{ ...rowOf(address), resource_id: cloudId }],
    );
    if (existing.length > 0)
      await this.#call(uploadChangePage, {
        params: { ...stage, category: "resources", page: 1 },
        body: bytes(existing),
      });
    const count = (kind: string) => changes.filter(({ change }) => change === kind).length;
    const byType = {
      added: count("added"),
      changed: count("changed"),
      deleted: count("deleted"),
      unchanged: 0,
    };
    const counts = {
      PlannedTotal: changes.length,
      PlannedByChangeType: byType,
      Drift: 0,
      Resources: existing.length,
      DataSources: 0,
      Outputs: 0,
      PlanNotes: {
        incomplete: deferred.length === 0 ? null : { deferred, more: 0 },
        invocations: { listed: invocations.map(invocationOf), more: 0 },
        failedChecks: { listed: [], more: 0 },
      },
    };
    await this.#call(uploadChangeCounts, { params: stage, body: bytes(counts) });
  }

  async #call<E extends Endpoint>(endpoint: E, input: ClientInput<E>): Promise<void> {
    this.#platform ??= createPlatformClient({
      url: this.#world.bot.url,
      token: await this.token({ purpose: "api" }),
      account: "acc",
      dialect: "neutral",
      clock: systemClock,
      random: Math.random,
      sleep: (ms) => sleep(ms),
      ...(this.#world.transport && { transport: this.#world.transport }),
    });
    const answer = await this.#platform.call(endpoint, input);
    if (!answer.ok)
      throw new Error(`${endpoint.operation}: ${answer.failure.kind} ${answer.failure.message}`);
  }
}

const invocationOf = (address: string) => ({
  address,
  type: address.split(".").at(-2) ?? "",
  module: "root",
  resource: "aws_instance.web",
  event: "AfterCreate",
});

function rowOf(address: string) {
  const [type = "aws_thing", name = "this"] = address.split(".").slice(-2);
  return { provider: "aws", type, name, module: "root", resource_address: address };
}

function costChange(
  { cost, diff = {}, completeness = "complete", comparison = "past", usageBased = [], places, tags }: Run,
  of: { workspace: string; executionId: string },
): CostChangeBody {
  if (cost === undefined) throw new Error("there is no cost");
  const { before, after, change, currency = "USD" } = cost;
  const past = comparison === "past" ? { before, change } : { before: null, change: null };
  return {
    currency,
    diff,
    total_monthly_cost: after,
    past_total_monthly_cost: past.before,
    diff_total_monthly_cost: past.change,
    percentage_change_total_monthly_cost: null,
    stage_execution_id: `${of.executionId}-plan`,
    stage_id: "plan",
    workspace_id: of.workspace,
    estimate: {
      completeness,
      comparison,
      problems: completeness === "partial" ? ["one module failed"] : [],
      unpriced: {},
      usage: {
        resources: usageBased.map((address) => ({ address, type: rowOf(address).type, change: "added" })),
        unnamed: 0,
        unnamed_unchanged: 0,
      },
      ...(places !== undefined && { places }),
      ...(tags !== undefined && {
        resources: Object.entries(tags).map(([address, values]) => ({
          ...{ address, type: rowOf(address).type },
          tags: { after: { values, complete: true } },
        })),
      }),
      parts: "changed",
    },
  };
}
