import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { canonicalHost } from "../../kernel/host.ts";
import type { CredentialsForm, Entered, RegistrationForm } from "./form.ts";
import { readCredentials, readRegistration } from "./form.ts";
import { continuePage, EMPTY_FORM, failedPage, registeredPage, startPage } from "./pages.ts";
import { SETUP_STYLE } from "./style.ts";

/** A registration that GitHub was asked for: where the browser takes what. */
export interface BegunRegistration {
  /** Handed back by GitHub; tells a registration begun here from one that another site leads the browser to. */
  readonly state: string;
  /** GitHub's page that takes the manifest. */
  readonly action: string;
  readonly manifest: string;
  /** Where GitHub will deliver webhooks; null: not known yet. */
  readonly webhook: string | null;
}

export interface SetupDeps {
  /** What the forms begin with, such as a PUBLIC_URL that is set. */
  readonly known: Entered;
  readonly begin: (form: RegistrationForm) => BegunRegistration;
  /** Exchanges the code and saves what it brings; `problem` is a sentence for the operator. */
  readonly finish: (
    state: string,
    code: string,
  ) => Promise<
    { readonly ok: true; readonly installUrl: string } | { readonly ok: false; readonly problem: string }
  >;
  readonly saveExisting: (form: CredentialsForm) => void;
}

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * The pages that register the GitHub App. They take credentials without asking who sends them, so a request is answered only
 * when it names this machine and comes from these pages or from none.
 */
export function setupRoutes(deps: SetupDeps): Hono {
  const app = new Hono();
  const begin = { entered: deps.known, problems: {} };
  app.use(async (context, next) => {
    if (isFromHere(context)) return next();
    return context.text("This page is for this machine only.\n", 403);
  });
  app.use(secureHeaders({ referrerPolicy: "strict-origin-when-cross-origin", xFrameOptions: "DENY" }));
  app.get("/setup/style.css", (context) =>
    context.body(SETUP_STYLE, 200, { "content-type": "text/css; charset=utf-8" }),
  );
  app.get("/", (context) => show(context, startPage(begin, EMPTY_FORM)));
  app.post("/setup", async (context) => {
    const entered = await formOf(context);
    const form = readRegistration(entered);
    if (!form.ok) {
      return show(context, startPage({ entered, problems: form.problems }, EMPTY_FORM), { status: 422 });
    }
    const begun = deps.begin(form.value);
    return show(context, continuePage(begun), { formAction: new URL(begun.action).origin });
  });
  app.post("/setup/existing", async (context) => {
    const entered = await formOf(context);
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

interface Answer {
  readonly status?: 200 | 400 | 422;
  /** The one other origin that the page's form may be sent to. */
  readonly formAction?: string;
}

async function show(
  context: Context,
  page: ReturnType<typeof failedPage>,
  { status = 200, formAction = "" }: Answer = {},
): Promise<Response> {
  const policy = `default-src 'none'; style-src 'self'; form-action 'self' ${formAction}; base-uri 'none'; frame-ancestors 'none'`;
  context.header("content-security-policy", policy);
  context.header("cache-control", "no-store");
  return context.html(await page, status);
}

async function formOf(context: Context): Promise<Entered> {
  const body = await context.req.parseBody().catch(() => ({}));
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

/** Keeps out other sites' pages, and names that resolve to loopback. */
function isFromHere(context: Context): boolean {
  const host = context.req.header("host") ?? "";
  const url = canonicalHost(host) === null ? null : URL.parse(`http://${host}`);
  if (url === null || !LOOPBACK_NAMES.has(url.hostname)) return false;
  const origin = context.req.header("origin");
  return origin === undefined || origin === `http://${host}`;
}
