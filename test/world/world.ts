import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import type { PullKey } from "../../src/kernel/ids.ts";
import { GraphqlDocuments } from "../../src/sandbox/graphql/documents.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { type KeyPair, type Random, systemRandom } from "../../src/sandbox/state/random.ts";
import type { FileContent } from "../../src/sandbox/verbs/repositories.ts";
import { OperatorFile } from "../../src/settings/operator.ts";
import type { AppSettings } from "../../src/wiring/compose.ts";
import { startPolicyTasks } from "../../src/wiring/evaluation/policy-tasks.ts";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { type RunningBot, type StartOptions, startBot } from "../../src/wiring/start.ts";
import { Ci, type Run } from "./ci.ts";
import { CHEAP } from "./costs.ts";
import { usualDatabaseUrl } from "./engines.ts";
import { eventually } from "./eventually.ts";
import { NAME, OWNER, REPOSITORY } from "./places.ts";
import { asRead } from "./plain-markdown.ts";
import { advanceAlarms, type MovableClock, movableClock } from "./time.ts";
import { Visitor } from "./visitor.ts";

export interface WorldOptions {
  /** A PostgreSQL to use; null: the embedded database; when left out, whichever costs less (`usualDatabaseUrl`). */
  readonly databaseUrl?: string | null;
  /** The repository's policy file on `main`; null: none. */
  readonly policy?: string | null;
  readonly visibility?: "public" | "private";
  readonly files?: Readonly<Record<string, FileContent>>;
  /** What the operator sets, over the defaults of the world. */
  readonly settings?: Partial<AppSettings>;
  /** Whether the operator enabled sign-in; default: yes. */
  readonly signIn?: boolean;
  readonly operator?: (ids: {
    ownerId: number;
    repositoryId: number;
    idOf: (login: string) => number;
  }) => object;
  /** Logins of people who have accounts before the operator writes the settings. */
  readonly people?: readonly string[];
  /** Where the bot logs to; nowhere when left out. */
  readonly log?: Logger;
  /** Form of GitHub's installation tokens. */
  readonly tokens?: "short" | "long";
  /** Puts something between the bot and GitHub: the address that the bot is given in place of `url`. */
  readonly between?: (url: string) => Promise<string>;
  /** Whether the bot has threads of its own for policies, for policies that stop them; otherwise all worlds of a process share them. */
  readonly hasOwnThreads?: boolean;
  /** What time it is for everybody; the machine's own time when left out. */
  readonly clock?: MovableClock;
}

/** A GitHub, a Tollgate and a CI on loopback, with verbs. */
export class World {
  readonly github: Sandbox;
  readonly ci: Ci;
  readonly repositoryId: number;
  readonly appId: number;
  readonly settings: AppSettings;
  readonly #bots: BotOptions;
  readonly #clock: MovableClock;
  #bot: RunningBot;

  constructor(parts: {
    github: Sandbox;
    bot: RunningBot;
    settings: AppSettings;
    repositoryId: number;
    appId: number;
    bots: BotOptions;
  }) {
    this.#bots = parts.bots;
    this.#clock = parts.bots.clock;
    this.github = parts.github;
    this.#bot = parts.bot;
    this.settings = parts.settings;
    this.repositoryId = parts.repositoryId;
    this.appId = parts.appId;
    this.ci = new Ci(this);
  }

  get bot(): RunningBot {
    return this.#bot;
  }

  /** A pull request that changes provisioning code, unless other files are named. */
  opensPullRequest(
    change: {
      title?: string;
      files?: Readonly<Record<string, FileContent>>;
      base?: string;
      branch?: string;
    } = {},
  ) {
    const branch =
      change.branch ?? `change-${this.github.requests.count()}-${Math.random().toString(36).slice(2, 8)}`;
    const files = change.files ?? { [`infra/${branch}.tf`]: `# ${branch}\n` };
    this.github.push({
      repository: REPOSITORY,
      branch,
      files,
      ...(change.base ? { from: change.base } : {}),
    });
    const title = change.title ?? "Change the infrastructure";
    return this.github.openPullRequest({
      repository: REPOSITORY,
      head: branch,
      title,
      ...(change.base ? { base: change.base } : {}),
    });
  }

