import { BOT_URL, REPOSITORY, type Surroundings } from "./places.ts";

/** The first part of the URL by which a status names an execution. */
const EXECUTIONS = `${BOT_URL}/ng/account/acc/module/iacm/orgs/acme/projects/shop/pipelines/infra/executions/`;

interface Run {
  readonly id: string;
  readonly sha: string;
}

/** What a pipeline plans: `resource`: the one that it changes. */
interface Planned {
  readonly workspace: string;
  readonly resource?: string | null;
}

/** The CI: pipelines that run for commits, and the statuses by which it names them. */
export class Pipelines {
  readonly #places: Surroundings;
  readonly #runs: Run[] = [];

  constructor(places: Surroundings) {
    this.#places = places;
  }

  begins(sha: string, { workspace, resource = null }: Planned): void {
    const { platform, time } = this.#places;
    const id = `run-${this.#runs.length}`;
    const run = { id, sha };
    this.#runs.push(run);
    const createdMs = time.now();
    platform.executions.set(id, { id, workspace, resource, createdMs, status: "none", change: null });
    this.#posts(run);
    time.passes(10); // no two begin in the same millisecond
  }

  /** The newest that runs ends. `cost`: dollars a month more; null: nothing is estimated, and every second one fails. */
  ends(cost: number | null): void {
    const { executions } = this.#places.platform;
    const run = this.#runs.findLast(({ id }) => executions.get(id)?.status === "none");
    const execution = executions.get(run?.id ?? "");
    if (run === undefined || execution === undefined) return;
    execution.status = cost === null && this.#runs.length % 2 === 0 ? "failure" : "success";
    execution.change = cost;
    this.#posts(run);
  }

  repeats(): void {
    const last = this.#runs.at(-1);
    if (last !== undefined) this.#posts(last);
  }

  /** Another than the CI names the newest execution on a commit, whichever commit it is of. */
  claims(sha: string): void {
    const last = this.#runs.at(-1);
    if (last === undefined) return;
    const status = {
      context: "my own plan",
      targetUrl: `${EXECUTIONS}${last.id}/pipeline`,
      state: "success",
    } as const;
    this.#places.github.verbs.postStatus({ repository: REPOSITORY, sha, creator: "mallory", ...status });
  }

  #posts({ id, sha }: Run): void {
    const { platform, github } = this.#places;
    const execution = platform.executions.get(id);
    if (execution === undefined) return;
    const state = execution.status === "none" ? "pending" : execution.status;
    const status = {
      context: `plan ${execution.workspace}`,
      targetUrl: `${EXECUTIONS}${id}/pipeline`,
      state,
    } as const;
    github.verbs.postStatus({ repository: REPOSITORY, sha, creator: "ci", ...status });
  }
}
