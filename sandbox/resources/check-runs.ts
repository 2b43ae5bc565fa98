import { z } from "zod";
import {
  type ApiAnswer,
  ApiRefusal,
  type ApiRoute,
  answerList,
  created,
  forbidden,
  type JsonObject,
  notFound,
  ok,
  parseCallBody,
  parseId,
  type RepositoryCall,
  route,
} from "../api/call.ts";
import { readCommit } from "../state/git.ts";
import type {
  CheckConclusion,
  CheckRun,
  CheckRunOutput,
  CheckStatus,
  CheckSuite,
  Repository,
} from "../state/records.ts";
import {
  buildCommitKey,
  buildHeadKey,
  buildNodeId,
  getObjects,
  isInstalledOn,
  requireRepository,
  resolveActor,
  type World,
} from "../state/world.ts";
import { formatApp } from "./apps.ts";
import { resolveCommit } from "./commits.ts";
import { formatPullPlace } from "./pulls.ts";
import { deliverEvent, getRepositoryUrl } from "./repositories.ts";

export interface NewCheckRun {
  readonly repository: string;
  readonly sha: string;
  readonly appId: number;
  readonly name: string;
  /** Default "completed" with a conclusion, else "queued". */
  readonly status?: CheckStatus;
  readonly conclusion?: CheckConclusion;
  readonly detailsUrl?: string | null;
  readonly externalId?: string | null;
  readonly output?: Partial<CheckRunOutput>;
}

interface CheckRunMatch {
  readonly repository: string;
  readonly sha: string;
  readonly appId?: number;
  readonly name?: string;
}

/** Check runs and suites of commits. */
export const createCheckVerbs = (world: World) => ({
  /** Sends `check_run.created`; for a completed run also `check_run.completed` and `check_suite.completed`. */
  postCheckRun: (spec: NewCheckRun): CheckRun => {
    const { appId, name, sha: headSha, conclusion = null, detailsUrl = null, externalId = null } = spec;
    const repositoryId = requireRepository(world, spec.repository).id;
    const status = conclusion === null ? (spec.status ?? "queued") : "completed";
    const blank = buildBlankRun(world, { repositoryId, appId, name, headSha });
    const output = { ...blank.output, ...spec.output };
    return insertRun(world, { ...blank, status, conclusion, detailsUrl, externalId, output });
  },
  /** All runs of a commit, newest first. */
  checkRuns: ({ repository, sha, appId, name }: CheckRunMatch): readonly CheckRun[] =>
    world.checkRuns
      .group(buildCommitKey({ repositoryId: requireRepository(world, repository).id, sha }))
      .filter((run) => appId === undefined || run.appId === appId)
      .filter((run) => name === undefined || run.name === name)
      .toReversed(),
  /** A person presses "Re-run": sends `check_run.rerequested` to the App that made the run. */
  rerequestCheckRun: ({ checkRunId, by }: { checkRunId: number; by?: string }): void => {
    const run = world.checkRuns.require(checkRunId);
    emitRunEvent(world, run, "rerequested", { byId: resolveActorId(world, run, by) });
  },
  /** A person presses one of the run's buttons: sends `check_run.requested_action` to the App that made the run. */
  requestCheckAction: (spec: { checkRunId: number; identifier: string; by?: string }): void => {
    const run = world.checkRuns.require(spec.checkRunId);
    const extra = { requested_action: { identifier: spec.identifier } };
    emitRunEvent(world, run, "requested_action", { byId: resolveActorId(world, run, spec.by), extra });
  },
  /** A person presses "Re-run all checks": sends `check_suite.rerequested` to the App that made the suite. */
  rerequestCheckSuite: ({ checkSuiteId, by }: { checkSuiteId: number; by?: string }): void => {
    const suite = world.checkSuites.require(checkSuiteId);
    emitSuiteEvent(world, suite, "rerequested", resolveActorId(world, suite, by));
  },
});

