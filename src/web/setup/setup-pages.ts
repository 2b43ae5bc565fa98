import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { getShippedFile } from "../../package/shipped-files.ts";
import { SETUP_STYLE } from "../page/assets.ts";
import { renderDocument, setPageHeaders } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import type { FormValues } from "./form.ts";

/** The path prefix of all setup pages; the browser sends the cookie to these paths only. */
export const SETUP_PATH = "/setup";

/** A form to show again: the entered values and the problems by field. */
export interface FormState {
  readonly entered: FormValues;
  readonly problems: FormValues;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder?: string;
  readonly rows?: number;
  readonly type?: "text" | "password" | "url";
}

function field(state: FormState, { name, label, hint, placeholder = "", rows, type = "text" }: Field): Html {
  const problem = state.problems[name];
  const value = type === "password" ? "" : (state.entered[name] ?? "");
  const described = html`aria-describedby="${name}-hint" aria-invalid="${problem === undefined ? "false" : "true"}"`;
  const input =
    rows === undefined
      ? html`<input id="${name}" name="${name}" type="${type}" value="${value}" placeholder="${placeholder}" autocomplete="off" ${described}>`
      : html`<textarea id="${name}" name="${name}" rows="${rows}" autocomplete="off" spellcheck="false" ${described}></textarea>`;
  return html`<p class="field">
<label for="${name}">${label}</label>
${input}
<small id="${name}-hint">${hint}</small>
${problem !== undefined && html`<strong class="problem">${problem}</strong>`}
</p>`;
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
}

const choice = (state: FormState, { value, label, hint }: Choice): Html => {
  const chosen = (state.entered["owner"] ?? "organization") === value;
  return html`<label class="choice"><input type="radio" name="owner" value="${value}"${chosen && html` checked`}><span>${label}<small>${hint}</small></span></label>`;
};

const hostField = (state: FormState, name: string): Html =>
  field(state, {
    name,
    label: "GitHub Enterprise Server",
    hint: "Only if you do not use github.com.",
    placeholder: "github.example.com",
  });

const registrationFields = (state: FormState): Html => html`
<fieldset>
<legend>Who owns the App?</legend>
${choice(state, { value: "organization", label: "An organisation", hint: "Its owners install the App on its repositories." })}
${choice(state, { value: "personal", label: "My personal account", hint: "The App can be installed on my own repositories only." })}
${state.problems["owner"] !== undefined && html`<strong class="problem">${state.problems["owner"]}</strong>`}
</fieldset>
${field(state, { name: "organization", label: "Organisation", hint: "Its name as in github.com/NAME. You must be an owner of it.", placeholder: "acme" })}
${field(state, {
  name: "public_url",
  label: "Public address of this Tollgate",
  hint: "Where GitHub delivers webhooks. Leave it empty to enter it at GitHub later.",
  placeholder: "https://tollgate.example.com",
  type: "url",
})}
${hostField(state, "host")}`;

const credentialFields = (state: FormState): Html => html`
${field(state, { name: "app_id", label: "App ID", hint: "On the settings page of the App.", placeholder: "123456" })}
${field(state, { name: "private_key", label: "Private key", hint: "The content of the .pem file.", rows: 6 })}
${field(state, { name: "webhook_secret", label: "Webhook secret", hint: "As entered at GitHub.", type: "password" })}
${field(state, { name: "client_id", label: "Client ID", hint: "On the same page. Without it and the client secret nobody can sign in to Tollgate's pages.", placeholder: "Iv23…" })}
${field(state, { name: "client_secret", label: "Client secret", hint: "Generate one there; GitHub shows it once.", type: "password" })}
${hostField(state, "existing_host")}`;

