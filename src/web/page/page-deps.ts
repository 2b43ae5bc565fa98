import type { Context, ErrorHandler } from "hono";
import type { Kysely } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PageTexts } from "../../render/page/page-texts.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { OperatorAccess } from "../operator-access.ts";
import type { PolicyAccess } from "../policy-access.ts";
import type { Reader } from "../reader.ts";
import type { RenderPage } from "./page-renderer.ts";

/** What every page needs of the process. */
export interface PageDeps {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly render: RenderPage;
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

/** The answer for what does not exist and for what the reader may not see: equal, so that neither is told. */
export function answerNotFound(
  context: Context<PageEnv>,
  render: RenderPage,
  reader: Reader | null,
): Response {
  const view = {
    heading: "Nothing here",
    text: "There is no such page, or your account on GitHub cannot read the repository that it belongs to.",
    link: { text: "Your repositories", href: "/" },
  };
  const page = { title: "Not found", trail: [], template: "problem", view, reader };
  return context.html(render(page), 404) as Response; // hono types it as a promise when the text may be one
}

/** Answers 503 while GitHub does not say what the reader may see, for then nothing is shown. Other errors are thrown on. */
export const answerUnavailable =
  (render: RenderPage): ErrorHandler<PageEnv> =>
  (error, context) => {
    if (!(error instanceof TollgateError && error.code === "github_failed")) throw error;
    const page = { title: "GitHub does not answer", trail: [], template: "github-unavailable", view: {} };
    return context.html(render({ ...page, reader: null }), 503, { "retry-after": "60" });
  };

/** The answer for a reader who asks too often. */
export function answerTooMany(context: Context<PageEnv>, render: RenderPage, reader: Reader): Response {
  const view = {
    heading: "Please wait a minute",
    text: "You asked for this too often. Try it again in a minute.",
    link: null,
  };
  const page = { title: "Please wait", trail: [], template: "problem", view, reader };
  return context.html(render(page), 429) as Response; // hono types it as a promise when the text may be one
}
