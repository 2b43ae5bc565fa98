import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { createSandbox, type Sandbox } from "../../../src/sandbox/sandbox.ts";
import { systemRandom } from "../../../src/sandbox/state/random.ts";
import { DATABASE } from "../../../src/store/directory/content.ts";
import { caller, jwt } from "../../sandbox/lab.ts";
import { OWNER, REPOSITORY } from "../places.ts";
import type { MovableClock } from "../time.ts";
import { type RecordedCheck, type RecordedComment, type RecordedStep, SANDBOX_ADDRESS } from "./recording.ts";

const read = (file: string): string =>
  gunzipSync(readFileSync(join(import.meta.dirname, file))).toString("utf8");

/**
 * The statements that make the database again as it was, but for the times of its jobs: the database's clock says how old a job is, and
 * an old one is deleted.
 */
export const dumpOf = (name: string): string => `${read(`${name}.sql.gz`)}
update queue.job set created_on = now(), keep_until = now() + interval '14 days',
  start_after = now() + (start_after - created_on);
`;

export async function restoreEmbedded(name: string, directory: string): Promise<void> {
  const lite = await PGlite.create({ dataDir: join(directory, DATABASE) });
  await lite.exec(dumpOf(name));
  await lite.close();
}

export async function restorePostgres(name: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(dumpOf(name));
  await client.end();
}

/** A sandbox GitHub on which everything was done again. */
export interface RestoredGitHub {
  readonly github: Sandbox;
  readonly app: Awaited<ReturnType<Sandbox["registerApp"]>>;
  readonly repositoryId: number;
  readonly ownerId: number;
  readonly ciId: number;
}

export async function restoreGitHub(name: string, clock: MovableClock): Promise<RestoredGitHub> {
  const github = await createSandbox({ clock, random: systemRandom });
  const steps = read(`${name}.steps.gz`).trim().replaceAll(SANDBOX_ADDRESS, github.url).split("\n");
  const replay = new Replay(github, clock);
  for (const step of steps) await replay.step(JSON.parse(step) as RecordedStep); // written by the recorder
  const app = replay.app;
  if (app === null) throw new Error("no App was registered");
  const { id: repositoryId, ownerId } = github.repository(REPOSITORY);
  return { github, app, repositoryId, ownerId, ciId: replay.ciId };
}

/** Does each recorded step again; ids are given in the order of creation, so they are the same again. */
class Replay {
  app: RestoredGitHub["app"] | null = null;
  ciId = 0;
  readonly #github: Sandbox;
  readonly #clock: MovableClock;

  constructor(github: Sandbox, clock: MovableClock) {
    this.#github = github;
    this.#clock = clock;
  }

  async step(step: RecordedStep): Promise<void> {
    this.#clock.moves(step.atMs - this.#clock.now());
    if ("comment" in step) await this.#comment(step.comment);
    else if ("check" in step) this.#check(step.check);
    else await this.#act(step.verb, step.args);
  }

  async #act(verb: string, args: readonly unknown[]): Promise<void> {
    const act: unknown = Reflect.get(this.#github, verb);
    if (typeof act !== "function") throw new Error(`the sandbox has no verb ${verb}`);
    const result: unknown = await Reflect.apply(act, this.#github, args);
    if (verb === "registerApp") this.app = result as RestoredGitHub["app"]; // what that verb returns
    if (verb === "createOwner") this.ciId = (result as { id: number }).id; // of the owners, the last is the CI
  }

  async #comment({ id, number, body }: RecordedComment): Promise<void> {
    const call = caller(this.#github.url, `token ${await this.#installationToken()}`);
    const answer = await call(`POST /repos/${REPOSITORY}/issues/${number}/comments`, { body });
    if (answer.body?.id !== id) throw new Error(`comment ${id} came back as ${answer.text}`);
  }

  #check({ id, headSha, ...check }: RecordedCheck): void {
    const appId = this.app?.id ?? 0;
    const { conclusion, ...rest } = check;
    const run = this.#github.postCheckRun({
      ...rest,
      repository: REPOSITORY,
      sha: headSha,
      appId,
      ...(conclusion === null ? {} : { conclusion }),
    });
    if (run.id !== id) throw new Error(`check ${id} came back as ${run.id}`);
  }

  /** A new one each time: hours pass between the steps. */
  async #installationToken(): Promise<string> {
    if (this.app === null) throw new Error("no App is registered");
    const call = caller(this.#github.url, `bearer ${jwt(this.app, this.#clock.now())}`);
    const installation = await call(`GET /orgs/${OWNER}/installation`);
    const { body } = await call(`POST /app/installations/${installation.body.id}/access_tokens`);
    return String(body.token);
  }
}
