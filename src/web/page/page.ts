import type { Context, ErrorHandler } from "hono";
import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PageTexts } from "../../render/page/page-texts.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { OperatorAccess } from "../operator-access.ts";
import type { PolicyAccess } from "../policy-access.ts";
import type { Reader } from "../reader.ts";
import { type Page, renderPage, renderProblem } from "./frame.ts";
import { html } from "./html.ts";

/** What every page needs of the process. */
export interface PageDeps {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** The words of comments. */
  readonly texts: PageTexts;
  /** Root of GitHub's pages, without a slash at the end. */
  readonly github: string;
  /** Root of these pages, without a slash at the end. */
  readonly publicUrl: string;
  readonly policies: PolicyAccess;
  readonly operator: OperatorAccess;
  /** Receives a failure after an answer has begun; the answer then ends early. */
  readonly onError: (error: unknown) => void;
}

/** Variables of a request for a page: its reader is signed in. */
export interface PageEnv {
  readonly Variables: { readonly reader: Reader };
}

/** Answers with a page for the reader who is signed in. */
export const answerPage = (context: Context<PageEnv>, page: Page, status: 200 | 404 | 429 = 200): Response =>
  context.html(renderPage(page, context.var.reader), status);

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
