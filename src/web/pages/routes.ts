import { Hono, type MiddlewareHandler } from "hono";
import { createBearerLimiter } from "../bearer-limiter.ts";
import {
  answerNotFound,
  answerTooMany,
  answerUnavailable,
  type PageDeps,
  type PageEnv,
} from "../page/page.ts";
import { readFormat } from "../page/table.ts";
import { type FindReader, getReaderKey } from "../reader.ts";
import { answerRefusedForm } from "../sign-in/guard.ts";
import { SIGN_IN_PATH } from "../sign-in/routes.ts";
import { createDecisionPages } from "./decisions/decisions-page.ts";
import { createExecutionPages } from "./execution/execution-page.ts";
import { createHomePage } from "./home.ts";
import { createMergedPages } from "./merged/merged-page.ts";
import { createOperatorPage } from "./operator.ts";
import { createOverviewPages } from "./overview/overview.ts";
import { createPolicyPages } from "./policy/policy-trial-page.ts";
import { createPullPages } from "./pull/pull-page.ts";
import { createRulePages } from "./rules/rule-page.ts";
import { createRulesPages } from "./rules/rules-page.ts";

/** The pages for people who signed in; each row is one page or one group of them. */
const PAGES: readonly ((deps: PageDeps) => Hono<PageEnv>)[] = [
  createHomePage,
  createPullPages,
  createExecutionPages,
  createDecisionPages,
  createOverviewPages,
  createMergedPages,
  createRulesPages,
  createRulePages,
  createPolicyPages,
  createOperatorPage,
];

/** Paths of pages: the middleware of pages applies to them only, because the same server has other routes. */
export const PAGE_PATHS = ["/", "/r/*", "/o/*", "/executions/*", "/ng/account/*", "/operator/*"] as const;

/** Pages and files per minute and reader: far more than a person looks at. */
const PER_MINUTE = 300;
/** Of these, tables as files: one of 20,000 rows takes a second or two of work. */
const FILES_PER_MINUTE = 20;

/**
 * Serves the pages. Who is not signed in is sent to the sign-in page and comes back, or keeps the text of the policy page's form; what
 * the reader may not see answers like what does not exist.
 */
export function createPages(deps: PageDeps, findReader: FindReader): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  app.onError(answerUnavailable);
  const guards = [requireReader(findReader), limitReaders(deps)];
  for (const path of PAGE_PATHS) app.use(path, ...guards);
  for (const create of PAGES) app.route("/", create(deps));
  for (const path of PAGE_PATHS) app.get(path, (context) => answerNotFound(context));
  return app;
}

const requireReader =
  (findReader: FindReader): MiddlewareHandler<PageEnv> =>
  async (context, next) => {
    const reader = await findReader(context.req.raw);
    if (reader === null) {
      const { pathname, search } = new URL(context.req.url);
      const here = new URLSearchParams({ return_to: pathname + search });
      return (await answerRefusedForm(context, null)) ?? context.redirect(`${SIGN_IN_PATH}?${here}`, 302);
    }
    context.set("reader", reader);
    return next();
  };

function limitReaders({ clock }: Pick<PageDeps, "clock">): MiddlewareHandler<PageEnv> {
  const isWithinRate = createBearerLimiter(clock, PER_MINUTE);
  const isWithinFiles = createBearerLimiter(clock, FILES_PER_MINUTE);
  return async (context, next) => {
    const key = getReaderKey(context.var.reader);
    const isFile = readFormat(context.req.query("format")) !== null;
    return isWithinRate(key) && (!isFile || isWithinFiles(key)) ? next() : answerTooMany(context);
  };
}
