import { Hono } from "hono";
import { html } from "hono/html";
import { layOut, SETUP_PATH, STYLE_PATH } from "./layout.ts";
import { nextSteps } from "./next-steps.ts";
import { SETUP_STYLE } from "./style.ts";

/** Where GitHub sends a person who has installed the App, below the public URL. */
export const INSTALLED_PATH = `${SETUP_PATH}/installed`;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** The running bot's page for people who have just installed the App. It is the same for everybody, so it needs no sign-in. */
export function createInstalledPage(publicUrl: string | null): Hono {
  const page = layOut(
    "The App is installed",
    html`<p>Tollgate now evaluates the pull requests of the repositories that you chose. This is next:</p>
${nextSteps({ publicUrl, rulesUrl: null })}`,
  );
  return new Hono()
    .get(INSTALLED_PATH, async (context) => context.body(String(await page), 200, HEADERS))
    .get(STYLE_PATH, (context) =>
      context.body(SETUP_STYLE, 200, { ...HEADERS, "content-type": "text/css; charset=utf-8" }),
    );
}
