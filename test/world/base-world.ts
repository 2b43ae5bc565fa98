import type { GraphqlDocuments } from "../../sandbox/graphql/execution.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { FileContent } from "../../sandbox/state/git.ts";
import { type KeyPair, type Random, systemRandom } from "../../sandbox/state/random.ts";
import type { PullKey } from "../../src/kernel/ids.ts";
import type { Transport } from "../../src/platform/transport.ts";
import { OperatorFile, resolveNames } from "../../src/settings/operator.ts";
import type { AppSettings, ComposedBot } from "../../src/wiring/compose.ts";
import { Ci, type Run } from "./ci.ts";
import { CHEAP } from "./costs.ts";
import { DOCUMENTS } from "./graphql-documents.ts";
import { NAME, OWNER, REPOSITORY } from "./places.ts";
import { asRead } from "./plain-markdown.ts";
import { Visitor } from "./visitor.ts";

/** What a world consists of before its bot starts; the same for every kind of world. */
export interface FoundingOptions {
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
}

/** The bot of a world. */
export interface WorldBot extends Pick<ComposedBot, "session" | "sweep" | "stop"> {
  /** Loopback URL of its server. */
  readonly url: string;
}

/** A GitHub, a Tollgate and a CI, with verbs. */
export abstract class BaseWorld {
  readonly github: Sandbox;
  readonly ci: Ci;
  readonly repositoryId: number;
  readonly appId: number;
  readonly settings: AppSettings;
  #branches = 0;

  constructor(parts: { readonly github: Sandbox; readonly founded: FoundedWorld }) {
    this.github = parts.github;
    this.settings = parts.founded.settings;
    this.repositoryId = parts.founded.repositoryId;
    this.appId = parts.founded.settings.github.appId;
    this.ci = new Ci(this);
  }

  abstract get bot(): WorldBot;

  /** How the CI reaches the platform; undefined: over the network. */
  get transport(): Transport | undefined {
    return undefined;
  }

  /** Sends a request to the bot or to the sandbox, by its address. */
  abstract fetch(url: URL | string, init?: RequestInit): Promise<Response>;

  /** Resolves when no delivery is on its way and no lane has anything to do now. */
  abstract settles(timeoutMs?: number): Promise<void>;

  /** Time passes for everybody, and alarms that were set for it ring. */
  abstract timePasses(ms: number): Promise<void>;

  abstract restarts(): Promise<void>;

  abstract ends(): Promise<void>;

  /** A pull request that changes provisioning code, unless other files are named. */
  opensPullRequest(
    change: {
      title?: string;
      files?: Readonly<Record<string, FileContent>>;
      base?: string;
      branch?: string;
    } = {},
  ) {
    this.#branches += 1;
    const branch = change.branch ?? `change-${this.#branches}`;
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

  /** A run that prices the head, evaluated. */
  async plans({ headSha: sha }: { headSha: string }, cost: NonNullable<Run["cost"]> = CHEAP): Promise<void> {
    await this.ci.runs({ sha, cost, changes: [] });
    await this.settles();
  }

  /** A pull request that is priced and evaluated. */
  async opensPlanned(cost = CHEAP, change: Parameters<BaseWorld["opensPullRequest"]>[0] = {}) {
    const pull = this.opensPullRequest(change);
    await this.plans(pull, cost);
    return pull;
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
    const visitor = this.visits();
    await visitor.signsIn(login);
    return visitor;
  }

  /** A browser in which nobody is signed in. */
  visits(): Visitor {
    const fetch = (url: URL | string, init?: RequestInit) => this.fetch(url, init);
    return new Visitor(this.settings.publicUrl ?? this.bot.url, this.github.url, fetch);
  }
}

/** Of the first App of each world, of the second, and so on: making one takes as long as the rest of a world. */
const KEY_PAIRS: Promise<KeyPair>[] = [];

export function buildSandboxOptions(): { readonly random: Random; readonly documents: GraphqlDocuments } {
  let count = 0;
  const random = { ...systemRandom, keyPair: () => (KEY_PAIRS[count++] ??= systemRandom.keyPair()) };
  return { random, documents: DOCUMENTS };
}

/** A GitHub on which the App is registered, and what the operator sets. */
export interface FoundedWorld {
  readonly repositoryId: number;
  readonly settings: AppSettings;
}

/** Founds one organisation with one repository, and registers the App, which is not installed yet. */
export async function foundWorld(
  github: Sandbox,
  options: FoundingOptions,
  own: Pick<AppSettings, "port" | "githubUrl" | "dataDirectory" | "databaseUrl">,
): Promise<FoundedWorld> {
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
  const url = `http://127.0.0.1:${own.port}`;
  const app = await github.registerApp({
    name: "Tollgate",
    webhookUrl: `${url}/api/github/webhooks`,
    callbackUrls: [`${url}/sign-in/callback`],
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
    ...own,
    platform: { kind: "embedded", account: "acc" },
    github: { appId: app.id, privateKey: app.privateKey, webhookSecret: app.webhookSecret },
    ...(options.signIn !== false && {
      signIn: { clientId: app.clientId, clientSecret: app.clientSecret },
    }),
    githubWriteSpacingMs: 0,
    laneSpacingMs: 100,
    host: "127.0.0.1",
    publicUrl: url,
    oidcIssuer: null,
    trustedProxies: [],
    operator: resolveNames(OperatorFile.parse(operator), ({ name }) =>
      name === OWNER ? owner.id : undefined,
    ),
    encryptionKey: null,
    orgPolicy: "read",
    alwaysCheck: false,
    logLevel: "silent",
    databaseConnections: 15,
    githubBatch: true,
    telemetry: { metricsPort: null, metricsToken: null, tracesUrl: null },
    ...options.settings,
  };
  return { repositoryId: repository.id, settings };
}

/** Installs the App on the organisation, and makes its check required on `main`. */
export function installApp(github: Sandbox, { settings }: FoundedWorld): void {
  const { appId } = settings.github;
  github.installApp({ appId, owner: OWNER });
  const check = { context: "tollgate: main", appId };
  github.protectBranch({ repository: REPOSITORY, branch: "main", requiredChecks: [check] });
}

/** Otherwise each test of this world would say only that a check is missing. */
export function acceptsDeliveries(github: Sandbox): void {
  const lost = github.deliveries.list().find(({ statusCode }) => statusCode !== 200);
  if (lost !== undefined) throw new Error(`the bot answered GitHub's ${lost.event}: ${lost.statusCode}`);
}