const resolveActorId = (world: World, { repositoryId }: { repositoryId: number }, by: string | undefined) =>
  resolveActor(world, world.repositories.require(repositoryId), by).id;

type CheckRunFields = Omit<CheckRun, "id" | "suiteId">;

const buildBlankRun = (
  world: World,
  of: Pick<CheckRun, "repositoryId" | "appId" | "name" | "headSha">,
): CheckRunFields => ({
  ...of,
  status: "queued",
  conclusion: null,
  externalId: null,
  detailsUrl: null,
  startedAt: world.clock.now(),
  output: { title: null, summary: null, text: null },
  annotations: [],
  actions: [],
});

/** Inserts the run into its App's suite and sends "created". A completed run also sends "completed", once. */
function insertRun(world: World, row: CheckRunFields): CheckRun {
  const repository = world.repositories.require(row.repositoryId);
  const suite = getOrCreateSuite(world, { repository, sha: row.headSha, appId: row.appId });
  const run = world.checkRuns.insert({ ...row, id: world.nextId("run"), suiteId: suite.id });
  emitRunEvent(world, run, "created");
  if (run.status === "completed") emitCompleted(world, run);
  return run;
}

function emitCompleted(world: World, run: CheckRun): void {
  emitRunEvent(world, run, "completed");
  const suite = world.checkSuites.require(run.suiteId);
  if (deriveSuiteState(world, suite).status === "completed") emitSuiteEvent(world, suite, "completed");
}

/** Sends `check_run`: requests by a person to the run's App only, results to all subscribed Apps. */
function emitRunEvent(
  world: World,
  run: CheckRun,
  action: string,
  { byId, extra }: { byId?: number; extra?: JsonObject } = {},
): void {
  const { repositoryId, appId } = run;
  const payload = { check_run: formatCheckRun(world, run), ...extra };
  deliverCheckEvent(world, { repositoryId, appId, event: "check_run", action, payload }, byId);
}

/** Sends `check_suite`: requests to the suite's App only, results to all subscribed Apps. */
function emitSuiteEvent(world: World, suite: CheckSuite, action: string, byId?: number): void {
  const { id, repositoryId, appId, headSha } = suite;
  const check_suite = {
    ...{ id, head_sha: headSha, ...deriveSuiteState(world, suite) },
    app: formatApp(world, world.apps.require(appId)),
    pull_requests: formatSuitePulls(world, suite),
  };
  deliverCheckEvent(
    world,
    { repositoryId, appId, event: "check_suite", action, payload: { check_suite } },
    byId,
  );
}

function deliverCheckEvent(
  world: World,
  what: { repositoryId: number; appId: number; event: string; action: string; payload: JsonObject },
  byId: number | undefined,
): void {
  const { repositoryId, appId, ...event } = what;
  deliverEvent(world, {
    ...event,
    repository: world.repositories.require(repositoryId),
    senderId: byId ?? world.apps.require(appId).botId,
    ...(byId !== undefined || event.action === "requested" ? { appId } : {}),
  });
}

/** Requests a check suite of a pushed commit for every App that may write checks. */
export function requestSuites(world: World, repository: Repository, sha: string): void {
  for (const installation of world.installations.all()) {
    const { appId, permissions } = installation;
    if (permissions["checks"] !== "write" || !isInstalledOn(installation, repository)) continue;
    emitSuiteEvent(world, getOrCreateSuite(world, { repository, sha, appId }), "requested");
  }
}

/** Returns the App's suite of a commit; creates it when missing. */
function getOrCreateSuite(
  world: World,
  {
    repository: { id: repositoryId },
    sha: headSha,
    appId,
  }: { repository: Repository; sha: string; appId: number },
): CheckSuite {
  const suites = world.checkSuites.group(buildHeadKey({ repositoryId, headSha }));
  const existing = suites.find((suite) => suite.appId === appId);
  return existing ?? world.checkSuites.insert({ id: world.nextId("suite"), repositoryId, appId, headSha });
}

