import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import { PARSE_OPTIONS } from "../../kernel/parse-options.ts";
import { createPlatformClient, type PlatformClient } from "../../platform/client.ts";
import { JOB_TOKEN_PATH, JobAccess, JobRequest } from "../../web/oidc/job-access.ts";
import { callServer, type ServerAccess } from "./call-server.ts";
import { type FileSelection, readFiles } from "./read-files.ts";
import {
  announceStage,
  computeStageId,
  importExecution,
  type ReachablePlatform,
  type ResolveLocalPlatform,
  type RetryOptions,
} from "./run.ts";

/** Where an execution is recorded, and the commit that it belongs to. */
export interface Destination {
  readonly platform: ImportPlatform;
  readonly org: string;
  readonly project: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly repositoryUrl: string;
  /** The head or the test-merge commit of the pull request. */
  readonly sha: Sha;
}

/** Files, and the execution that they become, with a stage for each workspace. */
export interface SentFiles {
  readonly files: FileSelection;
  readonly pipeline: string;
  /** Branch of the commit; empty: unknown. */
  readonly branch: string;
  /** Chosen once by the caller, so that a repeated call changes nothing. */
  readonly executionId: string;
  /** True: it is stated that there is nothing to plan for the named workspace, which has no files. */
  readonly nothingToPlan?: boolean;
}

export interface SendDeps {
  /** Called after the files were read, so that a credential's time does not pass meanwhile. */
  readonly findDestination: () => Promise<Destination>;
  readonly resolveLocal: ResolveLocalPlatform;
  /** Receives remarks for a person, a line each. */
  readonly note: (text: string) => void;
  readonly retrying: RetryOptions;
  /** Receives the number of pages of changes that were sent. */
  readonly onPage?: (pages: number) => void;
}

export interface SentExecution {
  readonly destination: Destination;
  readonly executionId: string;
  readonly stages: readonly SentStage[];
}

interface SentStage {
  readonly workspace: string;
  readonly stageId: string;
  /** Pages of changes that were sent. */
  readonly pages: number;
}

/**
 * Sends plans and estimates to a platform as one ended execution; sensitive values are masked before.
 *
 * @throws TollgateError `file_unreadable`, `file_not_recognised`, `platform_failed`
 */
export async function sendFiles(
  { files, pipeline, branch, executionId, nothingToPlan = false }: SentFiles,
  { findDestination, resolveLocal, note, retrying, onPage = () => {} }: SendDeps,
): Promise<SentExecution> {
  const { workspaces, notes } = await readFiles(files, (_, error) => {
    throw error;
  });
  for (const one of notes) note(`note: ${one.note}`);
  const destination = await findDestination();
  const { platform, ...commit } = destination;
  const inputs = workspaces.flatMap(({ workspace, files: read }) => {
    const stageId = computeStageId(executionId, workspace);
    const own = { workspace, pipeline, branch, executionId, stageId, nothingToPlan };
    return read === null ? [] : { ...commit, ...read, ...own };
  });
  const stages: SentStage[] = [];
  let sent = 0;
  await withPlatform(platform, resolveLocal, async (client) => {
    note(`importing as ${executionId}`);
    // All stages are announced before the first one ends, so that nobody takes it for all of the execution.
    for (const input of inputs.slice(1)) await announceStage(client, input, retrying);
    for (const input of inputs) {
      const { workspace, stageId } = input;
      const result = await importExecution(client, input, retrying, (pages) => onPage(sent + pages));
      sent += result.pages;
      stages.push({ workspace, stageId, pages: result.pages });
      if (result.changesRefused) note("note: this project takes no plan data, so only costs were sent");
    }
  });
  return { destination, executionId, stages };
}

/** What a job may say beside its id token: which of several granted projects, and the head where the id token does not say it. */
export interface WantedDestination {
  readonly org?: string | undefined;
  readonly project?: string | undefined;
  readonly sha?: string | undefined;
}

/**
 * Finds the destination that the server decides on by this GitHub Actions job's id token, or by a token for imports.
 *
 * @throws TollgateError `usage` for values that name nothing, `platform_failed` with the server's reason
 */
export async function findJobDestination(
  server: ServerAccess,
  wanted: WantedDestination,
  retrying: RetryOptions,
): Promise<Destination> {
  const request = JobRequest.safeParse(wanted, PARSE_OPTIONS);
  if (!request.success) {
    const [issue] = request.error.issues;
    throw new TollgateError("usage", `--${issue?.path.join(".")}: ${issue?.message}`);
  }
  const exchange = {
    path: JOB_TOKEN_PATH,
    body: request.data,
    answer: JobAccess,
    purpose:
      "idToken" in server ? "id tokens of CI jobs" : "imports without --org, --project and --repository",
  };
  const granted = await callServer(server, exchange, retrying);
  const sha = parseSha(granted.sha);
  if (sha === null) throw new TollgateError("platform_failed", "the server named no full commit id");
  const { token, account, org, project, repository, repository_url: repositoryUrl } = granted;
  return { platform: { url: server.url, token, account }, org, project, repository, repositoryUrl, sha };
}

/** Limits in ms. Storing a page or committing a large upload takes longer than a read. */
const LIMITS = { headersMs: 120_000, bodyMs: 30_000, totalMs: 180_000, connections: 2 } as const;

/** Where an embedded platform is. */
export interface ImportPlatform {
  /** Without it, the platform of this machine. */
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly account?: string | undefined;
}

/** Calls `use` with a client of the platform at the address, and the account; closes what was opened. */
export async function withPlatform<T>(
  { url, token, account = "tollgate" }: ImportPlatform,
  resolveLocal: ResolveLocalPlatform,
  use: (client: PlatformClient, account: string) => Promise<T>,
): Promise<T> {
  const isLocal = url === undefined || token === undefined;
  const named = isLocal ? await resolveLocal() : { url, token, account, close: async () => {} };
  const { close, ...address }: ReachablePlatform = named;
  const client = createPlatformClient({
    ...{ ...address, dialect: "neutral", limits: LIMITS },
    ...{ clock: systemClock, random: Math.random, sleep },
  });
  try {
    return await use(client, address.account);
  } finally {
    await client.close();
    await close();
  }
}
