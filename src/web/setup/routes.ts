import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie, setCookie } from "hono/cookie";
import type { Clock } from "../../kernel/clock.ts";
import { canonicalizeHost } from "../../kernel/host.ts";
import { createBearerLimiter } from "../bearer-limiter.ts";
import { createAssetRoutes } from "../page/assets.ts";
import { allowFormTarget, setPageHeaders } from "../page/frame.ts";
import { isSameSecret } from "../same-secret.ts";
import {
  type CredentialsForm,
  type FindKeyProblem,
  type FormValues,
  type RegistrationForm,
  readCredentials,
  readRegistration,
} from "./form.ts";
import {
  closedPage,
  continuePage,
  failedPage,
  type RegisteredPageOptions,
  registeredPage,
  SETUP_PATH,
  startPage,
} from "./setup-pages.ts";

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
    | { readonly ok: true; readonly next: RegisteredPageOptions }
    | { readonly ok: false; readonly problem: string }
  >;
  /** Saves the credentials of an existing App if GitHub accepts them; `problems` by field. */
  readonly saveExisting: (
    form: CredentialsForm,
  ) => Promise<
    | { readonly ok: true; readonly next: RegisteredPageOptions }
    | { readonly ok: false; readonly problems: FormValues }
  >;
  readonly findKeyProblem: FindKeyProblem;
  readonly access: SetupAccess;
  /** Origin under which the operator opened these pages to other machines; null: this machine's own names only. */
  readonly remoteOrigin: () => string | null;
}

/** In bytes: enough for a private key and a few fields. */
const MAX_FORM = 64 * 1024;

/**
 * The pages that register the GitHub App. Their input becomes the App's credentials, so a request must name this machine or
 * SETUP_HOST as its host, come from these pages or from no page, and carry a session that the terminal's code opened.
 */
export function setupRoutes(deps: SetupDeps): Hono<SetupEnvironment> {
  const app = new Hono<SetupEnvironment>();
  // GitHub receives the origin of the form with the manifest.
  app.use(setPageHeaders("strict-origin-when-cross-origin"));
  app.use(async (context, next) => {
    context.header("cache-control", "no-store");
    const origin = findOrigin(context, deps.remoteOrigin());
    if (origin === null || !isOwnRequest(context, origin)) return context.text(NOT_HERE, 403);
    context.set("origin", origin);
    return next();
  });
  app.get("/", (context) => context.redirect(SETUP_PATH, 303));
  app.route("/", createAssetRoutes());
  app.use("/setup/*", async (context, next) => {
    if (deps.access.hasAccess(getCookie(context, COOKIE) ?? "")) return next();
    const code = context.req.method === "GET" && context.req.path === SETUP_PATH && context.req.query("code");
    return code ? openPages(context, deps.access.exchange(code)) : context.html(closedPage("no_code"), 403);
  });
  app.use("/setup/*", bodyLimit({ maxSize: MAX_FORM }));
  return addPages(app, deps);
}

/** `origin`: the pages' origin as the browser sees it. */
type SetupEnvironment = { readonly Variables: { origin: string } };

const NOT_HERE = "This page is for this machine only. SETUP_HOST opens it to others.\n";
const COOKIE = "tollgate_setup";

/** Lax: the browser must send the cookie on GitHub's redirect to these pages. */
function openPages(context: Context<SetupEnvironment>, exchange: CodeExchange): Response {
  if (exchange.state === "too_often") return context.html(closedPage("wrong"), 429);
  if (exchange.state !== "opened") return context.html(closedPage(exchange.state), 403);
  const secure = context.get("origin").startsWith("https:");
  setCookie(context, COOKIE, exchange.session, { httpOnly: true, sameSite: "Lax", path: SETUP_PATH, secure });
  return context.redirect(SETUP_PATH, 303);
}

