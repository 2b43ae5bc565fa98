import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const AppFile = z.object({
  name: z.string(),
  description: z.string(),
  public: z.boolean(),
  default_permissions: z.record(z.string(), z.enum(["read", "write"])),
  default_events: z.array(z.string()),
});

/** Wherever the process was started: `app.yml` lies beside the sources and beside their build. */
const APP_FILE = new URL("../../app.yml", import.meta.url);
const WEBHOOK_PATH = "/api/github/webhooks";

/**
 * What GitHub is asked to register: `app.yml` with the addresses of this installation. Without a public address the App is made
 * without a webhook, which is then entered at GitHub.
 */
export function appManifest(setupUrl: string, publicUrl: string | null): string {
  const file = AppFile.parse(parse(readFileSync(APP_FILE, "utf8")));
  const hook = publicUrl === null ? {} : { hook_attributes: { url: new URL(WEBHOOK_PATH, publicUrl).href } };
  const redirect_url = new URL("/probot/setup", setupUrl).href;
  return JSON.stringify({ ...file, ...hook, url: publicUrl ?? setupUrl, redirect_url });
}

const BUTTON = /(name="manifest"[^>]*? value=')[\s\S]*?(' >)/;

const ACTION = /(<form action="[^"?]*)(")/;

/**
 * Probot's page with this manifest behind its button, written so that no character ends the attribute. GitHub hands `state`
 * back with the registration's code, which tells our own registration from one that another site leads the browser to.
 */
export function withManifest(shown: string, manifest: string, state: string): string {
  const page = shown.replace(
    ACTION,
    (_whole, before: string, after: string) => `${before}?state=${state}${after}`,
  );
  const text = manifest.replaceAll("&", "&amp;").replaceAll("'", "&#39;").replaceAll("<", "&lt;");
  return page.replace(BUTTON, (_whole, before: string, after: string) => before + text + after);
}
