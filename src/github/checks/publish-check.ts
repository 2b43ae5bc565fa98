import { createHash } from "node:crypto";
import { z } from "zod";
import { cutText, shorten } from "../../kernel/shorten.ts";
import { type InstallationClient, requestById } from "../client/installation-client.ts";
import { readData, readUnless } from "../client/read-answer.ts";
import { GitHubError } from "../client/result.ts";
import type { BatchedMutation } from "../client/write-lane.ts";
import type { CheckClaim } from "../head/head-state.ts";

export type CheckState =
  | { readonly status: "in_progress" }
  | {
      readonly status: "completed";
      readonly conclusion: "success" | "neutral" | "failure" | "action_required";
    };

export interface CheckOutput {
  /** Markdown, except the title. GitHub takes 65,535 characters of summary and of text each. */
  readonly title: string;
  readonly summary: string;
  readonly text: string | null;
  /** Last lines of the summary. A change of them alone is never written. */
  readonly footer?: string;
  /** The largest first; absent: those of the updated run stay. */
  readonly annotations?: readonly CheckAnnotation[];
}

/** A button under the check. GitHub's limits: 20, 40 and 20 characters, three buttons. */
interface CheckAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

/** A name of checks on a commit, where one check run counts. */
interface CheckSlot {
  /** The repository's numeric id: another repository can get its name at any time. */
  readonly repositoryId: number;
  readonly headSha: string;
  readonly checkName: string;
}

export interface CheckWrite extends CheckSlot {
  /** The repository's global id; null: unknown. */
  readonly repositoryNodeId: string | null;
  readonly known: KnownCheck | null;
  /** Whether an earlier request without an answer may still change `known`. */
  readonly isUncertain: boolean;
  readonly decision: CheckState;
  readonly output: CheckOutput;
  /** Digest of what the check shows. */
  readonly externalId: string;
  /** `details_url`. A change of it alone is never written. */
  readonly detailsUrl: string;
  readonly actions: readonly CheckAction[];
  /** The lane's fencing: checked right before the request is sent. */
  readonly isCurrent: () => Promise<boolean>;
}

/**
 * Creates or updates our check run on a commit: one write, none when nothing changed. A completed run is never reopened: a new one
 * takes its place, because GitHub counts the newest run of a name. So does a new one where annotations change, because an update only
 * adds some; and where an earlier update may still come, which would add the same ones again. An output that GitHub finds too long is sent again shorter, so that
 * the gate itself always gets through. After a failure with an unknown outcome the caller reads (`listRuns`) before it writes again.
 *
 * @throws GitHubError, SupersededError
 */
export async function publishCheck(client: InstallationClient, write: CheckWrite): Promise<KnownCheck> {
  const digest = computeCheckDigest(write);
  if (write.known?.digest === digest) return write.known;
  const [first, ...shorter] = buildOutputForms(write.output);
  const checkRunId = await shorter.reduce(
    (sent, output) =>
      sent.catch((error: unknown) => {
        if (isPossiblyTooLong(error)) return writeRun(client, write, output);
        throw error;
      }),
    writeRun(client, write, first),
  );
  return {
    checkRunId,
    digest,
    completed: write.decision.status === "completed",
    annotations: getWantedAnnotations(write),
  };
}

/** GitHub words this in several ways; a missing commit is the one refusal that a shorter output cannot fix. */
const isPossiblyTooLong = (error: unknown): boolean =>
  error instanceof GitHubError &&
  error.failure.kind === "rejected" &&
  !/\bcommit\b|\bsha\b/i.test(error.failure.message);

/** Returns the id of the check run. */
async function writeRun(client: InstallationClient, write: CheckWrite, output: CheckOutput): Promise<number> {
  const { known } = write;
  const reopens = known?.completed === true && write.decision.status === "in_progress";
  if (known === null || reopens || !canUpdate(write, known)) return createRun(client, write, output);
  const { annotations = [], ...rest } = output;
  // The run has these annotations already, or none.
  const added = known.annotations === NO_ANNOTATIONS ? { ...rest, annotations } : rest;
  const updated = await readUnless(["not_found"], updateRun(client, { ...write, known }, added));
  return updated ?? createRun(client, write, output); // GitHub deletes check runs, people cannot
}

/** Whether an update leaves the run with exactly the wanted annotations. */
const canUpdate = (write: CheckWrite, { annotations }: KnownCheck): boolean =>
  annotations === getWantedAnnotations(write) || (annotations === NO_ANNOTATIONS && !write.isUncertain);

/** The digest of the annotations that the run has after a write; null: unknown. */
function getWantedAnnotations({ output, known }: CheckWrite): string | null {
  if (output.annotations !== undefined) return computeAnnotationsDigest(output.annotations);
  return known === null ? NO_ANNOTATIONS : known.annotations;
}

