import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { z } from "zod";
import { issueCode } from "../resources/user-tokens.ts";
import type { App } from "../state/records.ts";
import { findAccount, type World } from "../state/world.ts";
import { type Html, layout } from "./layout.ts";

type Env = { Bindings: HttpBindings };

const PATH = "/login/oauth/authorize";

/** The parameters that GitHub documents for this page. */
const Authorization = z.object({
  client_id: z.string(),
  redirect_uri: z.string().optional(),
  state: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.literal("S256").optional(),
});
type Authorization = z.infer<typeof Authorization>;

/**
 * The page on which a person lets an App act for them. GitHub knows who is signed in; here the person chooses who they are. It is
 * shown each time, also to people who have authorized the App before.
 */
export function addAuthorizePage(app: Hono<Env>, world: World): void {
  app.get(PATH, (c) => {
    const asked = readAuthorization(world, c.req.query());
    if (asked === null) return show(c, problemPage(), 404);
    return show(c, authorizePage(world, asked), 200, new URL(asked.redirectUri).origin);
  });
  app.post(PATH, async (c) => {
    const form = Object.fromEntries(
      Object.entries(await c.req.parseBody()).map(([name, value]) => [name, String(value)]),
    );
    const asked = readAuthorization(world, form);
    if (asked === null) return show(c, problemPage(), 404);
    const user = findAccount(world, form["login"] ?? "");
    return c.redirect(user === null ? buildRefusedUrl(asked) : authorize(world, asked, user.id));
  });
}

interface AskedAuthorization {
  readonly app: App;
  readonly redirectUri: string;
  readonly parameters: Authorization;
}

function readAuthorization(world: World, given: Readonly<Record<string, string>>): AskedAuthorization | null {
  const parsed = Authorization.safeParse(given);
  const app = world.apps.find(({ clientId }) => clientId === given["client_id"]);
  const redirectUri = parsed.data?.redirect_uri ?? app?.callbackUrls[0];
  if (!parsed.success || app === null || redirectUri === undefined) return null;
  return app.callbackUrls.includes(redirectUri) ? { app, redirectUri, parameters: parsed.data } : null;
}

/** Returns where GitHub sends the browser, with a code for the App. */
function authorize(
  world: World,
  { app, redirectUri, parameters }: AskedAuthorization,
  userId: number,
): string {
  const challenge = parameters.code_challenge ?? null;
  const code = issueCode(world, { appId: app.id, userId, redirectUri, challenge });
  return withQuery(redirectUri, { code, state: parameters.state });
}

const buildRefusedUrl = ({ redirectUri, parameters }: AskedAuthorization): string =>
  withQuery(redirectUri, {
    error: "access_denied",
    error_description: "The user has denied your application access.",
    state: parameters.state,
  });

function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

function authorizePage(world: World, { app, redirectUri, parameters }: AskedAuthorization): Html {
  const people = world.accounts.filter(({ type }) => type === "User");
  return layout({
    title: `Authorize ${app.name} · Sandbox GitHub`,
    crumbs: html`<b>Authorize ${app.name}</b>`,
    body: html`<div class="heading"><h1>Authorize ${app.name}</h1>
<p class="quiet"><b>${app.name}</b> would like to verify your identity and know which resources you can access. You come back to <b>${new URL(redirectUri).host}</b>.</p></div>
<form method="post" action="${PATH}">
${Object.entries({ ...parameters, redirect_uri: redirectUri }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<ul class="card rows">
${people.map(({ id, login }) => html`<li><img class="avatar" src="/-/avatars/${id}.svg" width="32" height="32" alt=""><span class="grow title">${login}</span><button class="button choose" name="login" value="${login}">Authorize as ${login}</button></li>`)}
</ul>
<p><button class="button plain" name="login" value="">Cancel</button></p>
</form>`,
  });
}

const problemPage = (): Html =>
  layout({
    title: "Not found · Sandbox GitHub",
    crumbs: html`<b>Not found</b>`,
    body: html`<div class="heading"><h1>There is no such App, or the address to return to is not one of its callback URLs</h1></div>`,
  });

/** Browsers apply the policy to where a form's answer redirects, too. */
const show = async (c: Context<Env>, page: Html, status: 200 | 404, redirectOrigin = "") =>
  c.body(String(await page), status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self' ${redirectOrigin}; frame-ancestors 'none'`,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
