import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { FormValues } from "./form.ts";

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A form to show again: the entered values and the problems by field. */
export interface FormState {
  readonly entered: FormValues;
  readonly problems: FormValues;
}

export const EMPTY_FORM: FormState = { entered: {}, problems: {} };

const page = (title: string, body: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tollgate</title>
<link rel="stylesheet" href="/setup/style.css">
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`;

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
${problem === undefined ? "" : html`<strong class="problem">${problem}</strong>`}
</p>`;
}

const choice = (state: FormState, value: string, label: string): Html => {
  const chosen = (state.entered["owner"] ?? "organization") === value;
  return html`<label class="choice"><input type="radio" name="owner" value="${value}" ${chosen ? "checked" : ""}> ${label}</label>`;
};

const registrationFields = (state: FormState): Html => html`
<fieldset>
<legend>Who owns the App?</legend>
${choice(state, "organization", "An organisation, which can install it on its repositories")}
${choice(state, "personal", "My personal account, to try it on my own repositories")}
${state.problems["owner"] === undefined ? "" : html`<strong class="problem">${state.problems["owner"]}</strong>`}
</fieldset>
${field(state, { name: "organization", label: "Organisation", hint: "Its name as in github.com/NAME. You must be an owner of it.", placeholder: "acme" })}
${field(state, {
  name: "public_url",
  label: "Public address of this Tollgate",
  hint: "Where GitHub delivers webhooks. Leave it empty to enter it at GitHub later.",
  placeholder: "https://tollgate.example.com",
  type: "url",
})}
${field(state, {
  name: "host",
  label: "GitHub Enterprise Server",
  hint: "Only if you do not use github.com.",
  placeholder: "github.example.com",
})}`;

const credentialFields = (state: FormState): Html => html`
${field(state, { name: "app_id", label: "App ID", hint: "On the settings page of the App.", placeholder: "123456" })}
${field(state, { name: "private_key", label: "Private key", hint: "The content of the .pem file.", rows: 6 })}
${field(state, { name: "webhook_secret", label: "Webhook secret", hint: "As entered at GitHub.", type: "password" })}`;

/** The first page: register an App, or enter the credentials of an existing one. */
export const startPage = (registration: FormState, credentials: FormState): Html =>
  page(
    "Set up Tollgate",
    html`<p>Tollgate is a GitHub App. Register it once; GitHub then shows what it may read and write before anything is installed.</p>
<form method="post" action="/setup">
${registrationFields(registration)}
<p><button type="submit">Continue</button></p>
</form>
<details ${credentials === EMPTY_FORM ? "" : "open"}>
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
}): Html =>
  page(
    "Register the App at GitHub",
    html`<p>GitHub asks for a name and creates the App with exactly the permissions that Tollgate needs. You come back here afterwards.</p>
${webhook === null ? html`<p class="note">Without a public address the App is created without a webhook. Enter its address in the App's settings before you install it.</p>` : html`<p>GitHub will deliver webhooks to <code>${webhook}</code>.</p>`}
<form method="post" action="${action}">
<input type="hidden" name="manifest" value="${manifest}">
<p><button type="submit">Register at ${new URL(action).host}</button> <a href="/setup">Back</a></p>
</form>`,
  );

const POLICY = `version: 1
rules:
  - id: monthly-increase
    limit: { increase: 500 USD }
    per: stage
`;

/** The last page: the credentials are saved and Tollgate starts. */
export const registeredPage = ({ installUrl }: { readonly installUrl: string | null }): Html =>
  page(
    "Tollgate is starting",
    html`<p>The App's credentials are saved. Tollgate starts with them now; nothing has to be restarted.</p>
<ol>
<li>${installUrl === null ? "Install the App on your repositories, from its settings page at GitHub." : html`<a href="${installUrl}">Install the App on your repositories</a>.`}</li>
<li>Put a policy on the default branch of a repository, as <code>.github/tollgate.yml</code>:<pre>${POLICY}</pre></li>
<li>Let your CI send the plan and the estimate of each pull request: <code>tollgate platform import --help</code>.</li>
<li>Require the check <code>tollgate: main</code> in branch protection, with this App as its source.</li>
</ol>`,
  );

/** The page for a failed return from GitHub. */
export const failedPage = (sentence: string): Html =>
  page("The registration did not work", html`<p>${sentence}</p><p><a href="/setup">Begin again</a></p>`);

const CLOSED = {
  no_code:
    "Open the link that Tollgate printed on the terminal where it was started. It holds the code for these pages.",
  wrong:
    "This is not the code that Tollgate printed. Open the newest link on the terminal where it was started.",
  spent:
    "This link was used before, and each link works once. A new one is on the terminal where Tollgate was started.",
} as const;

/** The page for browsers without the terminal's code. */
export const closedPage = (reason: keyof typeof CLOSED): Html =>
  page("Open the link from the terminal", html`<p>${CLOSED[reason]}</p>`);
