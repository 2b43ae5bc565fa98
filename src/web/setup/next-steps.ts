import { html } from "hono/html";
import type { Html } from "./layout.ts";

const POLICY = `version: 1
rules:
  - id: monthly-increase
    limit: { increase: 500 USD }
    per: stage
  - id: no-deletions
    limit: { deletions: 0 }
    enforce: warn
`;

/** A job that plans a workspace; `docs/ci/` has whole workflows. */
const writeJob = (url: string): string => `jobs:
  plan:
    permissions:
      contents: read
      id-token: write   # instead of a stored token
    env:
      TOLLGATE_URL: ${url}
    steps:
      # check out, plan and estimate as before, then:
      - run: terraform show -json plan.tfplan > plan.json
      - run: >-
          tollgate platform import --workspace production
          --plan plan.json --infracost infracost.json
`;

const PROTECTION_HELP =
  "https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-protected-branches/managing-a-branch-protection-rule";

export interface NextStepsOptions {
  /** Public URL of this Tollgate; null: not known. */
  readonly publicUrl: string | null;
  /** GitHub's page for rules of the organisation that owns the App; null: not known, or a personal account. */
  readonly rulesUrl: string | null;
}

/** What is to do in a repository after the App was installed. */
export const nextSteps = ({ publicUrl, rulesUrl }: NextStepsOptions): Html => html`<ol class="steps">
<li><h2>Write a policy</h2>
<p>Put this on the default branch of a repository, as <code>.github/tollgate.yml</code>, and change the limits as you need.</p>
<pre tabindex="0">${POLICY}</pre></li>
<li><h2>Send plans from CI</h2>
<p>Each job that plans a workspace sends its plan and its estimate. In a workflow for pull requests of GitHub Actions:</p>
<pre tabindex="0">${writeJob(publicUrl ?? "https://tollgate.example.com")}</pre>
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
