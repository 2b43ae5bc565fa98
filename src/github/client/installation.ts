import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import type { InstallationAuth, SharedInstallation } from "./installation-auth.ts";
import type { InstallationClient, RepositorySelection } from "./installation-client.ts";
import { type GitHubResult, succeeded } from "./result.ts";
import { toResult } from "./to-result.ts";

export interface InstallationParts {
  readonly installationId: number;
  readonly appId: number;
  readonly octokit: Octokit;
  readonly auth: InstallationAuth;
  /** The Octokit of the App itself. */
  readonly appOctokit: Octokit;
  /** The App's name in addresses, under which its bot user is called. */
  readonly slug: () => Promise<GitHubResult<string>>;
  /** Absent: there are no other processes. */
  readonly shared?: Pick<SharedInstallation, "coverage">;
}

const Installation = z.object({ repository_selection: z.enum(["all", "selected"]) });
const BotUser = z.object({ id: z.int().positive() });

export class AppInstallation implements InstallationClient {
  readonly installationId: number;
  readonly appId: number;
  readonly octokit: Octokit;
  readonly marksComments = false;
  readonly #parts: InstallationParts;
  #botUserId: number | null = null;

  constructor(parts: InstallationParts) {
    this.installationId = parts.installationId;
    this.appId = parts.appId;
    this.octokit = parts.octokit;
    this.#parts = parts;
  }

  /** An organisation's policy that cannot be seen is absent only where everything can be seen: a wrong "all" would pass without it. */
  async repositorySelection(): Promise<GitHubResult<RepositorySelection>> {
    const { appOctokit, shared } = this.#parts;
    const known = await shared?.coverage.find();
    if (known !== undefined && known.value !== null) return succeeded(known.value);
    const call = appOctokit.rest.apps.getInstallation({ installation_id: this.installationId });
    const answer = await toResult(call, Installation);
    if (!answer.ok) return answer;
    const selection = answer.value.repository_selection;
    if (known !== undefined) await shared?.coverage.save(selection, known.askedAt);
    return succeeded(selection);
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

  /** Clears the token; a pause and waiting writes stay. */
  forget(): void {
    this.#parts.auth.forget();
  }
}
