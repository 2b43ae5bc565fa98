import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { resolveGitHubPagesUrl } from "../../github/client/api-addresses.ts";
import { createPageTexts } from "../../render/page/page-texts.ts";
import type { Settings } from "../../settings/settings.ts";
import { createApiRoutes } from "../../web/api/routes.ts";
import { createAssetRoutes } from "../../web/page/assets.ts";
import { setPageHeaders } from "../../web/page/headers.ts";
import { createPages, PAGE_PATHS } from "../../web/pages/routes.ts";
import { createFindReader } from "../../web/sign-in/find-reader.ts";
import { createGuard } from "../../web/sign-in/guard.ts";
import { createSignInRoutes, SIGN_IN_PATHS } from "../../web/sign-in/routes.ts";
import { ClientAddresses } from "../http/client-addresses.ts";
import { formatOwnAddress } from "../own-addresses.ts";
import { loadOperatorTemplates, loadTemplates } from "../process/templates.ts";
import { connectPeople, type SignInParts } from "../sign-in.ts";
import { buildOperatorAccess, type OperatorParts } from "./operator-access.ts";
import { buildPolicyAccess } from "./policy-access.ts";

/** Longest body of a request for a page, in bytes. */
const MAX_BODY = 256 * 1024;

export type PeoplePageParts = SignInParts & OperatorParts;

/** Builds the pages for people, with their sign-in. */
export function createPeoplePages(settings: Settings, parts: PeoplePageParts): Hono {
  const { clock, store } = parts.session;
  const { db } = store;
  const people = connectPeople(settings, parts);
  const addresses = new ClientAddresses(settings.trustedProxies);
  const { publicUrl, host, port } = settings;
  const guard = { clock, publicUrl, getClient: addresses.getClient.bind(addresses), people };
  const findReader = createFindReader({ db, clock, account: settings.platform.account, people });
  const github = resolveGitHubPagesUrl(settings.githubUrl);
  const deps = {
    ...{ db, clock, github },
    texts: createPageTexts(loadTemplates(), loadOperatorTemplates(settings.templatesDirectory, parts.log)),
    policies: buildPolicyAccess(parts.deps),
    operator: buildOperatorAccess(parts),
    publicUrl: publicUrl ?? formatOwnAddress(host, port),
    onError: (error: unknown) => parts.log.error({ error }, "an answer ended early"),
  };
  const app = new Hono();
  app.route("/", createAssetRoutes());
  const guards = [bodyLimit({ maxSize: MAX_BODY }), ...createGuard(guard)];
  for (const path of [...PAGE_PATHS, ...SIGN_IN_PATHS, API_PATH]) app.use(path, setPageHeaders(), ...guards);
  app.route("/", createSignInRoutes({ ...guard, people, log: parts.log }));
  app.route("/", createApiRoutes(deps, findReader));
  return app.route("/", createPages(deps, findReader));
}

const API_PATH = "/api/v1/*";
