import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { describeDelivery } from "../../deliveries/handle.ts";
import { queuedDelivery } from "../../deliveries/queued-delivery.ts";
import { selectGrants } from "../../evaluate/facts/grants.ts";
import { requireRead, toDecimal, UnreadError, unknown } from "../../evaluate/facts/platform-facts.ts";
import type { JobDeps } from "../../evaluate/run/deps.ts";
import type { GitHubApp } from "../../github/app.ts";
import { resolveGitHubPagesUrl } from "../../github/client/guarded-fetch.ts";
import { toResult } from "../../github/client/read-answer.ts";
import type { FileState } from "../../github/head/head-state.ts";
import { type BranchPolicy, readBranchPolicy } from "../../github/head/policy-file.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { sum } from "../../kernel/money.ts";
import { VERSION } from "../../package/version.ts";
import { recommendations } from "../../platform/contract/recommendations.ts";
import type { StoredDelivery } from "../../queue/inspection.ts";
import { enqueueLane } from "../../queue/queue.ts";
import { createPageTexts } from "../../render/page-sections.ts";
import type { Fact } from "../../report/model/facts.ts";
import type { Settings } from "../../settings/read.ts";
import { listFigureRepositories } from "../../store/history/readable.ts";
import { doInTurn } from "../../store/replicas/turns.ts";
import { findRepository, listInstallationRepositories } from "../../store/repositories.ts";
import { discoverInstallation, discoverPulls } from "../../sweep/sweep.ts";
import { createApiRoutes } from "../../web/api/routes.ts";
import type { Health } from "../../web/health.ts";
import { createAssetRoutes } from "../../web/page/assets.ts";
import { setPageHeaders } from "../../web/page/frame.ts";
import type {
  AppliedSavings,
  BranchFile,
  BranchFiles,
  DeliveryOutcome,
  OperatorAccess,
  OperatorState,
  PageDeps,
  PolicyAccess,
} from "../../web/page/page.ts";
import { createPages, PAGE_PATHS } from "../../web/pages/routes.ts";
import { createFindReader } from "../../web/sign-in/find-reader.ts";
import { createGuard } from "../../web/sign-in/guard.ts";
import { createSignInRoutes, SIGN_IN_PATHS } from "../../web/sign-in/routes.ts";
import { formatOwnAddress } from "../github.ts";
import { createClientAddresses } from "../http/client-addresses.ts";
import type { InspectedSession } from "../process/store-session.ts";
import { loadOperatorTemplates, loadTemplates } from "../process/templates.ts";
import { connectPeople, type SignInParts } from "../sign-in.ts";
import type { GitHubUsage } from "../telemetry/github-usage.ts";
import type { FailedCalls } from "../telemetry/observe-bot.ts";
import { buildExecutionAccess } from "./execution-access.ts";

/** Longest body of a request for a page, in bytes. */
const MAX_BODY = 256 * 1024;

export type PeoplePageParts = SignInParts & OperatorParts;

export function createPeoplePages(settings: Settings, parts: PeoplePageParts): Hono {
  const { clock, store } = parts.session;
  const { db } = store;
  const people = connectPeople(settings, parts);
  const addresses = createClientAddresses(settings.trustedProxies);
  const { publicUrl, host, port } = settings;
  const guard = { clock, publicUrl, getClient: addresses.getClient.bind(addresses), people };
  const findReader = createFindReader({ db, clock, account: settings.platform.account, people });
  const github = resolveGitHubPagesUrl(settings.githubUrl);
  const deps = {
    ...{ db, clock, github },
    texts: createPageTexts(loadTemplates(), loadOperatorTemplates(settings.templatesDirectory, parts.log)),
    policies: buildPolicyAccess(parts.deps),
    readAppliedSavings: createAppliedSavingsReader(parts.deps),
    executions: buildExecutionAccess(parts.deps),
    operator: buildOperatorAccess(parts),
    fiscalYearStarts: parts.deps.operator.fiscalYearStarts,
    publicUrl: publicUrl ?? formatOwnAddress(host, port),
    onError: (error: unknown) => parts.log.error({ error }, "an answer ended early"),
  };
  const app = new Hono();
  app.route("/", createAssetRoutes());
  const guards = [bodyLimit({ maxSize: MAX_BODY }), ...createGuard(guard)];
  for (const path of [...PAGE_PATHS, ...SIGN_IN_PATHS, API_PATH]) app.use(path, setPageHeaders(), ...guards);
  app.route("/", createSignInRoutes({ ...guard, people, log: parts.log }));
  app.route("/", createApiRoutes(deps, findReader));
  return app.route("/", createPages(deps, findReader));
}

