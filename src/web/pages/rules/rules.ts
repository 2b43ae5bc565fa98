import { type Context, Hono } from "hono";
import { findRuleAddress } from "../../../render/sections/addresses.ts";
import { createSubject } from "../../../render/sections/section.ts";
import { listNewestEvaluations } from "../../../store/evaluations.ts";
import { countReadableRepositories } from "../../../store/history/readable.ts";
import { listRuleStatistics } from "../../../store/history/rule-outcomes.ts";
import { readAddress } from "../../page/address.ts";
import { answerNotFound, type PageDeps, type PageEnv } from "../../page/page.ts";
import { readFormat } from "../../page/table.ts";
import { buildPeriodLinks, readPeriod } from "../period.ts";
import { findOwnerScope, findRepositoryScope, type PageScope } from "../scope.ts";
import { adviseOnRule } from "./advice.ts";
import { createRulesTable } from "./rules-table.ts";

const DAY_MS = 86_400_000;

/** `GET /r/{owner}/{repo}/rules` and `GET /o/{owner}/rules`: what each rule does, so that useless and unsafe ones show. */
export const createRulesPages = (deps: PageDeps): Hono<PageEnv> =>
  new Hono<PageEnv>()
    .get("/r/:owner/:name/rules", async (context) => {
      const names = context.req.param();
      return answerRules(context, deps, await findRepositoryScope(deps, context.var.reader, names));
    })
    .get("/o/:owner/rules", async (context) => {
      const scope = await findOwnerScope(deps, context.var.reader, context.req.param("owner"));
      return answerRules(context, deps, scope);
    });

async function answerRules(
  context: Context<PageEnv>,
  deps: PageDeps,
  scope: PageScope | null,
): Promise<Response> {
  const { reader } = context.var;
  if (scope === null) return answerNotFound(context);
  const { db } = deps;
  const { kind, name, path, repositoryIds } = scope;
  const address = readAddress(context.req.url);
  const period = readPeriod(address.query["period"]);
  const nowMs = deps.clock.now();
  const span = { from: new Date(nowMs - period.days * DAY_MS), to: new Date(nowMs + 1) };
  const rules = await listRuleStatistics(db, repositoryIds, span);
  const table = createRulesTable(
    async () => rules,
    await findAddresses(deps, scope),
    kind === "organisation",
  );
  const format = readFormat(address.query["format"]);
  if (format !== null) return table.export(address, format, name);
  const view = {
    name,
    isOrganisation: kind === "organisation",
    repositories: await countReadableRepositories(db, repositoryIds),
    periods: buildPeriodLinks(period, address),
    advice: rules.flatMap((rule) => adviseOnRule(rule) ?? []),
    rules: await table.buildView(address),
  };
  const trail = scope.trail({ text: "Rules", href: `${path}/rules` });
  const page = { title: `Rules · ${name}`, trail, tabs: scope.tabs("rules"), template: "rules", view };
  return context.html(deps.render({ ...page, reader }));
}

/** Returns the lines of a repository's rules in the policy files of its newest evaluation. */
async function findAddresses(
  { db, github }: PageDeps,
  { kind, repositoryIds: [repositoryId] }: PageScope,
): Promise<(rule: string) => string | null> {
  if (kind === "organisation" || repositoryId === undefined) return () => null;
  const [newest] = await listNewestEvaluations(db, { repositoryId, number: NO_PULL }, 1);
  if (newest === undefined) return () => null;
  const subject = createSubject(newest, { details: null, recheck: false, github });
  return (rule) => findRuleAddress(subject, rule);
}

/** Excludes no pull request. */
const NO_PULL = 0;