  /** A run that prices the head, judged. */
  async plans({ headSha: sha }: { headSha: string }, cost: NonNullable<Run["cost"]> = CHEAP): Promise<void> {
    await this.ci.runs({ sha, cost, changes: [] });
    await this.settles();
  }

  /** A pull request that is priced and judged. */
  async opensPlanned(cost = CHEAP, change: Parameters<World["opensPullRequest"]>[0] = {}) {
    const pull = this.opensPullRequest(change);
    await this.plans(pull, cost);
    return pull;
  }

  /** Resolves when no delivery is on its way and no lane has anything to do now. */
  async settles(timeoutMs = 60_000): Promise<void> {
    await eventually(async () => {
      await this.github.deliveries.settled();
      if (!(await this.#bot.session.queue.isIdle())) throw new Error("the bot is still at work");
    }, timeoutMs);
  }

  /** What the pull request's check says: its conclusion, or its status while it has none; null without a check. */
  gate({ headSha }: { headSha: string }, name = "tollgate: main"): string | null {
    const [run] = this.github.checkRuns({ repository: REPOSITORY, sha: headSha, appId: this.appId, name });
    return run === undefined ? null : (run.conclusion ?? run.status);
  }

  checkOf({ headSha }: { headSha: string }) {
    const [run] = this.github.checkRuns({ repository: REPOSITORY, sha: headSha, appId: this.appId });
    if (run === undefined) throw new Error("there is no check");
    const { summary, text, ...output } = run.output;
    return { ...run, output: { ...output, summary: asRead(summary ?? ""), text: text && asRead(text) } };
  }

  /** What the App's own comments say, as they are read. */
  comments(pull: PullKey): readonly string[] {
    return this.github
      .comments(pull)
      .flatMap(({ appId, body }) => (appId === this.appId ? [asRead(body)] : []));
  }

  comment(pull: PullKey): string {
    const [only, ...more] = this.comments(pull);
    if (only === undefined || more.length > 0)
      throw new Error(`expected one comment, found ${more.length + (only ? 1 : 0)}`);
    return only;
  }

  /** A member of the organisation signs in with a browser of their own; a stranger is nobody's member. */
  async signsIn(login: string, as: "member" | "stranger" = "member"): Promise<Visitor> {
    if (as === "member") this.github.addMember({ organisation: OWNER, login });
    else this.github.createOwner({ login, type: "user" });
    const visitor = new Visitor(this.settings.publicUrl ?? this.#bot.url, this.github.url);
    await visitor.signsIn(login);
    return visitor;
  }

  /** A browser in which nobody is signed in. */
  visits(): Visitor {
    return new Visitor(this.settings.publicUrl ?? this.#bot.url, this.github.url);
  }

  async restarts(): Promise<void> {
    await this.#bot.stop();
    this.#bot = await startBot(this.settings, this.#bots);
  }

  /** Time passes for everybody, and alarms that were set for it ring. */
  async timePasses(ms: number): Promise<void> {
    this.#clock.moves(ms);
    await advanceAlarms(this.#bot.session.store.db, ms);
  }

  async ends(): Promise<void> {
    await this.#bot.stop();
    await this.github.close();
    rmSync(this.settings.dataDirectory, { recursive: true, force: true });
  }
}

/** How each bot of a world is started. */
type BotOptions = StartOptions & { readonly clock: MovableClock };

/** Threads for the policies of all worlds of a test process: starting them takes longer than most evaluations. */
const POLICY_TASKS = startPolicyTasks();

/** Of the first App of each world, of the second, and so on: making one takes as long as the rest of a world. */
const KEY_PAIRS: Promise<KeyPair>[] = [];

function createRandom(): Random {
  let count = 0;
  return { ...systemRandom, keyPair: () => (KEY_PAIRS[count++] ??= systemRandom.keyPair()) };
}

/** The schema and its queries are the same in every world, and take as long to read as the rest of a world. */
const DOCUMENTS = new GraphqlDocuments();

/** Builds a world with one organisation, one repository, the App installed on it, and its check required on `main`. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const clock = options.clock ?? movableClock();
  const github = await createSandbox({
    clock,
    random: createRandom(),
    tokens: options.tokens ?? "short",
    documents: DOCUMENTS,
  });
  const owner = github.createOwner({ login: OWNER, type: "organisation" });
  const ci = github.createOwner({ login: "ci", type: "user" });
  const policy = options.policy ?? null;
  const repository = github.createRepository({
    owner: OWNER,
    name: NAME,
    visibility: options.visibility ?? "private",
    files: {
      "README.md": "# shop\n",
      ...options.files,
      ...(policy === null ? {} : { ".github/tollgate.yml": policy }),
    },
  });
  const port = await findFreePort();
  const app = await github.registerApp({
    name: "Tollgate",
    webhookUrl: `http://127.0.0.1:${port}/api/github/webhooks`,
    callbackUrls: [`http://127.0.0.1:${port}/sign-in/callback`],
  });
  const people = new Map(
    options.people?.map((login) => [login, github.createOwner({ login, type: "user" }).id]),
  );
  const idOf = (login: string): number => people.get(login) ?? 0;
  const operator = {
    trusted_posters: { users: [ci.id] },
    ...options.operator?.({ ownerId: owner.id, repositoryId: repository.id, idOf }),
  };
  const settings: AppSettings = {
    dataDirectory: mkdtempSync(join(tmpdir(), "tollgate-world-")),
    databaseUrl: options.databaseUrl === undefined ? await usualDatabaseUrl() : options.databaseUrl,
    platform: { kind: "embedded", account: "acc" },
    github: { appId: app.id, privateKey: app.privateKey, webhookSecret: app.webhookSecret },
    ...(options.signIn !== false && {
      signIn: { clientId: app.clientId, clientSecret: app.clientSecret },
    }),
    githubUrl: (await options.between?.(github.url)) ?? github.url,
    githubWriteSpacingMs: 0,
    laneSpacingMs: 100,
    port,
    host: "127.0.0.1",
    publicUrl: `http://127.0.0.1:${port}`,
    oidcIssuer: null,
    trustedProxies: [],
    operator: OperatorFile.parse(operator),
    encryptionKey: null,
    orgPolicy: "read",
    alwaysCheck: false,
    logLevel: "silent",
    ...options.settings,
  };
  const bots: BotOptions = {
    log: options.log ?? pino({ level: "silent" }),
    clock,
    policies: options.hasOwnThreads === true ? undefined : POLICY_TASKS,
  };
  const bot = await startBot(settings, bots);
  github.installApp({ appId: app.id, owner: OWNER });
  const check = { context: "tollgate: main", appId: app.id };
  github.protectBranch({ repository: REPOSITORY, branch: "main", requiredChecks: [check] });
  const world = new World({ github, bot, settings, repositoryId: repository.id, appId: app.id, bots });
  await endsFirstSweep(bot);
  await world.settles();
  acceptsDeliveries(github);
  return world;
}

/** Otherwise each test of this world would say only that a check is missing. */
function acceptsDeliveries(github: Sandbox): void {
  const lost = github.deliveries.list().find(({ statusCode }) => statusCode !== 202);
  if (lost !== undefined) throw new Error(`the bot answered GitHub's ${lost.event}: ${lost.statusCode}`);
}

/** Later, it would cause evaluations and calls at any moment of a test. */
const endsFirstSweep = ({ session: { store } }: RunningBot): Promise<void> =>
  eventually(async () => {
    const turn = await store.db
      .selectFrom("turns")
      .select("holder")
      .where("work", "=", "sweep")
      .executeTakeFirst();
    if (turn?.holder !== null) throw new Error("the first sweep has not ended");
  }, 60_000);
