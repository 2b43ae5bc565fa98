import type { Context, ErrorHandler } from "hono";
import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { ExecutionRef } from "../../kernel/ids.ts";
import type { Money } from "../../kernel/money.ts";
import type { PerformTask } from "../../policy/task.ts";
import type { PageTexts } from "../../render/page-sections.ts";
import type { Fact } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import type { InstalledRepository } from "../../store/installations.ts";
import type { Repository } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { ExaminedPart } from "../health.ts";
import type { Reader } from "../reader.ts";
import { readAddress } from "./address.ts";
import { type Page, renderPage, renderProblem } from "./frame.ts";
import { html } from "./html.ts";
import { readFormat, type Table } from "./table.ts";

export interface PageDeps {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly texts: PageTexts;
  /** The day on which fiscal years start, as `MM-DD`. */
  readonly fiscalYearStarts: string;
  /** Root of GitHub's pages, without a slash at the end. */
  readonly github: string;
  /** Root of these pages, without a slash at the end. */
  readonly publicUrl: string;
  readonly policies: PolicyAccess;
  /**
   * Reads what the platform counts as applied in the last days, in the cloud accounts that the operator granted to those of these
   * repositories whose readers may see figures.
   */
  readonly readAppliedSavings: (
    repositoryIds: readonly number[],
    days: number,
  ) => Promise<Fact<AppliedSavings>>;
  readonly operator: OperatorAccess;
  /** Null: the platform is elsewhere, and has pages of its executions. */
  readonly executions: ExecutionAccess | null;
  /** Receives a failure after an answer has begun; the answer then ends early. */
  readonly onError: (error: unknown) => void;
}

/** Applied recommendations, with what they save per month as the platform states it. */
export interface AppliedSavings {
  readonly recommendations: number;
  /** Null: not stated. */
  readonly monthly: Money | null;
  /** Whether a part of the amount is not stated. */
  readonly isPartial: boolean;
}

/** Reads executions of the embedded platform. */
export interface ExecutionAccess {
  /** Reads the ids in a URL that names an execution of this account; null: it names none. */
  readonly parseUrl: (url: string) => ExecutionRef | null;
  /**
   * Finds an execution of a repository that the reader can read; null: there is none. `stageId` null: the newest stage of each workspace. GitHub
   * is asked in any case, as by `findReadableRepository`.
   */
  readonly find: (
    execution: ExecutionRef,
    stageId: string | null,
    canRead: Reader["canRead"],
  ) => Promise<FoundExecution | null>;
}

export interface FoundExecution {
  readonly repository: Repository;
  readonly report: Report;
  readonly pipeline: string;
  /** When its first stage was recorded, in ms since 1970. */
  readonly createdMs: number;
  /** The commits of the repository that it is bound to, the first recorded one first. */
  readonly shas: readonly string[];
  /** Who recorded them, in words. */
  readonly writers: readonly string[];
}

export interface PageEnv {
  readonly Variables: { readonly reader: Reader };
}

/** Answers with a page for the reader who is signed in. */
export const answerPage = (context: Context<PageEnv>, page: Page, status: 200 | 404 | 429 = 200): Response =>
  context.html(renderPage(page, context.var.reader), status);

/** Answers with a table as a file, the first one if the query names none; null: a page is asked for. */
export async function answerFile(
  context: Context<PageEnv>,
  tables: readonly Table[],
  nameFile: (table: Table) => string,
): Promise<Response | null> {
  const address = readAddress(context.req.url);
  const format = readFormat(address.query["format"]);
  if (format === null) return null;
  const name = address.query["table"] ?? tables[0]?.name;
  const table = tables.find((one) => one.name === name);
  return table?.export(address, format, nameFile(table)) ?? answerNotFound(context);
}

/** The answer for what does not exist and for what the reader may not see: equal, so that neither is told. */
export function answerNotFound(context: Context<PageEnv>): Response {
  const body = renderProblem(
    "Nothing here",
    html`<p>There is no such page, or your account on GitHub cannot read the repository that it belongs to.</p>
<p><a class="button" href="/">Your repositories</a></p>`,
  );
  return answerPage(context, { title: "Not found", body }, 404);
}

