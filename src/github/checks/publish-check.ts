import { createHash } from "node:crypto";
import { z } from "zod";
import { shorten } from "../../kernel/shorten.ts";
import type { BatchedMutation } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import {
  failed,
  type GitHubFailure,
  type GitHubResult,
  isOutcomeUnknown,
  succeeded,
} from "../client/result.ts";
import { settleWrite, toResult, type WriteAnswer } from "../client/to-result.ts";
import type {
  CheckAction,
  CheckOutcome,
  CheckOutput,
  CheckResult,
  CheckWrite,
  KnownCheck,
} from "./check-write.ts";

/**
 * Creates or updates our check run on a commit: one write, none when nothing changed. A completed run is never reopened: a new one
 * takes its place, because GitHub counts the newest run of a name. After a lost answer our own run is searched before another one
 * is made. An output that GitHub finds too long is sent again shorter, so that the gate itself always gets through.
 */
export async function publishCheck(client: InstallationClient, write: CheckWrite): Promise<CheckOutcome> {
  const digest = computeCheckDigest(write);
  if (write.known?.digest === digest) return { state: "unchanged", known: write.known, isUnanswered: false };
  let answer: WriteAnswer<number> = failed("rejected", "no form of the output was tried");
  let isUnanswered = false;
  for (const output of buildOutputForms(write.output)) {
    const sent = await writeRun(client, write, output);
    answer = sent.answer;
    isUnanswered ||= sent.isUnanswered;
    if (answer.ok !== false || !isPossiblyTooLong(answer.failure)) break;
  }
  return {
    ...toCheckResult(answer, { digest, completed: write.decision.status === "completed" }),
    isUnanswered,
  };
}

function toCheckResult(answer: WriteAnswer<number>, written: Omit<KnownCheck, "checkRunId">): CheckResult {
  if (answer.ok === "superseded") return { state: "superseded" };
  if (answer.ok) return { state: "written", known: { checkRunId: answer.value, ...written } };
  return { state: isRefusal(answer.failure.kind) ? "refused" : "failed", failure: answer.failure };
}

interface SentRun {
  /** The id of the check run. */
  readonly answer: WriteAnswer<number>;
  /** As in `CheckOutcome`. */
  readonly isUnanswered: boolean;
}

const hasNoAnswer = (answer: WriteAnswer<number>): boolean =>
  answer.ok === false && isOutcomeUnknown(answer.failure);

/** GitHub words this in several ways; a missing commit is the one refusal that a shorter output cannot fix. */
const isPossiblyTooLong = ({ kind, message }: GitHubFailure): boolean =>
  kind === "rejected" && !/\bcommit\b|\bsha\b/i.test(message);

const isRefusal = (kind: string): boolean => ["rejected", "not_found", "gone", "forbidden"].includes(kind);

async function writeRun(
  client: InstallationClient,
  write: CheckWrite,
  output: CheckOutput,
): Promise<SentRun> {
  const { known } = write;
  const reopens = known?.completed === true && write.decision.status === "in_progress";
  if (known === null || reopens) return createRun(client, write, output);
  const { checkRunId: runId, nodeId } = known;
  const updated = await updateRun(client, write, { runId, nodeId, output });
  const { answer, isUnanswered } = updated;
  if (answer.ok !== false || answer.failure.kind !== "not_found") return updated;
  const created = await createRun(client, write, output); // GitHub deletes check runs, people cannot
  return { ...created, isUnanswered: isUnanswered || created.isUnanswered };
}

interface CheckUpdate {
  readonly runId: number;
  /** Global id of the check run; absent: unknown. */
  readonly nodeId?: string | undefined;
  readonly output: CheckOutput;
}

/** Writing the same state twice is harmless, so the request is repeated after a lost answer. */
async function updateRun(
  client: InstallationClient,
  write: CheckWrite,
  update: CheckUpdate,
): Promise<SentRun> {
  const own = buildRunParameters(write, update.output);
  const request = buildRequest(write, buildCheckMutation(write, own, { nodeId: update.nodeId }));
  const parameters = { ...own, request, check_run_id: update.runId };
  const route = "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}";
  const send = () =>
    settleWrite(toResult(requestById(client.octokit, route, parameters), createOwnRunSchema(client, write)));
  const first = await send();
  if (!hasNoAnswer(first)) return { answer: first, isUnanswered: false };
  return { answer: await send(), isUnanswered: true };
}

