import type { Context } from "hono";
import { renderPage, renderProblem } from "../page/frame.ts";
import { html, icon } from "../page/html.ts";

/** The field of a form that contains the session's form token. */
export const FORM_TOKEN = "form_token";

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