function addPages(app: Hono<SetupEnvironment>, deps: SetupDeps): Hono<SetupEnvironment> {
  const begin = { entered: deps.known, problems: {} };
  const existing = { entered: { existing_host: deps.known["host"] ?? "" }, problems: {} };
  app.get(SETUP_PATH, (context) => context.html(startPage(begin, existing)));
  app.post(SETUP_PATH, async (context) => {
    const entered = await readSetupForm(context);
    const form = readRegistration(entered);
    if (!form.ok) {
      return context.html(startPage({ entered, problems: form.problems }, existing), 422);
    }
    const registration = deps.begin(form.value, context.get("origin"));
    allowFormTarget(context, new URL(registration.action).origin);
    return context.html(continuePage(registration));
  });
  app.post("/setup/existing", async (context) => {
    const entered = await readSetupForm(context);
    const form = readCredentials(entered, deps.findKeyProblem);
    const saved = form.ok ? await deps.saveExisting(form.value) : form;
    return saved.ok
      ? context.html(registeredPage(saved.next))
      : context.html(startPage(begin, { entered, problems: saved.problems }), 422);
  });
  app.get("/setup/registered", async (context) => {
    const finished = await deps.finish(context.req.query("state") ?? "", context.req.query("code") ?? "");
    return finished.ok
      ? context.html(registeredPage(finished.next))
      : context.html(failedPage(finished.problem), 400);
  });
  return app;
}

async function readSetupForm(context: Context): Promise<FormValues> {
  const body = await context.req.parseBody().catch(() => ({}));
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** The origin of these pages under the host that the browser names; null: it is neither this machine's nor the operator's. */
function findOrigin(context: Context, remoteOrigin: string | null): string | null {
  const host = context.req.header("host") ?? "";
  if (remoteOrigin !== null && host === new URL(remoteOrigin).host) return remoteOrigin;
  const url = canonicalizeHost(host) === null ? null : URL.parse(`http://${host}`);
  return url !== null && LOOPBACK_NAMES.has(url.hostname) ? `http://${host}` : null;
}

/** Rejects forms of other sites: a form must state these pages as its origin. */
function isOwnRequest(context: Context, own: string): boolean {
  const origin = context.req.header("origin");
  const isRead = context.req.method === "GET" || context.req.method === "HEAD";
  return origin === undefined ? isRead : origin === own;
}

interface SetupAccessOptions {
  /** Returns a new unguessable text. */
  readonly createSecret: () => string;
  readonly clock: Clock;
  /** Shows the operator a new code after a used code was entered again. */
  readonly announce: (code: string) => void;
}

/** `session`: the browser's cookie. `spent`: the code was used before; a new one is announced. */
type CodeExchange =
  | { readonly state: "opened"; readonly session: string }
  | { readonly state: "spent" | "wrong" | "too_often" };

/** Wrong codes per minute that get an explanation. A code is unguessable, so a right one is accepted after any number of wrong ones. */
const WRONG_PER_MINUTE = 10;

type SetupAccess = ReturnType<typeof createSetupAccess>;

/** Grants access to the setup pages to browsers with the code from the operator's terminal. Each code works once. */
export function createSetupAccess({ createSecret, clock, announce }: SetupAccessOptions) {
  const session = createSecret();
  const isWithinRate = createBearerLimiter(clock, WRONG_PER_MINUTE);
  let code = createSecret();
  let spent: string | null = null;
  let isAnnounced = true;
  return {
    getCode: (): string => code,
    hasAccess: (cookie: string): boolean => isSameSecret(cookie, session),
    exchange: (entered: string): CodeExchange => {
      if (isSameSecret(entered, code)) {
        [spent, code, isAnnounced] = [code, createSecret(), false];
        return { state: "opened", session };
      }
      if (spent === null || !isSameSecret(entered, spent))
        return { state: isWithinRate("wrong code") ? "wrong" : "too_often" };
      if (!isAnnounced) announce(code);
      isAnnounced = true;
      return { state: "spent" };
    },
  };
}
