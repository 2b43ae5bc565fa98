import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../../sandbox/sandbox.ts";
import { systemRandom } from "../../sandbox/state/random.ts";
import type { SandboxPull } from "../../sandbox/state/records.ts";
import { ciCommand } from "../../src/cli/commands/ci.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { startPolicyTasks } from "../../src/wiring/evaluation/policy-tasks.ts";
import { type Ended, typed } from "../cli/run-command.ts";
import { usualEngine } from "./engines.ts";
import { DOCUMENTS } from "./graphql-documents.ts";
import { NAME, OWNER, REPOSITORY } from "./places.ts";
import { asRead } from "./plain-markdown.ts";

/** What the recipes grant a job. */
const PERMISSIONS = { checks: "write", contents: "read", "pull-requests": "write" } as const;

/** A database in memory and threads take longer to start than the rest of a job. */
const JOB_TOOLS = { openStore: () => usualEngine().open(), policies: startPolicyTasks() };

/** What one CI job does differently from the usual one. */
export interface JobOptions {
  readonly permissions?: Readonly<Record<string, "read" | "write">>;
  readonly event?: string;
  /** Replaces the payload of the event. */
  readonly payload?: object;
  /** Words after those that name the files. */
  readonly words?: readonly string[];
  /** The options that name files; default: the estimate of this change, of the workspace production. */
  readonly files?: readonly string[];
  /** Change of the monthly cost in USD. */
  readonly change?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A GitHub on loopback and CI jobs that run `tollgate ci`; no bot. */
export class CiWorld {
  readonly github: Sandbox;
  readonly repositoryId: number;
  readonly directory = mkdtempSync(join(tmpdir(), "tollgate ci "));
  #files = 0;

  constructor(github: Sandbox, repositoryId: number) {
    this.github = github;
    this.repositoryId = repositoryId;
  }

  opens(
    change: {
      files?: Readonly<Record<string, string>>;
      author?: string;
      draft?: boolean;
      fork?: string;
    } = {},
  ): SandboxPull {
    const branch = `change-${++this.#files}`;
    const repository = change.fork === undefined ? REPOSITORY : `${change.fork}/${NAME}`;
    this.github.push({
      repository,
      branch,
      files: change.files ?? { [`infra/${branch}.tf`]: `# ${branch}\n` },
    });
    return this.github.openPullRequest({
      repository: REPOSITORY,
      head: change.fork === undefined ? branch : `${change.fork}:${branch}`,
      title: "Change the infrastructure",
      ...(change.author !== undefined && { author: change.author }),
      ...(change.draft === true && { draft: true }),
    });
  }

  /** Writes a file of the checkout; its path comes back. */
  file(content: unknown, name = `file-${++this.#files}.json`): string {
    const path = join(this.directory, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  }

  /** The environment that a runner gives a job of this pull request. */
  async environment(pull: SandboxPull, options: JobOptions = {}): Promise<Record<string, string>> {
    const { permissions = PERMISSIONS, event = "pull_request" } = options;
    const head = this.github.pullRequest(pull);
    const base = { repo: { id: this.repositoryId } };
    const payload = {
      pull_request: {
        number: head.number,
        head: { sha: head.headSha, repo: { id: head.headRepositoryId } },
        base,
      },
    };
    return {
      GITHUB_ACTIONS: "true",
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_API_URL: `${this.github.url}/api/v3`,
      GITHUB_SERVER_URL: this.github.url,
      GITHUB_EVENT_NAME: event,
      GITHUB_EVENT_PATH: this.file(options.payload ?? payload),
      GITHUB_TOKEN: await this.github.issueJobToken({ repository: REPOSITORY, permissions }),
      GITHUB_WRITE_SPACING_MS: "0",
      ORG_POLICY: "none",
      ...options.environment,
    };
  }

  /** A job that runs `tollgate ci`. */
  async job(pull: SandboxPull, options: JobOptions = {}): Promise<Ended> {
    const environment = await this.environment(pull, options);
    const { change = "10" } = options;
    const files = options.files ?? [
      "--workspace",
      "production",
      "--infracost",
      this.file(estimateOf(change)),
    ];
    const row = { name: "ci", summary: "", load: async () => ciCommand(() => environment, JOB_TOOLS) };
    return typed(["ci", ...files, ...(options.words ?? [])], [row]);
  }

  /** The check as GitHub counts it: the newest of its name, by the App for Actions. */
  gate({ headSha }: { headSha: string }, name = "tollgate: main"): string | null {
    const [run] = this.github.checkRuns({ repository: REPOSITORY, sha: headSha, name });
    return run === undefined ? null : (run.conclusion ?? run.status);
  }

  /** Tollgate's comments, as they are read; ids of commits and executions are left out. */
  reports(pull: SandboxPull): readonly string[] {
    return this.github
      .comments(pull)
      .filter(({ body }) => body.includes("<!-- tollgate report"))
      .map(({ body }) => asRead(body).replaceAll(/`[0-9a-f]{8}`|`[0-9a-f]{32}`/g, "`…`"));
  }

  read(path: string): string {
    return readFileSync(path, "utf8");
  }

  async ends(): Promise<void> {
    await this.github.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Builds a world with one organisation, one repository with this policy, and people. */
export async function createCiWorld(
  policy: string | null,
  visibility: "private" | "public" = "private",
): Promise<CiWorld> {
  const github = await createSandbox({ clock: systemClock, random: systemRandom, documents: DOCUMENTS });
  github.createOwner({ login: OWNER, type: "organisation" });
  const repository = github.createRepository({
    owner: OWNER,
    name: NAME,
    visibility,
    files: { "README.md": "# shop\n", ...(policy !== null && { ".github/tollgate.yml": policy }) },
  });
  return new CiWorld(github, repository.id);
}

/** An Infracost estimate of one server whose cost changes by this amount, from 10 USD. */
export function estimateOf(change: string, name = "production") {
  const after = String(10 + Number(change));
  const server = (monthlyCost: string) => ({
    name: "aws_instance.server",
    resourceType: "aws_instance",
    metadata: {},
    monthlyCost,
    costComponents: [],
  });
  return {
    version: "0.2",
    currency: "USD",
    projects: [
      {
        name,
        metadata: { path: `infra/${name}` },
        pastBreakdown: { resources: [server("10")], totalMonthlyCost: "10" },
        breakdown: { resources: [server(after)], totalMonthlyCost: after },
        diff: { resources: [server(change)], totalMonthlyCost: change },
      },
    ],
    totalMonthlyCost: after,
    pastTotalMonthlyCost: "10",
    diffTotalMonthlyCost: change,
  };
}