function updateRun(
  client: InstallationClient,
  write: CheckWrite & { readonly known: KnownCheck },
  output: CheckOutput,
): Promise<number> {
  const { checkRunId: check_run_id, nodeId } = write.known;
  const own = buildRunParameters(write, output);
  const request = buildRequest(write, buildCheckMutation(write, own, { nodeId }));
  const parameters = { ...own, request, check_run_id };
  return readData(requestById(client.octokit, UPDATE_ROUTE, parameters), createOwnRunSchema(client, write));
}

function createRun(client: InstallationClient, write: CheckWrite, output: CheckOutput): Promise<number> {
  const own = buildRunParameters(write, output);
  const request = buildRequest(write, buildCheckMutation(write, own, "new"));
  const parameters = { ...own, request, head_sha: write.headSha };
  const route = "POST /repos/{owner}/{repo}/check-runs";
  return readData(requestById(client.octokit, route, parameters), createOwnRunSchema(client, write));
}

const UPDATE_ROUTE = "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}";

const buildRequest = ({ isCurrent }: CheckWrite, mutation?: BatchedMutation) => ({
  write: { priority: "check" as const, isCurrent, mutation },
});

/** A write counts as done only when GitHub shows our own run on that very commit. */
const createOwnRunSchema = (client: InstallationClient, write: CheckWrite): z.ZodType<number> =>
  WrittenRun.refine((run) => run.head_sha === write.headSha && run.name === write.checkName, "another run")
    .refine((run) => run.app == null || run.app.id === client.appId, "another App's run")
    .transform((run) => run.id);

const ListedRuns = z.object({
  check_runs: z.array(
    z.object({
      id: z.int().positive(),
      status: z.string(),
      external_id: z.string().nullish(),
      app: z.object({ id: z.int() }).nullish(),
    }),
  ),
});

/** Our check runs of a name on a commit. */
export interface OwnRuns {
  /** Null: there is none. */
  readonly newest: KnownCheck | null;
  /** Ids of those that newer ones hide and that are not completed. */
  readonly hidden: readonly number[];
}

/** Reads our check runs of a name on a commit from GitHub. Throws `GitHubError`. */
export async function listRuns(
  client: InstallationClient,
  { repositoryId: repository_id, headSha: ref, checkName: check_name }: CheckSlot,
): Promise<OwnRuns> {
  const parameters = {
    repository_id,
    ref,
    check_name,
    app_id: client.appId,
    filter: "all",
    per_page: 100,
  } as const;
  const route = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
  const { check_runs: all } = await readData(requestById(client.octokit, route, parameters), ListedRuns);
  const own = all.filter(({ app }) => app?.id === client.appId).sort((a, b) => b.id - a.id);
  const [newest, ...hidden] = own;
  if (newest === undefined) return { newest: null, hidden: [] };
  return {
    newest: {
      checkRunId: newest.id,
      digest: null,
      completed: newest.status === "completed",
      annotations: parseAnnotationsDigest(newest.external_id ?? null),
    },
    hidden: hidden.flatMap(({ id, status }) => (status === "completed" ? [] : [id])),
  };
}

/** Ends a check run that a newer one hides: two were created at the same time. It counts for nothing, so a failure is ignored. */
export async function endHiddenRun(
  client: InstallationClient,
  write: CheckWrite,
  checkRunId: number,
): Promise<void> {
  const call = requestById(client.octokit, UPDATE_ROUTE, {
    repository_id: write.repositoryId,
    check_run_id: checkRunId,
    status: "completed",
    conclusion: "cancelled",
    output: { title: "A newer check took its place", summary: "The newer check shows the decision." },
    request: buildRequest(write),
  });
  await call.catch(() => {});
}

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
 * Returns the mutation that creates a check run, or updates the one with the global id in `run`; undefined where GitHub did not
 * state a global id that it needs. https://docs.github.com/en/graphql/reference/mutations#createcheckrun
 */
