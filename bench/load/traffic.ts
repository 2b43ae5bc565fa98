import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { PullKey } from "../../src/kernel/ids.ts";
import { createChoices } from "../../test/soak/seeded-random.ts";
import type { LoadParameters } from "./parameters.ts";

/** What is known of a pull request without asking Tollgate: what its check has to say follows from it. */
export interface ExpectedPull extends PullKey {
  readonly repository: string;
  readonly branch: string;
  isOpen: boolean;
  headSha: string;
  /** All heads so far, the newest last. */
  readonly heads: string[];
  /** Increase that the newest execution of the newest head found, in USD a month; null: none ran yet. */
  increase: number | null;
}

export interface Traffic {
  readonly pulls: readonly ExpectedPull[];
  /** When the first status of a head was posted, in ms since 1970. */
  readonly pricedAt: ReadonlyMap<string, number>;
  /** When a pull request was opened, by its first head. */
  readonly openedAt: ReadonlyMap<string, number>;
  readonly actions: number;
}

export const LIMIT = 500;
export const POLICY = `version: 1
expect:
  - { paths: ["**"], workspaces: [production] }
rules:
  - { id: monthly-increase, limit: { increase: ${LIMIT} USD } }
`;

interface Scene {
  readonly github: Sandbox;
  readonly platformUrl: string;
  readonly repositories: readonly { readonly name: string; readonly id: number }[];
}

/** People and CI: they open pull requests, push, run pipelines, run them again, and close some. */
export class People implements Traffic {
  readonly pulls: ExpectedPull[] = [];
  readonly pricedAt = new Map<string, number>();
  readonly openedAt = new Map<string, number>();
  actions = 0;
  readonly #scene: Scene;
  readonly #parameters: LoadParameters;
  readonly #random: () => number;
  /** Pull requests whose head has no execution yet, the oldest first. */
  readonly #unpriced: ExpectedPull[] = [];

  constructor(scene: Scene, parameters: LoadParameters) {
    this.#scene = scene;
    this.#parameters = parameters;
    const choices = createChoices(parameters.seed);
    this.#random = () => choices.between(0, 1);
  }

  /** Acts `rate` times a second for `seconds`. Resolves with the seconds that it really took. */
  async play({ rate, seconds }: { readonly rate: number; readonly seconds: number }): Promise<number> {
    const total = Math.round(rate * seconds);
    const began = performance.now();
    for (let action = 0; action < total; action++) {
      await sleep(Math.max(0, began + (action * 1_000) / rate - performance.now()));
      this.#act(total - action);
    }
    return (performance.now() - began) / 1_000;
  }

  /** `left`: actions that remain. All pull requests are opened, and the first execution of a head follows it. */
  #act(left: number): void {
    this.actions += 1;
    const unopened = this.#parameters.pulls - this.pulls.length;
    const [oldest] = this.#unpriced;
    const chance = this.#random();
    if (unopened > 0 && (oldest === undefined || chance < (1.6 * unopened) / left)) this.#open();
    else if (oldest !== undefined && chance < 0.75) this.#run(oldest);
    else this.#change(this.pulls[Math.floor(this.#random() * this.pulls.length)]);
  }

  #change(pull: ExpectedPull | undefined): void {
    if (pull === undefined || !pull.isOpen) return;
    const kind = this.#random();
    if (kind < 0.5) this.#push(pull);
    else if (kind < 0.95) this.#run(pull);
    else this.#close(pull);
  }

  #open(): void {
    const { github, repositories } = this.#scene;
    const count = this.pulls.length;
    const repository = repositories[count % repositories.length];
    if (repository === undefined) throw new Error("there is no repository");
    const { name, id } = repository;
    const branch = `change-${count}`;
    github.push({ repository: name, branch, files: { [`infra/${branch}.tf`]: `# ${branch}\n` } });
    const title = `Change ${count}`;
    const { number, headSha } = github.openPullRequest({ repository: name, head: branch, title });
    const pull = {
      ...{ repository: name, repositoryId: id, number, branch, isOpen: true },
      ...{ headSha, heads: [headSha], increase: null },
    };
    this.pulls.push(pull);
    this.#unpriced.push(pull);
    this.openedAt.set(headSha, Date.now());
  }

  #push(pull: ExpectedPull): void {
    const { repository, branch } = pull;
    const files = { [`infra/${branch}.tf`]: `# ${branch} ${this.actions}\n` };
    const { after } = this.#scene.github.push({ repository, branch, files });
    pull.headSha = after;
    pull.heads.push(after);
    pull.increase = null;
    if (!this.#unpriced.includes(pull)) this.#unpriced.push(pull);
  }

  /** A pipeline ends; what it found replaces what an earlier one found. */
  #run(pull: ExpectedPull): void {
    const at = this.#unpriced.indexOf(pull);
    if (at >= 0) this.#unpriced.splice(at, 1);
    if (!pull.isOpen) return;
    const { repository, headSha: sha } = pull;
    pull.increase = 10 + 10 * Math.floor(this.#random() * 98);
    const execution = `run-number-${this.actions}-adds-${pull.increase}`;
    const path = `orgs/o/projects/p/pipelines/infra/executions/${execution}/pipeline`;
    const targetUrl = `${this.#scene.platformUrl}/ng/account/acc/ci/${path}`;
    const status = { context: "infra-plan", state: "success", targetUrl, creator: "ci" } as const;
    this.#scene.github.postStatus({ repository, sha, ...status });
    if (!this.pricedAt.has(sha)) this.pricedAt.set(sha, Date.now());
  }

  #close(pull: ExpectedPull): void {
    pull.isOpen = false;
    this.#scene.github.closePullRequest(pull);
  }
}
