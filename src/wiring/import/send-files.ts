import { createHash } from "node:crypto";
import { TollgateError } from "../../kernel/errors.ts";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import { PARSE_OPTIONS } from "../../kernel/parse-options.ts";
import { JobRequest } from "../../web/oidc/job-access.ts";
import type { InputFile } from "../preview/read-stages.ts";
import { type ImportPlatform, withPlatform } from "./client.ts";
import { type JobAccessRequest, requestJobAccess } from "./job-access.ts";
import { readWorkspaceFiles } from "./read-files.ts";
import type { RetryOptions } from "./retrying-call.ts";
import { importExecution, type ResolveLocalPlatform } from "./run.ts";

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

/** The files of one workspace, and the execution that they become. */
export interface SentFiles {
  readonly workspace: string;
  readonly pipeline: string;
  /** Branch of the commit; empty: unknown. */
  readonly branch: string;
  /** Chosen once by the caller, so that a repeated call changes nothing. */
  readonly executionId: string;
  readonly plan: InputFile | null;
  readonly estimate: InputFile | null;
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
  readonly stageId: string;
  /** Pages of changes that were sent. */
  readonly pages: number;
}

/**
 * Sends the plan and the estimate of one workspace to a platform as one ended execution; sensitive values are masked before.
 *
 * @throws TollgateError `file_unreadable`, `file_not_recognised`, `platform_failed`
 */
export async function sendFiles(
  files: SentFiles,
  { findDestination, resolveLocal, note, retrying, onPage }: SendDeps,
): Promise<SentExecution> {
  const { workspace, pipeline, branch, executionId } = files;
  const { notes, ...read } = await readWorkspaceFiles(files);
  for (const text of notes) note(`note: ${text}`);
  const destination = await findDestination();
  const { platform, ...commit } = destination;
  // The same execution imported again is the same stage, and each workspace of it is another one.
  const stageId = createHash("sha256").update(`${executionId}/${workspace}`).digest("hex").slice(0, 32);
  const input = { ...commit, ...read, workspace, pipeline, branch, executionId, stageId };
  const { pages, changesRefused } = await withPlatform(platform, resolveLocal, (client) => {
    note(`importing as ${executionId}`);
    return importExecution(client, input, retrying, onPage);
  });
  if (changesRefused) note("note: this project takes no plan data, so only costs were sent");
  return { destination, executionId, stageId, pages };
}

/** What a job may say beside its id token: which of several granted projects, and the head where the id token does not say it. */
export interface WantedDestination {
  readonly org?: string | undefined;
  readonly project?: string | undefined;
  readonly sha?: string | undefined;
}

/**
 * Finds the destination of this GitHub Actions job: the server decides by the job's id token.
 *
 * @throws TollgateError `usage` for values that name nothing, `platform_failed` with the server's reason
 */
export async function findJobDestination(
  { url, idToken, wanted }: Omit<JobAccessRequest, "wanted"> & { readonly wanted: WantedDestination },
  retrying: RetryOptions,
): Promise<Destination> {
  const request = JobRequest.safeParse(wanted, PARSE_OPTIONS);
  if (!request.success) {
    const [issue] = request.error.issues;
    throw new TollgateError("usage", `--${issue?.path.join(".")}: ${issue?.message}`);
  }
  const access = await requestJobAccess({ url, idToken, wanted: request.data }, retrying);
  const sha = parseSha(access.sha);
  if (sha === null) throw new TollgateError("platform_failed", "the server named no full commit id");
  const { token, account, org, project, repository, repository_url: repositoryUrl } = access;
  return { platform: { url, token, account }, org, project, repository, repositoryUrl, sha };
}
