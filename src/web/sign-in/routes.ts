import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { z } from "zod";
import { MINUTE_MS } from "../../kernel/clock.ts";
import type { Seal } from "../../store/seal.ts";
import { createBearerLimiter } from "../bearer-limiter.ts";
import { renderPage, renderProblem } from "../page/frame.ts";
import { html, icon } from "../page/html.ts";
import { isSameSecret } from "../same-secret.ts";
import type { PeopleDeps } from "./find-reader.ts";
import { type Cookies, findClient, type GuardDeps } from "./guard.ts";

export interface SignInDeps extends Omit<GuardDeps, "people"> {
  /** Null: nobody can sign in. */
  readonly people: (PeopleDeps & SignInParts) | null;
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
const CALLBACK_PATH = `${SIGN_IN_PATH}/callback`;
/** Paths of these routes, for middleware. */
export const SIGN_IN_PATHS = [`${SIGN_IN_PATH}/*`, "/sign-out"] as const;
const START_PATH = `${SIGN_IN_PATH}/start`;

/** Sign-ins per minute and client. */
const PER_MINUTE = 60;
/** GitHub's code lives as long. */
const BEGUN_MS = 10 * MINUTE_MS;

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
  if (people === null) {
    return app.get(`${SIGN_IN_PATH}/*`, (context) => context.html(renderDisabledPage(), 503));
  }
  const isWithinRate = createBearerLimiter(deps.clock, PER_MINUTE);
  app.use(`${SIGN_IN_PATH}/*`, async (context, next) =>
    context.req.path === SIGN_IN_PATH || isWithinRate(findClient(context, deps))
      ? next()
      : answerProblem(context, "too_often"),
  );
  app.get(SIGN_IN_PATH, async (context) => {
    const returnTo = parseReturnPath(context.req.query("return_to"));
    const session = await people.sessions.open(getCookie(context, people.cookies.session));
    if (session !== null) return context.redirect(people.publicUrl + returnTo, 303);
    const query = new URLSearchParams({ return_to: returnTo });
    return context.html(renderSignInPage(`${people.publicUrl}${START_PATH}?${query}`));
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
    return answerProblem(context, "not_begun");
  if (!isSameSecret(state, begun.data.state)) return answerProblem(context, "not_begun");
  if (error !== undefined) return answerProblem(context, "denied");
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
  return answerProblem(context, failure.kind === "rejected" ? "rejected" : "unavailable");
}

const PROBLEMS = {
  unavailable: {
    status: 503,
    heading: "GitHub does not answer",
    text: "GitHub could not confirm who you are. Try again in a minute.",
  },
  denied: {
    status: 403,
    heading: "You are not signed in",
    text: "The authorization was cancelled at GitHub.",
  },
  too_often: {
    status: 429,
    heading: "Too many attempts",
    text: "There were too many sign-ins from your address. Try again in a minute.",
  },
  rejected: {
    status: 400,
    heading: "The sign-in did not work",
    text: "GitHub does not accept the code that it sent you back with: it works once, and for ten minutes.",
  },
  not_begun: {
    status: 400,
    heading: "The sign-in did not work",
    text: "It was not begun in this browser, or more than ten minutes ago.",
  },
} as const;

function answerProblem(context: Context, problem: keyof typeof PROBLEMS): Response {
  const { status, heading, text } = PROBLEMS[problem];
  const body = renderProblem(
    heading,
    html`<p>${text}</p>
<p><a class="button" href="/sign-in">Sign in again</a></p>`,
  );
  return context.html(renderPage({ title: "Sign in", body }, null), status);
}

function renderSignInPage(startUrl: string): string {
  const body = renderProblem(
    "Sign in to Tollgate",
    html`<p>You see the repositories that your account on GitHub can read, and nothing else. GitHub tells Tollgate who you are and which of the repositories with Tollgate you can read.</p>
<p><a class="button" href="${startUrl}">${icon("mark-github")}<span>Sign in with GitHub</span></a></p>`,
  );
  return renderPage({ title: "Sign in", body }, null);
}

/** The page while the operator has not enabled sign-in. */
function renderDisabledPage(): string {
  const body = renderProblem(
    "Sign-in is not enabled",
    html`<p>Pages show what GitHub lets a reader see, so they need a sign-in. Whoever operates this Tollgate enables it:</p>
<ol>
<li>On the settings page of the GitHub App, add the callback URL: the public address of this Tollgate with <code>/sign-in/callback</code>.</li>
<li>Generate a client secret there.</li>
<li>Set <code>GITHUB_CLIENT_ID</code>, <code>GITHUB_CLIENT_SECRET</code> and <code>PUBLIC_URL</code> (an <code>https://</code> address), and start Tollgate again.</li>
</ol>
<p><code>tollgate doctor</code> says what is missing.</p>`,
  );
  return renderPage({ title: "Sign-in is not enabled", body }, null);
}

const MAX_LENGTH = 2_000;
/** Printable ASCII without the backslash, which browsers read as a slash. */
const PRINTABLE = /^\/[\x21-\x5b\x5d-\x7e]*$/;
/** Slash, backslash and control characters in percent-encoding, once or several times. */
const ENCODED = /%(25)*(2f|5c|0|1|7f)/i;

/** Returns a path of our own that a browser may be sent to after sign-in; `/` in place of everything else. */
export function parseReturnPath(text: string | undefined): string {
  if (text === undefined || text.length > MAX_LENGTH || !PRINTABLE.test(text)) return "/";
  const url = URL.parse(text, "http://own.invalid");
  if (url === null || url.origin !== "http://own.invalid") return "/";
  const [path = ""] = text.split(/[?#]/, 1);
  if (path.includes("//") || ENCODED.test(path) || url.pathname !== path) return "/";
  return /^\/sign-(in|out)(\/|$)/i.test(path) ? "/" : text;
}
