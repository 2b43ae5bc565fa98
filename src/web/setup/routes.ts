import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie, setCookie } from "hono/cookie";
import { secureHeaders } from "hono/secure-headers";
import { canonicalizeHost } from "../../kernel/host.ts";
import type { CodeExchange, SetupAccess } from "./access.ts";
import type { CredentialsForm, FormValues, RegistrationForm } from "./form.ts";
import { readCredentials, readRegistration } from "./form.ts";
import { closedPage, continuePage, EMPTY_FORM, failedPage, registeredPage, startPage } from "./pages.ts";
import { SETUP_STYLE } from "./style.ts";

/** The path prefix of all setup pages; the browser sends the cookie to these paths only. */
export const SETUP_PATH = "/setup";

/** A registration in progress: the manifest and the GitHub page that receives it. */
export interface BegunRegistration {
  /** GitHub returns this value. It proves that the registration began here and not on another site. */
  readonly state: string;
  /** GitHub's page that receives the manifest. */
  readonly action: string;
  readonly manifest: string;
  /** The webhook URL; null: not known yet. */
  readonly webhook: string | null;
}

export interface SetupDeps {
  /** Initial values of the forms, such as a configured PUBLIC_URL. */
  readonly known: FormValues;
  /** `origin`: the pages' origin as the browser sees it, without a trailing slash. */
  readonly begin: (form: RegistrationForm, origin: string) => BegunRegistration;
  /** Exchanges the code for credentials and saves them; `problem` is a sentence for the operator. */
  readonly finish: (
    state: string,
    code: string,
  ) => Promise<
    { readonly ok: true; readonly installUrl: string } | { readonly ok: false; readonly problem: string }
  >;
  readonly saveExisting: (form: CredentialsForm) => void;
  readonly access: SetupAccess;
}

/** In bytes: enough for a private key and a few fields. */
const MAX_FORM = 64 * 1024;

/**
 * The pages that register the GitHub App. Their input becomes the App's credentials, so a request must name this machine as its
 * host, come from these pages or from no page, and carry a session that the terminal's code opened.
 */
export function setupRoutes(deps: SetupDeps): Hono {
  const app = new Hono();
  app.use(secureHeaders({ referrerPolicy: "strict-origin-when-cross-origin", xFrameOptions: "DENY" }));
  app.use(async (context, next) => {
    context.header("cache-control", "no-store");
    return isFromHere(context) ? next() : context.text("This page is for this machine only.\n", 403);
  });
  app.get("/", (context) => context.redirect(SETUP_PATH, 303));
  app.get("/setup/style.css", (context) =>
    context.body(SETUP_STYLE, 200, { "content-type": "text/css; charset=utf-8" }),
  );
  app.use("/setup/*", async (context, next) => {
    if (deps.access.hasAccess(getCookie(context, COOKIE) ?? "")) return next();
    const code = context.req.method === "GET" && context.req.path === SETUP_PATH && context.req.query("code");
    return code
      ? openPages(context, deps.access.exchange(code))
      : show(context, closedPage("no_code"), CLOSED);
  });
  app.use("/setup/*", bodyLimit({ maxSize: MAX_FORM }));
  return addPages(app, deps);
}

const COOKIE = "tollgate_setup";
const CLOSED: PageOptions = { status: 403 };

/** Lax: the browser must send the cookie on GitHub's redirect to these pages. */
function openPages(context: Context, exchange: CodeExchange): Response | Promise<Response> {
  if (exchange.state === "too_often") return show(context, closedPage("wrong"), { status: 429 });
  if (exchange.state !== "opened") return show(context, closedPage(exchange.state), CLOSED);
  setCookie(context, COOKIE, exchange.session, { httpOnly: true, sameSite: "Lax", path: SETUP_PATH });
  return context.redirect(SETUP_PATH, 303);
}

function addPages(app: Hono, deps: SetupDeps): Hono {
  const begin = { entered: deps.known, problems: {} };
  app.get(SETUP_PATH, (context) => show(context, startPage(begin, EMPTY_FORM)));
  app.post(SETUP_PATH, async (context) => {
    const entered = await readSetupForm(context);
    const form = readRegistration(entered);
    if (!form.ok) {
      return show(context, startPage({ entered, problems: form.problems }, EMPTY_FORM), { status: 422 });
    }
    const registration = deps.begin(form.value, getOrigin(context));
    return show(context, continuePage(registration), { formAction: new URL(registration.action).origin });
  });
  app.post("/setup/existing", async (context) => {
    const entered = await readSetupForm(context);
    const form = readCredentials(entered);
    if (!form.ok)
      return show(context, startPage(begin, { entered, problems: form.problems }), { status: 422 });
    deps.saveExisting(form.value);
    return show(context, registeredPage({ installUrl: null }));
  });
  app.get("/setup/registered", async (context) => {
    const finished = await deps.finish(context.req.query("state") ?? "", context.req.query("code") ?? "");
    return finished.ok
      ? show(context, registeredPage(finished))
      : show(context, failedPage(finished.problem), { status: 400 });
  });
  return app;
}

interface PageOptions {
  readonly status?: 200 | 400 | 403 | 422 | 429;
  /** The one other origin that the page's form may be sent to. */
  readonly formAction?: string;
}

async function show(
  context: Context,
  page: ReturnType<typeof failedPage>,
  { status = 200, formAction = "" }: PageOptions = {},
): Promise<Response> {
  const policy = `default-src 'none'; style-src 'self'; form-action 'self' ${formAction}; base-uri 'none'; frame-ancestors 'none'`;
  context.header("content-security-policy", policy);
  return context.html(await page, status);
}

async function readSetupForm(context: Context): Promise<FormValues> {
  const body = await context.req.parseBody().catch(() => ({}));
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Returns the origin of these pages as the browser sees it. */
const getOrigin = (context: Context): string => `http://${context.req.header("host") ?? ""}`;

/** Rejects requests from other sites and foreign names that resolve to loopback. A form must state one of these pages as its origin. */
function isFromHere(context: Context): boolean {
  const host = context.req.header("host") ?? "";
  const url = canonicalizeHost(host) === null ? null : URL.parse(`http://${host}`);
  if (url === null || !LOOPBACK_NAMES.has(url.hostname)) return false;
  const origin = context.req.header("origin");
  const isRead = context.req.method === "GET" || context.req.method === "HEAD";
  return origin === undefined ? isRead : origin === getOrigin(context);
}