/** The answer for a reader who asks too often. */
export function answerTooMany(context: Context<PageEnv>): Response {
  const text = html`<p>You asked for this too often. Try it again in a minute.</p>`;
  return answerPage(
    context,
    { title: "Please wait", body: renderProblem("Please wait a minute", text) },
    429,
  );
}

/** Answers 503 while GitHub does not say what the reader may see, for then nothing is shown. Other errors are thrown on. */
export const answerUnavailable: ErrorHandler<PageEnv> = (error, context) => {
  if (!(error instanceof TollgateError && error.code === "github_failed")) throw error;
  const body = renderProblem(
    "GitHub does not answer",
    html`<p>Tollgate asks GitHub what your account can read, and shows nothing until GitHub says so. Reload this page in a minute.</p>
<p><a href="https://www.githubstatus.com">GitHub's status</a></p>`,
  );
  const page = renderPage({ title: "GitHub does not answer", body }, null);
  return context.html(page, 503, { "retry-after": "60" });
};

/** A delivery of GitHub with what became of it. Times in ms since 1970. */
export interface DeliveryOutcome {
  readonly id: string;
  /** What it says in one word, e.g. `pull`; null: a newer version stored it. */
  readonly event: string | null;
  /** `owner/name`; null: it is about no repository. */
  readonly repository: string | null;
  readonly pull: number | null;
  readonly state: "waiting" | "again" | "running" | "done" | "failed";
  readonly receivedMs: number;
  /** Message of the newest failure; null: none. */
  readonly problem: string | null;
}

export interface QueueState {
  readonly name: string;
  readonly due: number;
  readonly scheduled: number;
  readonly active: number;
  readonly oldestDueSeconds: number;
}

export interface FailedWork {
  readonly queue: string | null;
  readonly lane: string | null;
  readonly failedMs: number;
  readonly problem: string | null;
}

/** A call of GitHub or of the platform that failed, since this process started. */
export interface FailedCall {
  readonly name: string;
  /** In one word, e.g. `timed_out`. */
  readonly outcome: string;
  readonly atMs: number;
}

export interface OperatorState {
  readonly version: string;
  readonly node: string;
  /** E.g. `postgres`. */
  readonly database: string;
  readonly parts: readonly ExaminedPart[];
  readonly queues: readonly QueueState[];
  readonly deliveries: readonly DeliveryOutcome[];
  readonly failedWork: readonly FailedWork[];
  readonly failedCalls: readonly FailedCall[];
  /** Ids of installations whose calls pause for GitHub's rate limit. */
  readonly pausedInstallations: ReadonlySet<number>;
}

export interface OperatorAccess {
  readonly readState: () => Promise<OperatorState>;
  readonly evaluate: (repositoryId: number, number: number) => Promise<void>;
  /** Reads an installation with its repositories and open pull requests from GitHub; it continues after the answer. */
  readonly sweep: (installationId: number) => void;
  readonly retryDelivery: (id: string) => Promise<void>;
  readonly record: (
    admin: { readonly id: number | null; readonly login: string },
    action: string,
    details: object,
  ) => void;
}

/** A policy file as GitHub has it now. `name` names it in problems, e.g. `acme/infra:.github/tollgate.yml`. */
export type BranchFile =
  | { readonly state: "found"; readonly name: string; readonly text: string }
  | { readonly state: "absent" }
  | { readonly state: "unreadable" };

export interface BranchFiles {
  readonly branch: string;
  readonly repository: BranchFile;
  readonly organisation: BranchFile;
  /** GitHub's id of the repository with the organisation's file; null: there is none. */
  readonly organisationRepositoryId: number | null;
}

export interface PolicyAccess {
  /** Reads the files from GitHub as the App; null: GitHub does not answer, or the repository has no branch. */
  readonly readFiles: (repository: InstalledRepository) => Promise<BranchFiles | null>;
  /** Performs tasks of proposed policies, which never delay policies in force. */
  readonly perform: PerformTask;
}