/** Conclusions from worst to best; a suite has the conclusion of its worst run. */
const CONCLUSIONS_BY_SEVERITY: readonly CheckConclusion[] = [
  "failure",
  "timed_out",
  "cancelled",
  "action_required",
  "stale",
  "success",
  "neutral",
  "skipped",
];

/** Returns a suite's state. It is completed when all its runs are; only the newest run of each name counts. */
function deriveSuiteState(world: World, suite: CheckSuite): Pick<CheckRun, "status" | "conclusion"> {
  const runs = world.checkRuns.group(buildHeadKey(suite)).filter((run) => run.suiteId === suite.id);
  const newest = [...new Map(runs.map((run) => [run.name, run])).values()];
  if (newest.length === 0) return { status: "queued", conclusion: null };
  if (newest.some((run) => run.status !== "completed")) return { status: "in_progress", conclusion: null };
  const worst = CONCLUSIONS_BY_SEVERITY.find((conclusion) =>
    newest.some((run) => run.conclusion === conclusion),
  );
  return { status: "completed", conclusion: worst ?? null };
}

/** Check runs, by the App that makes them. */
export const checkRunRoutes: readonly ApiRoute[] = [
  route.repository("POST /check-runs", ["checks:write"], (call) => {
    const { world, repository, caller } = call;
    const body = parseCallBody(call, "CheckRun", NewCheckRunBody);
    return created(formatCheckRun(world, createRunByBody(world, { repository, appId: caller.app.id, body })));
  }),
  route.repository("PATCH /check-runs/{check_run_id}", ["checks:write"], (call) => {
    const run = call.world.checkRuns.get(parseId(call, "check_run_id"));
    if (run === null || run.repositoryId !== call.repository.id) throw notFound();
    if (run.appId !== call.caller.app.id) throw forbidden();
    const body = parseCallBody(call, "CheckRun", CheckRunChange);
    return ok(formatCheckRun(call.world, updateRunByBody(call.world, run, body)));
  }),
  route.repository("GET /commits/{ref}/check-runs", ["checks:read"], answerRuns),
];

/** Lists runs by check_name, app_id and status; only the newest of each name and App unless `filter=all`. */
function answerRuns(call: RepositoryCall): ApiAnswer {
  const at = { repositoryId: call.repository.id, sha: resolveCommit(call, "ref") };
  const [name, status, app] = [call.query("check_name"), call.query("status"), call.query("app_id")];
  const wanted = call.world.checkRuns
    .group(buildCommitKey(at))
    .filter((run) => name === null || run.name === name)
    .filter((run) => status === null || run.status === status)
    .filter((run) => app === null || String(run.appId) === app);
  const rows = (call.query("filter") === "all" ? wanted : selectNewestRuns(wanted)).toReversed();
  return answerList(call, rows, formatCheckRun, (check_runs) => ({ total_count: rows.length, check_runs }));
}

/** Returns the newest run of each name and App. */
export const selectNewestRuns = (runs: readonly CheckRun[]): readonly CheckRun[] => [
  ...new Map(runs.map((run) => [`${run.appId}:${run.name}`, run])).values(),
];

/** GitHub's limits, in characters. */
const MAX_SUMMARY = 65_535;
const MAX_ACTIONS = 3;
const MAX_ANNOTATIONS = 50;

const Annotation = z.object({
  path: z.string().min(1),
  start_line: z.int().positive(),
  end_line: z.int().positive(),
  annotation_level: z.enum(["notice", "warning", "failure"]),
  title: z.string().max(255).optional(),
  message: z.string().min(1),
});

const Output = z.object({
  title: z.string().optional(),
  summary: z.string().max(MAX_SUMMARY),
  text: z.string().max(MAX_SUMMARY).nullish(),
  annotations: z.array(Annotation).max(MAX_ANNOTATIONS).optional(),
});

const Action = z.object({
  label: z.string().max(20),
  description: z.string().max(40),
  identifier: z.string().max(20),
});