async function createRun(
  client: InstallationClient,
  write: CheckWrite,
  output: CheckOutput,
): Promise<SentRun> {
  const own = buildRunParameters(write, output);
  const request = buildRequest(write, buildCheckMutation(write, own, "new"));
  const parameters = { ...own, request, head_sha: write.headSha };
  const route = "POST /repos/{owner}/{repo}/check-runs";
  const send = () =>
    settleWrite(toResult(requestById(client.octokit, route, parameters), createOwnRunSchema(client, write)));
  const first = await send();
  if (!hasNoAnswer(first)) return { answer: first, isUnanswered: false };
  const lost = await findLostRun(client, write);
  if (!lost.ok) return { answer: lost, isUnanswered: true };
  if (lost.value !== null) return updateRun(client, write, { runId: lost.value, output });
  return { answer: await send(), isUnanswered: true };
}

const buildRequest = ({ isCurrent }: CheckWrite, mutation: BatchedMutation | undefined) => ({
  write: { priority: "gate" as const, isCurrent, mutation },
});

/** A write counts as done only when GitHub shows our own run on that very commit. */
const createOwnRunSchema = (client: InstallationClient, write: CheckWrite): z.ZodType<number> =>
  WrittenRun.refine((run) => run.head_sha === write.headSha && run.name === write.checkName, "another run")
    .refine((run) => run.app == null || run.app.id === client.appId, "another App's run")
    .transform((run) => run.id);

const Listed = z.object({
  check_runs: z.array(
    z.object({
      id: z.int().positive(),
      status: z.string(),
      external_id: z.string().nullish(),
      app: z.object({ id: z.int() }).nullish(),
    }),
  ),
});
type ListedRun = z.infer<typeof Listed>["check_runs"][number];

type CheckPlace = Pick<CheckWrite, "repositoryId" | "headSha" | "checkName">;

/** Our check runs of a name on a commit. */
export interface OwnRuns {
  /** Null: there is none. */
  readonly newest: KnownCheck | null;
  /** Ids of those that newer ones hide and that are not completed. */
  readonly hidden: readonly number[];
}

export async function listRuns(
  client: InstallationClient,
  place: CheckPlace,
): Promise<GitHubResult<OwnRuns>> {
  const answer = await listOwnRuns(client, place);
  if (!answer.ok) return answer;
  const newest = selectNewest(answer.value);
  if (newest === null) return succeeded({ newest, hidden: [] });
  const hidden = answer.value.filter(({ id, status }) => id !== newest.id && status !== "completed");
  const completed = newest.status === "completed";
  return succeeded({
    newest: { checkRunId: newest.id, digest: "", completed },
    hidden: hidden.map(({ id }) => id),
  });
}

/** Ends a check run that a newer one hides: two were created at the same time. It counts for nothing, so a failure is ignored. */
export async function endHiddenRun(
  client: InstallationClient,
  write: CheckWrite,
  checkRunId: number,
): Promise<void> {
  const parameters = {
    repository_id: write.repositoryId,
    check_run_id: checkRunId,
    status: "completed",
    conclusion: "cancelled",
    output: { title: "A newer check took its place", summary: "The newer check shows the decision." },
    request: buildRequest(write, undefined),
  } as const;
  const route = "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}";
  await settleWrite(toResult(requestById(client.octokit, route, parameters), WrittenRun));
}

/** Finds the check run that a create made although its answer was lost: ours by App id, of this evaluation by `external_id`. */
async function findLostRun(
  client: InstallationClient,
  write: CheckWrite,
): Promise<GitHubResult<number | null>> {
  const answer = await listOwnRuns(client, write);
  if (!answer.ok) return answer;
  const own = answer.value.filter((run) => run.external_id === write.externalId);
  return succeeded(selectNewest(own)?.id ?? null);
}

/** All our check runs of a name on a commit, also those that newer ones hide. */
async function listOwnRuns(
  client: InstallationClient,
  { repositoryId: repository_id, headSha: ref, checkName: check_name }: CheckPlace,
): Promise<GitHubResult<readonly ListedRun[]>> {
  const parameters = {
    repository_id,
    ref,
    check_name,
    app_id: client.appId,
    filter: "all",
    per_page: 100,
  } as const;
  const route = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
  const answer = await toResult(requestById(client.octokit, route, parameters), Listed);
  return answer.ok
    ? succeeded(answer.value.check_runs.filter((run) => run.app?.id === client.appId))
    : answer;
}

const selectNewest = (runs: readonly ListedRun[]): ListedRun | null =>
  runs.reduce<ListedRun | null>(
    (newest, run) => (newest === null || run.id > newest.id ? run : newest),
    null,
  );

