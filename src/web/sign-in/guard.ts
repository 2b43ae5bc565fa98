import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { setCookie } from "hono/cookie";
import { csrf } from "hono/csrf";
import type { CookieOptions } from "hono/utils/cookie";
import type { Clock } from "../../kernel/clock.ts";
import { createBearerLimiter } from "../bearer-limiter.ts";
import { renderPage, renderProblem } from "../page/frame.ts";
import { html, icon } from "../page/html.ts";
import { isSameSecret } from "../same-secret.ts";
import { findSession, type PeopleDeps, readBearer, readCookie } from "./find-reader.ts";

export interface GuardDeps {
  readonly clock: Clock;
  /** Root of the pages as browsers see it; null: not known, so only this machine's names are accepted as hosts. */
  readonly publicUrl: string | null;
  /** Returns who sends a request, behind the operator's own proxies too. */
  readonly getClient: (request: IncomingMessage) => string;
  /** Null: nobody can sign in. */
  readonly people: (Pick<PeopleDeps, "sessions" | "cookie"> & { readonly cookies: Cookies }) | null;
}

/** The header of a script's request that contains the session's form token. */
const FORM_TOKEN_HEADER = "x-tollgate-form-token";

/** Requests per minute and client with user tokens, each of which may have to be shown to GitHub. */
const USER_TOKENS_PER_MINUTE = 60;

/** Requests that the middleware of pages and of the API applies to. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage;
}

/**
 * Middleware of every page and of the API: refuses hosts that are not ours (a name that an attacker points to this machine), changes
 * that another site's page sends, and changes without the form token of the session; limits requests with user tokens; and keeps a
 * used session's cookie young.
 */
export function createGuard(deps: GuardDeps): readonly MiddlewareHandler[] {
  const origins = createOwnOrigins(deps.publicUrl);
  const isWithinRate = createBearerLimiter(deps.clock, USER_TOKENS_PER_MINUTE);
  return [
    async (context, next) => {
      if (!origins.isHost(context.req.header("host") ?? "")) return context.text(NOT_HERE, 421);
      const isUserToken = readBearer(context.req.raw)?.startsWith("ghu_") === true;
      if (isUserToken && !isWithinRate(findClient(context, deps)))
        return context.json({ message: "too many requests; wait a minute" }, 429);
      if (NUL.test(context.req.url))
        return context.json({ message: "no name contains the character NUL" }, 400);
      return next();
    },
    csrf({ origin: (origin) => origins.isOrigin(origin) }),
    createFormCheck(deps),
    createCookieRenewal(deps),
  ];
}

/** Returns who sends a request; in tests without a server, nobody. */
export const findClient = ({ env }: Context, { getClient }: Pick<GuardDeps, "getClient">): string => {
  const { incoming }: NodeBindings = env ?? {};
  return incoming === undefined ? "" : getClient(incoming);
};

/** PostgreSQL takes no text with it. */
const NUL = /%00/;
const NOT_HERE = "This host name does not belong to Tollgate: set PUBLIC_URL to the address that you use.\n";
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/** The hosts under which browsers may reach the pages: that of PUBLIC_URL and this machine's own names. */
function createOwnOrigins(publicUrl: string | null) {
  const own = publicUrl === null ? null : new URL(publicUrl);
  return {
    isHost: (host: string): boolean => host.toLowerCase() === own?.host || LOOPBACK.test(host),
    isOrigin: (origin: string): boolean =>
      origin === own?.origin || (/^http:\/\//.test(origin) && LOOPBACK.test(origin.slice("http://".length))),
  };
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** A bearer token is no cookie: no page of another site can make a browser send it. */
function createFormCheck({ people }: GuardDeps): MiddlewareHandler {
  return async (context, next) => {
    if (SAFE.has(context.req.method) || people === null || readBearer(context.req.raw) !== null)
      return next();
    const session = await findSession(people, context.req.raw);
    if (session === null) return next();
    const given = context.req.header(FORM_TOKEN_HEADER) ?? (await readFormToken(context));
    if (isSameSecret(given, session.formToken)) return next();
    return (await answerRefusedForm(context, session.formToken)) ?? context.text(STALE_FORM, 403);
  };
}

const STALE_FORM = "This form is not from a page of your session. Go back, reload the page, and try again.\n";

/** The body stays readable for the routes: hono keeps what was parsed. */
async function readFormToken({ req }: Context): Promise<string> {
  const body: Readonly<Record<string, unknown>> = await req.parseBody().catch(() => ({}));
  const token = body[FORM_TOKEN];
  return typeof token === "string" ? token : "";
}

function createCookieRenewal({ people }: GuardDeps): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (people === null || context.res.headers.has("set-cookie")) return;
    const { session, options } = people.cookies;
    const renewed = await people.sessions.renewCookie(readCookie(context.req.raw, session));
    if (renewed !== null) setCookie(context, session, renewed, options);
  };
}