const API_PATH = "/api/v1/*";

interface OperatorParts {
  readonly deps: JobDeps;
  readonly session: Pick<InspectedSession, "store" | "queue" | "inspection">;
  readonly github: { readonly app: GitHubApp };
  readonly health: Health;
  readonly usage: Pick<GitHubUsage, "listPaused">;
  readonly failedCalls: Pick<FailedCalls, "list">;
  readonly log: Logger;
}

const MAX_DELIVERIES = 50;
const MAX_FAILED = 20;

const buildOperatorAccess = (parts: OperatorParts): OperatorAccess => ({
  readState: () => readState(parts),
  evaluate: (repositoryId, number) => enqueueLane(parts.deps, { kind: "pull", repositoryId, number }),
  sweep: (installationId) => {
    sweepInstallation(parts, installationId).catch((error: unknown) =>
      parts.log.error({ error, installation: installationId }, "the sweep that an admin asked for failed"),
    );
  },
  retryDelivery: (id) => parts.session.inspection.retryDelivery(id),
  record: ({ id, login }, action, details) =>
    parts.log.info({ admin: login, adminId: id, action, ...details }, "an admin used the operator's page"),
});

async function readState({ session, health, usage, failedCalls }: OperatorParts): Promise<OperatorState> {
  const { store, queue, inspection } = session;
  const [examined, queues, deliveries, failedWork] = await Promise.all([
    health.examineAll(),
    queue.countJobs(),
    inspection.listDeliveries(MAX_DELIVERIES),
    inspection.listFailedJobs(MAX_FAILED),
  ]);
  return {
    version: VERSION,
    node: process.version,
    database: store.engine.kind,
    parts: examined,
    queues: queues.filter(({ name }) => name !== "dead"), // its jobs are shown as failed work
    deliveries: deliveries.map(toOutcome),
    failedWork: failedWork.map(({ failedAt, ...work }) => ({ ...work, failedMs: failedAt.getTime() })),
    failedCalls: failedCalls.list(),
    pausedInstallations: usage.listPaused(),
  };
}

const STATES = {
  created: "waiting",
  retry: "again",
  active: "running",
  completed: "done",
  cancelled: "done",
  failed: "failed",
} as const;

function toOutcome({ id, data, state, receivedAt, problem }: StoredDelivery): DeliveryOutcome {
  const read = queuedDelivery.read(data);
  const {
    event = null,
    repository = null,
    pull = null,
  } = read.state === "read" ? describeDelivery(read.value) : {};
  return {
    id,
    event: event === null ? null : String(event),
    repository: repository === null ? null : String(repository),
    pull: pull === null ? null : Number(pull),
    state: STATES[state],
    receivedMs: receivedAt.getTime(),
    problem: state === "completed" ? null : problem,
  };
}

/** Reads an installation again, unless a process does so now. */
async function sweepInstallation({ deps, github }: OperatorParts, installationId: number): Promise<void> {
  const discovery = { ...deps, app: github.app };
  const work = `sweep of installation ${installationId}`;
  const turn = { work, holder: randomUUID(), leaseMs: MINUTE_MS, everyMs: 0, missedSinceMs: null };
  await doInTurn(deps.db, turn, async () => {
    await discoverInstallation(discovery, installationId);
    for (const repository of await listInstallationRepositories(deps.db, installationId))
      await discoverPulls(discovery, repository);
  });
}

