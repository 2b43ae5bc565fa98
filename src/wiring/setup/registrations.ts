import { setTimeout as sleep } from "node:timers/promises";
import { resolveGitHubApiUrl, resolveGitHubPagesUrl } from "../../github/client/api-addresses.ts";
import type { Fetch } from "../../github/client/guarded-fetch.ts";
import { createOctokit } from "../../github/client/octokit.ts";
import { exchangeCode, type RegisteredApp } from "../../github/registration/exchange-code.ts";
import {
  type AppDefinition,
  buildAppManifest,
  buildRegistrationUrl,
} from "../../github/registration/manifest.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { RegistrationForm } from "../../web/setup/form.ts";
import type { BegunRegistration } from "../../web/setup/routes.ts";

/** The result of a completed registration, to be saved. */
export interface Registration {
  readonly app: RegisteredApp;
  readonly form: RegistrationForm;
}

export interface RegistrationDeps {
  readonly definition: AppDefinition;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Returns a new random state that cannot be guessed. */
  readonly createState: () => string;
}

export type FinishedRegistration =
  | { readonly ok: true; readonly value: Registration }
  | { readonly ok: false; readonly problem: string };

/** GitHub's code is valid for one hour; in ms. */
const EXPIRES_MS = 3_600_000;

/** Registrations that were begun here and are not complete yet. */
export class Registrations {
  readonly #deps: RegistrationDeps;
  readonly #pending = new Map<string, { readonly form: RegistrationForm; readonly atMs: number }>();

  constructor(deps: RegistrationDeps) {
    this.#deps = deps;
  }

  /** Begins a registration. `setupUrl`: URL of the setup pages in the browser, without a slash at the end. */
  begin(form: RegistrationForm, setupUrl: string): BegunRegistration {
    const { definition, clock, createState: newState } = this.#deps;
    const state = newState();
    this.#pending.set(state, { form, atMs: clock.monotonicMs() });
    const { publicUrl } = form;
    return {
      state,
      action: buildRegistrationUrl(resolveGitHubPagesUrl(form.gheHost), form.owner, state),
      manifest: buildAppManifest(definition, { setupUrl, publicUrl }),
      webhook: publicUrl === null ? null : `${publicUrl}/api/github/webhooks`,
    };
  }

  /** Exchanges the code of a registration that was begun here. Each registration can be completed once. */
  async finish(state: string, code: string): Promise<FinishedRegistration> {
    const pending = this.#pending.get(state);
    if (pending === undefined || this.#deps.clock.monotonicMs() - pending.atMs > EXPIRES_MS) {
      return { ok: false, problem: "This registration was not begun here, or more than an hour ago." };
    }
    const { fetch, clock } = this.#deps;
    const apiUrl = resolveGitHubApiUrl(pending.form.gheHost);
    const octokit = createOctokit({ apiUrl, fetch, clock, wait: (ms) => sleep(ms) });
    const answer = await exchangeCode(octokit, code);
    if (!answer.ok) return { ok: false, problem: PROBLEMS[answer.failure.kind] ?? UNAVAILABLE };
    this.#pending.delete(state);
    return { ok: true, value: { app: answer.value, form: pending.form } };
  }
}

const UNAVAILABLE =
  "GitHub did not answer. Reload this page to try again; the registration can be finished for an hour.";

const PROBLEMS: Readonly<Record<string, string>> = {
  rejected: "The address that GitHub sent you to contains no registration code. Begin again.",
  not_found:
    "GitHub does not know this code: it was used before, or it is older than an hour. Delete the App at GitHub if it is there, and begin again.",
  malformed:
    "GitHub's response does not contain the App's credentials. Enter them by hand: the App's settings page at GitHub shows its ID and makes a private key.",
};