const CONCLUSIONS = [
  "success",
  "failure",
  "neutral",
  "cancelled",
  "skipped",
  "timed_out",
  "action_required",
] as const satisfies readonly CheckConclusion[];

/** A change of a run. A conclusion completes it; completing it requires a conclusion. */
export const CheckRunChange = z
  .object({
    name: z.string().min(1).optional(),
    details_url: z.url({ protocol: /^https?$/ }).nullish(),
    external_id: z.string().nullish(),
    status: z.enum(["queued", "in_progress", "completed"]).optional(),
    conclusion: z.enum(CONCLUSIONS).optional(),
    output: Output.optional(),
    actions: z.array(Action).max(MAX_ACTIONS).optional(),
  })
  .refine((body) => body.status !== "completed" || body.conclusion !== undefined, {
    path: ["conclusion"],
    message: "a completed check run needs a conclusion",
  });
type CheckRunChange = z.infer<typeof CheckRunChange>;

export const NewCheckRunBody = z.intersection(
  CheckRunChange,
  z.object({ name: z.string().min(1), head_sha: z.string() }),
);

/** Creates a check run of an App; refuses a commit that does not exist in the repository. */
export function createRunByBody(
  world: World,
  of: { repository: Repository; appId: number; body: z.infer<typeof NewCheckRunBody> },
): CheckRun {
  const { repository, appId, body } = of;
  const { name, head_sha: headSha } = body;
  if (readCommit(getObjects(world, repository), headSha) === null)
    throw new ApiRefusal(422, `No commit found for SHA: ${headSha}`);
  const blank = buildBlankRun(world, { repositoryId: repository.id, appId, name, headSha });
  return insertRun(world, { ...blank, ...buildRunUpdate(blank, body) });
}

/** Changes a check run. */
export function updateRunByBody(world: World, before: CheckRun, body: CheckRunChange): CheckRun {
  const run = world.checkRuns.update(before.id, buildRunUpdate(before, body));
  if (run.status === "completed" && before.status !== "completed") emitCompleted(world, run);
  return run;
}

function buildRunUpdate(run: CheckRunFields, body: CheckRunChange): Partial<CheckRunFields> {
  const { output } = body;
  return {
    name: body.name ?? run.name,
    detailsUrl: body.details_url === undefined ? run.detailsUrl : body.details_url,
    externalId: body.external_id === undefined ? run.externalId : body.external_id,
    ...(output !== undefined && {
      output: {
        title: output.title ?? run.output.title,
        summary: output.summary,
        text: output.text === undefined ? run.output.text : output.text,
      },
      annotations: [...run.annotations, ...(output.annotations ?? [])],
    }),
    actions: body.actions ?? run.actions,
    ...buildProgress(body),
  };
}

function buildProgress({ conclusion, status }: CheckRunChange): Partial<CheckRunFields> {
  if (conclusion !== undefined) return { status: "completed", conclusion };
  return status === undefined ? {} : { status, conclusion: null };
}

const formatCheckRun = (world: World, run: CheckRun): JsonObject => ({
  id: run.id,
  node_id: buildNodeId("CheckRun", run.id),
  name: run.name,
  head_sha: run.headSha,
  external_id: run.externalId ?? "",
  details_url: run.detailsUrl ?? getRepositoryUrl(world, world.repositories.require(run.repositoryId)),
  status: run.status,
  conclusion: run.conclusion,
  output: { ...run.output },
  app: formatApp(world, world.apps.require(run.appId)),
  pull_requests: formatSuitePulls(world, run),
});

/** The open pull requests of a suite; none for a fork's branch, as on GitHub. */
const formatSuitePulls = (
  world: World,
  { repositoryId, headSha }: Pick<CheckSuite, "repositoryId" | "headSha">,
): readonly JsonObject[] =>
  world.pulls
    .group(String(repositoryId))
    .filter((pull) => pull.state === "open" && pull.headSha === headSha)
    .filter((pull) => pull.headRepositoryId === repositoryId)
    .map(formatPullPlace);