const SELECTION = "{ checkRun { databaseId name status checkSuite { app { databaseId } commit { oid } } } }";

const Payload = z.object({
  checkRun: z.object({
    databaseId: z.int(),
    name: z.string(),
    status: z.string(),
    checkSuite: z.object({
      app: z.object({ databaseId: z.int() }).nullable(),
      commit: z.object({ oid: z.string() }),
    }),
  }),
});

type RunParameters = ReturnType<typeof buildRunParameters>;

/**
 * Returns the mutation that creates a check run, or updates the one with the global id `runNodeId`; undefined where GitHub did not
 * state a global id that it needs. https://docs.github.com/en/graphql/reference/mutations#createcheckrun
 */
export function buildCheckMutation(
  { repositoryNodeId, headSha, decision }: CheckWrite,
  { name, external_id, details_url, output, actions }: RunParameters,
  run: "new" | { readonly nodeId: string | undefined },
): BatchedMutation | undefined {
  if (repositoryNodeId === null || (run !== "new" && run.nodeId === undefined)) return undefined;
  const content = {
    repositoryId: repositoryNodeId,
    name,
    externalId: external_id,
    detailsUrl: details_url,
    status: decision.status.toUpperCase(),
    ...(decision.status === "completed" && { conclusion: decision.conclusion.toUpperCase() }),
    output,
    actions,
  };
  const kind =
    run === "new"
      ? { field: "createCheckRun", inputType: "CreateCheckRunInput", input: { ...content, headSha } }
      : {
          field: "updateCheckRun",
          inputType: "UpdateCheckRunInput",
          input: { ...content, checkRunId: run.nodeId },
        };
  return { ...kind, selection: SELECTION, toRestBody };
}

/** The parts of the REST route's body that prove the write. */
function toRestBody(payload: unknown): unknown {
  const parsed = Payload.safeParse(payload);
  if (!parsed.success) return payload;
  const { databaseId: id, name, status, checkSuite } = parsed.data.checkRun;
  const app = checkSuite.app === null ? null : { id: checkSuite.app.databaseId };
  return { id, name, head_sha: checkSuite.commit.oid, status: status.toLowerCase(), app };
}

/** The part of a write's answer that proves it: our own object. */
const WrittenRun = z.object({
  id: z.int().positive(),
  name: z.string(),
  head_sha: z.string(),
  status: z.string(),
  app: z.object({ id: z.int() }).nullish(),
});

const MAX_TITLE = 255;
/** GitHub counts characters; bytes are never fewer, so this bound holds in both readings. */
const MAX_MARKDOWN_BYTES = 65_535;

const isWithinLimit = (markdown: string): boolean => Buffer.byteLength(markdown) <= MAX_MARKDOWN_BYTES;

/** Ever shorter forms of an output, the first of which GitHub should take: whole, without the text, the title alone. */
function buildOutputForms(output: CheckOutput): readonly CheckOutput[] {
  const title = shorten(output.title, MAX_TITLE);
  const whole = {
    title,
    summary: addFooter(output),
    text: output.text !== null && isWithinLimit(output.text) ? output.text : null,
  };
  const bare = { title, summary: title, text: null };
  if (!isWithinLimit(output.summary)) return [bare];
  return whole.text === null ? [whole, bare] : [whole, { ...whole, text: null }, bare];
}

/** The footer is left out where GitHub would take no summary with it. */
function addFooter({ summary, footer }: CheckOutput): string {
  const whole = footer === undefined ? summary : `${summary}\n\n${footer}`;
  return isWithinLimit(whole) ? whole : summary;
}

/** Whether nothing must be written: the digest is the same. A changed link or footer alone is written with the next change. */
function computeCheckDigest(write: CheckWrite): string {
  const { headSha, checkName, decision, externalId, actions } = write;
  const { footer: _, ...output } = write.output;
  const parts = [headSha, checkName, decision, output, externalId, actions];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** The parameters of a create or update. GitHub empties `conclusion` of a run that goes on. */
export function buildRunParameters(write: CheckWrite, output: CheckOutput) {
  const { title, summary, text } = output;
  return {
    repository_id: write.repositoryId,
    name: write.checkName,
    external_id: write.externalId,
    ...write.decision,
    details_url: write.detailsUrl,
    output: text === null ? { title, summary } : { title, summary, text },
    actions: write.actions.slice(0, 3).map(shortenAction),
  };
}

const shortenAction = (action: CheckAction): CheckAction => ({
  label: action.label.slice(0, 20),
  description: action.description.slice(0, 40),
  identifier: action.identifier.slice(0, 20),
});