/** Names and attributes of the cookies, by the address at which browsers reach these pages. */
export interface Cookies {
  /** Of a browser that is signed in. */
  readonly session: string;
  /** Of a sign-in that has begun. */
  readonly begun: string;
  readonly options: CookieOptions;
}

/**
 * With TLS, the prefix `__Host-` makes browsers refuse such a cookie from another host and without `Secure`. Lax: the cookie must be
 * sent on GitHub's redirect to these pages, and with no form of another site.
 */
export function nameCookies(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith("https:");
  const prefix = secure ? "__Host-" : "";
  return {
    session: `${prefix}tollgate`,
    begun: `${prefix}tollgate-sign-in`,
    options: { httpOnly: true, sameSite: "Lax", path: "/", secure },
  };
}

/** The field of a form that contains the session's form token. */
const FORM_TOKEN = "form_token";

/** The form whose text takes long to write: a proposed policy. */
const KEPT_FORM = { path: /^\/r\/[^/]+\/[^/]+\/policy$/, field: "policy" } as const;

/**
 * Answers a refused form with its text in a new form, so that nobody loses it; null: the request is not such a form. `formToken`: of
 * the session; null: nobody is signed in, and the new form is refused once more, with the token of the session that there is then.
 */
export async function answerRefusedForm(
  context: Context,
  formToken: string | null,
): Promise<Response | null> {
  const { pathname } = new URL(context.req.url);
  if (context.req.method !== "POST" || !KEPT_FORM.path.test(pathname)) return null;
  const body: Readonly<Record<string, unknown>> = await context.req.parseBody().catch(() => ({}));
  const text = body[KEPT_FORM.field];
  if (typeof text !== "string") return null;
  const { heading, explanation, button } =
    formToken === null ? describeEnded(pathname) : describeStale(pathname);
  const form = html`<form method="post" action="${pathname}">
${formToken !== null && html`<input type="hidden" name="${FORM_TOKEN}" value="${formToken}">`}
<label class="field"><span>Your text</span>
<textarea name="${KEPT_FORM.field}" rows="24" spellcheck="false" autocomplete="off" autocapitalize="off">
${text.replaceAll("\r\n", "\n")}</textarea></label>
<p class="actions"><button class="primary">${icon("check-circle")}${button}</button></p>
</form>`;
  const page = { title: heading, body: renderProblem(heading, explanation, form) };
  return context.html(renderPage(page, null), formToken === null ? 401 : 403);
}

function describeEnded(pathname: string) {
  const signIn = `/sign-in?${new URLSearchParams({ return_to: pathname })}`;
  return {
    heading: "Your session has ended",
    explanation: html`<p>Nothing was tried. Your text is below: leave this page open, sign in in a new tab, then come back and continue.</p>
<p><a class="button" href="${signIn}" target="_blank" rel="noopener">${icon("person")}Sign in in a new tab</a></p>`,
    button: "Continue with this text",
  };
}

const describeStale = (pathname: string) => ({
  heading: "You have signed in again",
  explanation: html`<p>The form was from a page before your present session, so nothing was tried. Your text is below: try it from here, or copy it to <a href="${pathname}" target="_blank" rel="noopener">the policy page</a>.</p>`,
  button: "Try it",
});