/** The first page: register an App, or enter the credentials of an existing one. */
export const startPage = (registration: FormState, credentials: FormState): string =>
  renderSetupPage(
    "Set up Tollgate",
    html`<p>Tollgate is a GitHub App. Register it once; GitHub then shows what it may read and write before anything is installed.</p>
<form method="post" action="/setup">
${registrationFields(registration)}
<p><button type="submit">Continue</button></p>
</form>
<details${Object.keys(credentials.problems).length > 0 && html` open`}>
<summary>I have registered the App already</summary>
<form method="post" action="/setup/existing">
${credentialFields(credentials)}
<p><button type="submit">Save</button></p>
</form>
</details>`,
  );

/** The page whose button submits the manifest to GitHub. */
export const continuePage = ({
  action,
  manifest,
  webhook,
}: {
  action: string;
  manifest: string;
  webhook: string | null;
}): string =>
  renderSetupPage(
    "Register the App at GitHub",
    html`<p>GitHub asks for a name and creates the App with exactly the permissions that Tollgate needs. You come back here afterwards.</p>
${webhook === null ? html`<p class="note">Without a public address the App is created without webhook and callback URL: GitHub delivers nothing, so that checks come minutes late, and nobody can sign in to Tollgate's pages. The last page says how to add both later.</p>` : html`<p>GitHub will deliver webhooks to <code>${webhook}</code>.</p>`}
<form method="post" action="${action}">
<input type="hidden" name="manifest" value="${manifest}">
<p><button type="submit">Register at ${new URL(action).host}</button> <a href="/setup">Back</a></p>
</form>`,
  );

export interface RegisteredPageOptions extends NextStepsOptions {
  readonly installUrl: string;
  /** GitHub's page with the App's settings. */
  readonly settingsUrl: string;
  /** Whether there are credentials with which people sign in. */
  readonly hasSignIn: boolean;
}

/** The last page: the credentials are saved and Tollgate starts. */
export const registeredPage = ({
  installUrl,
  settingsUrl,
  hasSignIn,
  ...next
}: RegisteredPageOptions): string =>
  renderSetupPage(
    "Tollgate is starting",
    html`<p>The App's credentials are saved, and Tollgate starts with them now. Nothing has to be restarted.</p>
<p><a class="button" href="${installUrl}" target="_blank" rel="noopener">Install the App on your repositories</a></p>
<p class="note">Install it on the organisation's <code>.github</code> repository too if that has rules for all of them; otherwise set <code>ORG_POLICY=none</code>, or <code>none:OWNER</code> for one organisation.</p>
${next.publicUrl === null && renderMissingAddress(settingsUrl)}
${!hasSignIn && html`<p class="note">Nobody can sign in to Tollgate's pages until <code>GITHUB_CLIENT_ID</code> and <code>GITHUB_CLIENT_SECRET</code> are set: both are on the <a href="${settingsUrl}">App's settings page</a>.</p>`}
${renderNextSteps(next)}`,
  );

const renderMissingAddress = (settingsUrl: string): Html => html`<div class="note">
<p>Tollgate has no public address yet: GitHub delivers nothing, so that checks come minutes late, and nobody can sign in. Once it can be reached by HTTPS, set <code>PUBLIC_URL</code>, restart Tollgate, and enter on the <a href="${settingsUrl}" target="_blank" rel="noopener">App's settings page</a>:</p>
<ul>
<li>Webhook: active, with the URL <code>PUBLIC_URL/api/github/webhooks</code> and the <code>WEBHOOK_SECRET</code> that is saved in <code>.env</code></li>
<li>Callback URL: <code>PUBLIC_URL/sign-in/callback</code></li>
<li>Setup URL: <code>PUBLIC_URL/setup/installed</code></li>
</ul>
</div>`;

/** The page for a failed return from GitHub. */
export const failedPage = (sentence: string): string =>
  renderSetupPage(
    "The registration did not work",
    html`<p>${sentence}</p><p><a href="/setup">Begin again</a></p>`,
  );

const CLOSED = {
  no_code:
    "Open the link that Tollgate printed on the terminal where it was started. It holds the code for these pages.",
  wrong:
    "This is not the code that Tollgate printed. Open the newest link on the terminal where it was started.",
  spent:
    "This link was used before, and each link works once. A new one is on the terminal where Tollgate was started.",
} as const;

/** The page for browsers without the terminal's code. */
export const closedPage = (reason: keyof typeof CLOSED): string =>
  renderSetupPage("Open the link from the terminal", html`<p>${CLOSED[reason]}</p>`);

const POLICY = `version: 1
rules:
  - id: monthly-increase
    limit: { increase: 500 USD }
    per: stage
  - id: no-deletions
    limit: { deletions: 0 }
    enforce: warn
`;

/** The workflow of send mode that the documents show. */
function readWorkflow(url: string): string {
  const page = readFileSync(getShippedFile("docs/ci/github-actions.md"), "utf8");
  const blocks = page.matchAll(/^```yaml\n(name: Tollgate\n[\s\S]*?)^```$/gm);
  const [text = ""] = [...blocks].flatMap(([, one = ""]) => (one.includes("mode: send") ? [one] : []));
  return text.replace("https://tollgate.example.com", url);
}

const PROTECTION_HELP =
  "https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-protected-branches/managing-a-branch-protection-rule";

export interface NextStepsOptions {
  /** Public URL of this Tollgate; null: not known. */
  readonly publicUrl: string | null;
  /** GitHub's page for rules of the organisation that owns the App; null: not known, or a personal account. */
  readonly rulesUrl: string | null;
}

const renderNextSteps = ({ publicUrl, rulesUrl }: NextStepsOptions): Html => html`<ol class="steps">
<li><h2>Write a policy</h2>
<p>Put this on the default branch of a repository, as <code>.github/tollgate.yml</code>, and change the limits as you need.</p>
<pre tabindex="0">${POLICY}</pre></li>
<li><h2>Send plans from CI</h2>
<p>Each job that plans a workspace sends its plan and its estimate. With GitHub Actions, as <code>.github/workflows/tollgate.yml</code>, where the Terraform code is in <code>infra</code>; OWNER is the account that has Tollgate's repository or your copy of it:</p>
<pre tabindex="0">${readWorkflow(publicUrl ?? "https://tollgate.example.com")}</pre>
<p>Other CI systems use a token: <code>tollgate token create --repository OWNER/NAME --for import</code>.</p></li>
<li><h2>Require the check</h2>
<p>After the first pull request, require the check <code>tollgate: main</code> <strong>with this App as its source</strong>, so that no other App and no workflow can set it: ${
  rulesUrl === null
    ? html`in the repository's settings, under Rules or Branches (<a href="${PROTECTION_HELP}">GitHub's description</a>).`
    : html`in the <a href="${rulesUrl}">rulesets of the organisation</a> or in the repository's settings (<a href="${PROTECTION_HELP}">GitHub's description</a>).`
}</p></li>
<li><h2>Verify</h2>
<p>On the server, this examines everything, from the webhook to the required check:</p>
<pre tabindex="0">tollgate doctor --repository OWNER/NAME</pre></li>
</ol>`;

/** Where GitHub sends a person who has installed the App, below the public URL. */
export const INSTALLED_PATH = `${SETUP_PATH}/installed`;

/** The running bot's page for people who have just installed the App. It is the same for everybody, so it needs no sign-in. */
export function createInstalledPage(publicUrl: string | null): Hono {
  const page = renderSetupPage(
    "The App is installed",
    html`<p>Tollgate now evaluates the pull requests of the repositories that you chose. This is next:</p>
${renderNextSteps({ publicUrl, rulesUrl: null })}`,
  );
  return new Hono().get(INSTALLED_PATH, setPageHeaders(), (context) => context.html(page));
}

const renderSetupPage = (title: string, body: Html): string =>
  renderDocument({
    title,
    style: SETUP_STYLE,
    body: html`<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>`,
  });
