import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { z } from "zod";
import { createBearerLimiter } from "../bearer-limiter.ts";
import { setPageHeaders } from "../page/headers.ts";
import type { RenderPage } from "../page/page-renderer.ts";
import { isSameSecret } from "../same-secret.ts";
import type { Cookies } from "./cookies.ts";
import type { PeopleDeps } from "./find-reader.ts";
import { findClient, type GuardDeps } from "./guard.ts";
import { renderDisabledPage, renderProblemPage, renderSignInPage, type SignInProblem } from "./pages.ts";
import { parseReturnPath } from "./return-path.ts";
import type { Seal } from "./seal.ts";

export interface SignInDeps extends Omit<GuardDeps, "people"> {
  /** Null: nobody can sign in. */
  readonly people: (PeopleDeps & SignInParts) | null;
  readonly render: RenderPage;
  readonly log: { warn(details: object, message: string): void };
}

interface SignInParts {
  /** Root of these pages, without a slash at the end. */
  readonly publicUrl: string;
  readonly cookies: Cookies;
  /** Seals what a browser keeps between the two halves of a sign-in. */
  readonly seal: Seal;
  /** Returns new unguessable bytes as base64url. */
  readonly random: (bytes: number) => string;
}

export const SIGN_IN_PATH = "/sign-in";
export const CALLBACK_PATH = `${SIGN_IN_PATH}/callback`;
/** Paths of these routes, for middleware. */
export const SIGN_IN_PATHS = [`${SIGN_IN_PATH}/*`, "/sign-out"] as const;
const START_PATH = `${SIGN_IN_PATH}/start`;

/** Sign-ins per minute and client. */
const PER_MINUTE = 60;
/** GitHub's code lives as long. */
const BEGUN_MS = 600_000;

/** A sign-in that has begun in this browser. */
const Begun = z.object({
  state: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  atMs: z.number(),
});

type People = NonNullable<SignInDeps["people"]>;

/**
 * `GET /sign-in`: what signing in means, with a link to GitHub, or how to enable it. `GET /sign-in/start` leads to GitHub,
 * `GET /sign-in/callback` is where GitHub leads back to, `POST /sign-out` ends the session.
 */
export function createSignInRoutes(deps: SignInDeps): Hono {
  const { people } = deps;
  const app = new Hono();
  for (const path of SIGN_IN_PATHS) app.use(path, ...setPageHeaders());
  if (people === null) {
    const explain = (context: Context) => context.html(renderDisabledPage(deps.render), 503);
    return app.get(`${SIGN_IN_PATH}/*`, explain);
  }
  const isWithinRate = createBearerLimiter(deps.clock, PER_MINUTE);
  app.use(`${SIGN_IN_PATH}/*`, async (context, next) =>
    context.req.path === SIGN_IN_PATH || isWithinRate(findClient(context, deps))
      ? next()
      : show(context, deps, "too_often"),
  );
  app.get(SIGN_IN_PATH, async (context) => {
    const returnTo = parseReturnPath(context.req.query("return_to"));
    const session = await people.sessions.open(getCookie(context, people.cookies.session));
    if (session !== null) return context.redirect(people.publicUrl + returnTo, 303);
    const query = new URLSearchParams({ return_to: returnTo });
    return context.html(renderSignInPage(deps.render, `${people.publicUrl}${START_PATH}?${query}`));
  });
  app.get(START_PATH, (context) => start(context, deps, people));
  app.get(CALLBACK_PATH, (context) => finish(context, deps, people));
  app.post("/sign-out", async (context) => {
    await people.sessions.end(getCookie(context, people.cookies.session));
    deleteCookie(context, people.cookies.session, people.cookies.options);
    return context.redirect(`${people.publicUrl}${SIGN_IN_PATH}`, 303);
  });
  return app;
}

/** GitHub leads back to PUBLIC_URL only, and the browser sends its cookie only to where it got it: other names move there first. */
async function start(context: Context, { clock }: SignInDeps, people: People): Promise<Response> {
  const { publicUrl, random, seal, cookies, users } = people;
  if (context.req.header("host")?.toLowerCase() !== new URL(publicUrl).host)
    return context.redirect(`${publicUrl}${START_PATH}${new URL(context.req.url).search}`, 302);
  const begun = { state: random(32), verifier: random(48), atMs: clock.now() };
  const returnTo = parseReturnPath(context.req.query("return_to"));
  const options = { ...cookies.options, maxAge: BEGUN_MS / 1_000 };
  setCookie(context, cookies.begun, await seal.seal({ ...begun, returnTo }), options);
  const challenge = createHash("sha256").update(begun.verifier).digest("base64url");
  const redirectUri = publicUrl + CALLBACK_PATH;
  return context.redirect(users.buildAuthorizeUrl({ state: begun.state, challenge, redirectUri }), 302);
}

/** The state proves that this browser began the sign-in: otherwise another page could sign a person in as somebody else. */
async function finish(context: Context, deps: SignInDeps, people: People): Promise<Response> {
  const { cookies, seal, sessions, users, publicUrl } = people;
  const begun = Begun.safeParse(await seal.open(getCookie(context, cookies.begun) ?? ""));
  deleteCookie(context, cookies.begun, cookies.options);
  const { state = "", code = "", error } = context.req.query();
  if (!begun.success || deps.clock.now() - begun.data.atMs > BEGUN_MS)
    return show(context, deps, "not_begun");
  if (!isSameSecret(state, begun.data.state)) return show(context, deps, "not_begun");
  if (error !== undefined) return show(context, deps, "denied");
  const { verifier, returnTo } = begun.data;
  const tokens = await users.exchangeCode({ code, verifier, redirectUri: publicUrl + CALLBACK_PATH });
  if (!tokens.ok) return answerFailure(context, deps, tokens.failure);
  const user = await users.readUser(tokens.value.accessToken);
  if (!user.ok) return answerFailure(context, deps, user.failure);
  await sessions.end(getCookie(context, cookies.session));
  setCookie(context, cookies.session, await sessions.begin(user.value, tokens.value), cookies.options);
  return context.redirect(publicUrl + returnTo, 303);
}

async function answerFailure(
  context: Context,
  deps: SignInDeps,
  failure: { readonly kind: string },
): Promise<Response> {
  deps.log.warn({ failure }, "a sign-in failed at GitHub");
  return show(context, deps, failure.kind === "rejected" ? "rejected" : "unavailable");
}

const STATUS = { too_often: 429, not_begun: 400, denied: 403, rejected: 400, unavailable: 503 } as const;

const show = async (context: Context, { render }: SignInDeps, problem: SignInProblem): Promise<Response> =>
  context.html(renderProblemPage(render, problem), STATUS[problem]);
