import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { createSandbox, type Sandbox } from "../../sandbox/sandbox.ts";
import { startPolicyTasks } from "../../src/wiring/evaluation/policy-tasks.ts";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { type RunningBot, type StartOptions, startBot } from "../../src/wiring/start.ts";
import {
  acceptsDeliveries,
  BaseWorld,
  buildSandboxOptions,
  type FoundedWorld,
  type FoundingOptions,
  foundWorld,
  installApp,
} from "./base-world.ts";
import { releasePostgres, usualDatabaseUrl } from "./engines.ts";
import { eventually } from "./eventually.ts";
import { advanceAlarms, type MovableClock, movableClock } from "./time.ts";

export interface WorldOptions extends FoundingOptions {
  /** A PostgreSQL to use; null: the embedded database; when left out, whichever costs less (`usualDatabaseUrl`). */
  readonly databaseUrl?: string | null;
  /** Where the bot logs to; nowhere when left out. */
  readonly log?: Logger;
  /** Puts something between the bot and GitHub: the address that the bot is given in place of `url`. */
  readonly between?: (url: string) => Promise<string>;
  /** Whether the bot has threads of its own for policies, for policies that stop them; otherwise all worlds of a process share them. */
  readonly hasOwnThreads?: boolean;
  /** What time it is for everybody; the machine's own time when left out. */
  readonly clock?: MovableClock;
}

/** A world on loopback, whose bot is a whole one with its sockets, queue and threads. */
export class World extends BaseWorld {
  readonly #bots: BotOptions;
  readonly #clock: MovableClock;
  readonly #taken: string | null;
  #bot: RunningBot;

  constructor(parts: {
    github: Sandbox;
    founded: FoundedWorld;
    bot: RunningBot;
    bots: BotOptions;
    /** A database that is given back in the end. */
    taken: string | null;
  }) {
    super(parts);
    this.#taken = parts.taken;
    this.#bots = parts.bots;
    this.#clock = parts.bots.clock;
    this.#bot = parts.bot;
  }

  get bot(): RunningBot {
    return this.#bot;
  }

  fetch(url: URL | string, init?: RequestInit): Promise<Response> {
    return fetch(url, init);
  }

  async settles(): Promise<void> {
    await eventually(async () => {
      await this.github.deliveries.settled();
      if (!(await this.#bot.session.queue.isIdle())) throw new Error("the bot is still at work");
    });
  }

  async restarts(): Promise<void> {
    await this.#bot.stop();
    this.#bot = await startBot(this.settings, this.#bots);
  }

  async timePasses(ms: number): Promise<void> {
    this.#clock.moves(ms);
    await advanceAlarms(this.#bot.session.store.db, ms);
  }

  async ends(): Promise<void> {
    await this.#bot.stop();
    await this.github.close();
    if (this.#taken !== null) releasePostgres(this.#taken);
    rmSync(this.settings.dataDirectory, { recursive: true, force: true });
  }
}

/** How each bot of a world is started. */
type BotOptions = StartOptions & { readonly clock: MovableClock };

/** Threads for the policies of all worlds of a test process: starting them takes longer than most evaluations. */
const POLICY_TASKS = startPolicyTasks();

/** Builds a world with one organisation, one repository, the App installed on it, and its check required on `main`. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const clock = options.clock ?? movableClock();
  const taken = options.databaseUrl === undefined ? await usualDatabaseUrl() : null;
  const github = await createSandbox({ clock, ...buildSandboxOptions() });
  const founded = await foundWorld(github, options, {
    port: await findFreePort(),
    githubUrl: (await options.between?.(github.url)) ?? github.url,
    dataDirectory: mkdtempSync(join(tmpdir(), "tollgate-world-")),
    databaseUrl: options.databaseUrl ?? taken,
  });
  const bots: BotOptions = {
    log: options.log ?? pino({ level: "silent" }),
    clock,
    policies: options.hasOwnThreads === true ? undefined : POLICY_TASKS,
  };
  const bot = await startBot(founded.settings, bots);
  installApp(github, founded);
  const world = new World({ github, founded, bot, bots, taken });
  await endsFirstSweep(bot);
  await world.settles();
  acceptsDeliveries(github);
  return world;
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
  });
