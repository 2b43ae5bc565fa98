import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import type { InstallationAuth } from "./installation-auth.ts";
import type { InstallationClient, RepositorySelection } from "./installation-client.ts";
import { readData } from "./read-answer.ts";
import type { SharedInstallation } from "./shared-installation.ts";

export interface InstallationParts {
  readonly installationId: number;
  readonly appId: number;
  readonly octokit: Octokit;
  readonly auth: InstallationAuth;
  readonly appOctokit: Octokit;
  /** The App's name in addresses, under which its bot user is called. */
  readonly slug: () => Promise<string>;
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
  async repositorySelection(): Promise<RepositorySelection> {
    const { appOctokit, shared } = this.#parts;
    const known = await shared?.coverage.find();
    if (known !== undefined && known.value !== null) return known.value;
    const call = appOctokit.rest.apps.getInstallation({ installation_id: this.installationId });
    const { repository_selection: selection } = await readData(call, Installation);
    if (known !== undefined) await shared?.coverage.save(selection, known.askedAt);
    return selection;
  }

  async botUserId(): Promise<number> {
    if (this.#botUserId !== null) return this.#botUserId;
    const username = `${await this.#parts.slug()}[bot]`;
    const { id } = await readData(this.octokit.rest.users.getByUsername({ username }), BotUser);
    this.#botUserId = id;
    return id;
  }

  /** Clears the token; a pause and waiting writes stay. */
  forget(): void {
    this.#parts.auth.forget();
  }
}