/** Builds what the policy page needs: the files as the installation reads them, and the thread of proposed policies. */
const buildPolicyAccess = (deps: Pick<JobDeps, "db" | "github" | "operator" | "policies">): PolicyAccess => ({
  perform: deps.policies.proposed,
  readFiles: async ({ repositoryId, owner, name }) => {
    const repository = await findRepository(deps.db, repositoryId);
    if (repository === undefined) return null;
    const organisationPolicy = deps.operator.orgPolicy(owner);
    const request = { owner, name, repositoryId, organisationPolicy };
    const answer = await toResult(readBranchPolicy(deps.github(repository.installation_id), request));
    return answer.ok ? toBranchFiles(answer.value) : null;
  },
});

const toBranchFiles = (policy: BranchPolicy): BranchFiles => ({
  branch: policy.branch,
  repository: toBranchFile(policy.repository),
  organisation: toBranchFile(policy.organisation),
  organisationRepositoryId: policy.organisationRepositoryId,
});

function toBranchFile(file: FileState): BranchFile {
  if (file.state !== "found") return { state: file.state };
  return { state: "found", name: `${file.source.repository}:${file.source.path}`, text: file.text };
}

type ReaderDeps = Pick<JobDeps, "db" | "clock" | "operator" | "backgroundPlatform">;

/** Creates the reader of applied savings for pages. What is known is kept for five minutes; nothing is written. */
function createAppliedSavingsReader(deps: ReaderDeps): PageDeps["readAppliedSavings"] {
  const known = new LRUCache<string, Fact<AppliedSavings>>({ max: 200, ttl: 5 * MINUTE_MS });
  return async (repositoryIds, days) => {
    const repositories = await listFigureRepositories(deps.db, repositoryIds);
    const grants = repositories.flatMap((repository) => selectGrants(deps.operator, repository));
    const accounts = [...new Set(grants.flatMap(({ context }) => context.cloudAccounts))].sort();
    if (accounts.length === 0) return unknown("not_granted");
    const key = JSON.stringify([accounts, days]);
    const fact = known.get(key) ?? (await readAppliedSavings(deps, accounts, days));
    if (fact.state === "known") known.set(key, fact, { noUpdateTTL: true });
    return fact;
  };
}

/** What the platform counts as applied in these cloud accounts in the last days. */
export async function readAppliedSavings(
  {
    backgroundPlatform,
    clock,
    operator,
  }: Pick<JobDeps, "backgroundPlatform" | "clock"> & {
    readonly operator: Pick<JobDeps["operator"], "costCurrency">;
  },
  cloudAccountId: readonly string[],
  days: number,
): Promise<Fact<AppliedSavings>> {
  const appliedAtStartTime = clock.now() - days * DAY_MS;
  const base = { cloudAccountId: [...cloudAccountId], appliedAtStartTime };
  const body = {
    baseRecommendationFilterPropertiesDTO: { ...base, recommendationState: ["APPLIED" as const] },
  };
  try {
    const { data } = requireRead(await backgroundPlatform.call(recommendations.getAppliedStats, { body }));
    const amounts = data.flatMap(({ totalMonthlySaving }) => toDecimal(totalMonthlySaving) ?? []);
    const isStated = data.length === 0 || amounts.length > 0;
    const value = {
      recommendations: data.reduce((total, { count }) => total + count, 0),
      monthly: isStated ? { amount: sum(amounts), currency: operator.costCurrency } : null,
      isPartial: amounts.length < data.length,
    };
    return { state: "known", value };
  } catch (error) {
    if (error instanceof UnreadError) return unknown(error.reason);
    throw error;
  }
}