export function buildCheckMutation(
  { repositoryNodeId, headSha, decision }: CheckWrite,
  { name, external_id, details_url, output, actions }: RunParameters,
  run: "new" | { readonly nodeId: string | undefined },
): BatchedMutation | undefined {
  if (repositoryNodeId === null || (run !== "new" && run.nodeId === undefined)) return undefined;
  const { annotations, ...texts } = output;
  const content = {
    repositoryId: repositoryNodeId,
    name,
    externalId: external_id,
    detailsUrl: details_url,
    status: decision.status.toUpperCase(),
    ...(decision.status === "completed" && { conclusion: decision.conclusion.toUpperCase() }),
    output: { ...texts, ...(annotations !== undefined && { annotations: annotations.map(toGraphqlInput) }) },
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

const toGraphqlInput = (annotation: ReturnType<typeof toRestAnnotation>) => ({
  path: annotation.path,
  location: { startLine: annotation.start_line, endLine: annotation.end_line },
  annotationLevel: annotation.annotation_level.toUpperCase(),
  title: annotation.title,
  message: annotation.message,
});

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

/** Ever shorter forms of an output, the first of which GitHub should take: whole, without annotations, without the text, the title alone. */
function buildOutputForms({
  annotations = [],
  ...output
}: CheckOutput): readonly [CheckOutput, ...CheckOutput[]] {
  const forms = buildTextForms(output);
  return annotations.length === 0 ? forms : [{ ...forms[0], annotations }, ...forms];
}

function buildTextForms(output: CheckOutput): readonly [CheckOutput, ...CheckOutput[]] {
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
  const { title, summary, text, annotations = [] } = output;
  return {
    repository_id: write.repositoryId,
    name: write.checkName,
    external_id: formatRunId(write.externalId, getWantedAnnotations(write) ?? NO_ANNOTATIONS),
    ...write.decision,
    details_url: write.detailsUrl,
    output: {
      title,
      summary,
      ...(text !== null && { text }),
      ...(annotations.length > 0 && { annotations: annotations.map(toRestAnnotation) }),
    },
    actions: write.actions.slice(0, 3).map(shortenAction),
  };
}

const toRestAnnotation = ({ path, line, level, title, message }: CheckAnnotation) => ({
  path,
  start_line: line,
  end_line: line,
  annotation_level: level,
  title: shorten(title, MAX_TITLE),
  message,
});

const shortenAction = (action: CheckAction): CheckAction => ({
  label: cutText(action.label, 20),
  description: cutText(action.description, 40),
  identifier: cutText(action.identifier, 20),
});

/** A finding beside a line of a file, as GitHub shows it among the changed files. */
export interface CheckAnnotation {
  /** From the repository's root on. */
  readonly path: string;
  readonly line: number;
  readonly level: "failure" | "warning";
  readonly title: string;
  /** Plain text. */
  readonly message: string;
}

/** The stored check run that was written last for this head and name. */
export interface KnownCheck {
  readonly checkRunId: number;
  /** Digest of what it shows; null: it was found on GitHub, so it is written again. */
  readonly digest: string | null;
  readonly completed: boolean;
  /** Digest of its annotations; null: unknown. */
  readonly annotations: string | null;
  /** GitHub's global id; absent: unknown. */
  readonly nodeId?: string | undefined;
}

/**
 * Finds our newest check run of a name among a head's checks. It is updated when the store does not have it, after a crash between
 * GitHub's answer and the store. Its digest is unknown, so it is written again.
 */
export function findOwnCheck(
  checks: readonly CheckClaim[],
  own: { appId: number; name: string },
): KnownCheck | null {
  let newest: KnownCheck | null = null;
  for (const check of checks) {
    if (check.id === null || check.appId !== own.appId || check.name !== own.name) continue;
    if (newest !== null && newest.checkRunId > check.id) continue;
    newest = {
      checkRunId: check.id,
      digest: null,
      completed: check.status === "completed",
      annotations: parseAnnotationsDigest(check.externalId),
      nodeId: check.nodeId,
    };
  }
  return newest;
}

export const computeAnnotationsDigest = (annotations: readonly CheckAnnotation[]): string =>
  createHash("sha256").update(JSON.stringify(annotations)).digest("hex").slice(0, 32);

export const NO_ANNOTATIONS = computeAnnotationsDigest([]);

/** The `external_id` of a check run, which ends with the digest of its annotations, if it has any: GitHub's lists of runs state them by it. */
export const formatRunId = (shown: string, annotations: string): string =>
  annotations === NO_ANNOTATIONS ? shown : `${shown}~${annotations}`;

/** The digest of the annotations of one of our check runs by its `external_id`. */
const parseAnnotationsDigest = (externalId: string | null): string =>
  /~([0-9a-f]{32})$/.exec(externalId ?? "")?.[1] ?? NO_ANNOTATIONS;

/** Posters of check runs and statuses with our name: they are reported, and their content is never used. */
export function findForeignPosters(
  head: {
    checks: readonly CheckClaim[];
    statuses: readonly { context: string; creator: { login: string } | null }[];
  },
  own: { appId: number; name: string },
): readonly string[] {
  const apps = head.checks
    .filter((check) => check.name === own.name && check.appId !== own.appId)
    .map((check) => check.appSlug ?? "an unknown App");
  const users = head.statuses
    .filter((status) => status.context === own.name)
    .map((status) => status.creator?.login ?? "an unknown account");
  return [...new Set([...apps, ...users])];
}
