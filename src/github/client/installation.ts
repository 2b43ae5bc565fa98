import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import type { InstallationAuth } from "./installation-auth.ts";
import type { InstallationClient, RepositorySelection } from "./installation-client.ts";
import { type GitHubResult, succeeded } from "./result.ts";
import { toResult } from "./to-result.ts";

export interface InstallationParts {
  readonly installationId: number;
  readonly appId: number;
  readonly octokit: Octokit;
  readonly auth: InstallationAuth;
  readonly clock: Clock;
  /** The Octokit of the App itself. */
  readonly appOctokit: Octokit;
  /** The App's name in addresses, under which its bot user is called. */
  readonly slug: () => Promise<GitHubResult<string>>;
  /** Returns another value after each change of the installation that this or another process learned of. */
  readonly readVersion: () => Promise<number | null>;
}

const SELECTION_AGE_MS = 10 * 60_000;

const Installation = z.object({ repository_selection: z.enum(["all", "selected"]) });
const BotUser = z.object({ id: z.int().positive() });

interface CoverageRead {
  readonly value: RepositorySelection;
  readonly readMs: number;
  readonly version: number | null;
}

export class AppInstallation implements InstallationClient {
  readonly installationId: number;
  readonly appId: number;
  readonly octokit: Octokit;
  readonly marksComments = false;
  readonly #parts: InstallationParts;
  #selection: CoverageRead | null = null;
  #botUserId: number | null = null;

  constructor(parts: InstallationParts) {
    this.installationId = parts.installationId;
    this.appId = parts.appId;
    this.octokit = parts.octokit;
    this.#parts = parts;
  }

  /**
   * An organisation's policy that cannot be seen is absent only where everything can be seen. So an earlier answer counts only while no
   * process learned of a change; a notification could come too late, or never.
   */
  async repositorySelection(): Promise<GitHubResult<RepositorySelection>> {
    const { appOctokit, clock, readVersion } = this.#parts;
    const now = clock.monotonicMs();
    const version = await readVersion();
    const known = this.#selection;
    if (known !== null && known.version === version && now - known.readMs < SELECTION_AGE_MS)
      return succeeded(known.value);
    const call = appOctokit.rest.apps.getInstallation({ installation_id: this.installationId });
    const answer = await toResult(call, Installation);
    if (!answer.ok) return answer;
    this.#selection = { value: answer.value.repository_selection, readMs: now, version };
    return succeeded(this.#selection.value);
  }

  async botUserId(): Promise<GitHubResult<number>> {
    if (this.#botUserId !== null) return succeeded(this.#botUserId);
    const slug = await this.#parts.slug();
    if (!slug.ok) return slug;
    const call = this.octokit.rest.users.getByUsername({ username: `${slug.value}[bot]` });
    const answer = await toResult(call, BotUser);
    if (answer.ok) this.#botUserId = answer.value.id;
    return answer.ok ? succeeded(answer.value.id) : answer;
  }

  /** Clears token and coverage; a pause and waiting writes stay. */
  forget(): void {
    this.#parts.auth.forget();
    this.#selection = null;
  }
}
