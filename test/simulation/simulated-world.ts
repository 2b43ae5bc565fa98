import { type Logger, pino } from "pino";
import { assembleSandbox, type Sandbox, type UnservedSandbox } from "../../sandbox/sandbox.ts";
import type { SendDelivery } from "../../sandbox/state/outbox.ts";
import type { Fetch } from "../../src/github/client/guarded-fetch.ts";
import { VERSION } from "../../src/package/version.ts";
import type { Transport } from "../../src/platform/transport.ts";
import type { PlatformTables } from "../../src/platform-server/tables/tables.ts";
import type { QueueInspection } from "../../src/queue/inspection.ts";
import { createRenderer } from "../../src/render/renderer.ts";
import { createDamageWatch } from "../../src/store/damage.ts";
import { type ComposedBot, composeBot } from "../../src/wiring/compose.ts";
import { createInProcessTransport } from "../../src/wiring/platform/embedded.ts";
import type { InspectedSession } from "../../src/wiring/process/store-session.ts";
import { loadTemplates } from "../../src/wiring/process/templates.ts";
import { collectHandlers } from "../github/deliveries.ts";
import {
  acceptsDeliveries,
  BaseWorld,
  buildSandboxOptions,
  type FoundedWorld,
  type FoundingOptions,
  foundWorld,
  installApp,
  type WorldBot,
} from "../world/base-world.ts";
import { deliver, policies } from "./bot.ts";
import { ConnectionLock } from "./connection-lock.ts";
import { connectDatabase } from "./database.ts";
import { JobStore } from "./job-store.ts";
import { currentLife, type Life } from "./life.ts";
import { BOT_URL } from "./places.ts";
import { Scheduler } from "./scheduler.ts";
import { GITHUB_URL } from "./simulated-github.ts";
import { createSimulatedQueue, type SimulatedQueue, WORK_QUEUES } from "./simulated-queue.ts";
import { openStoryDatabase } from "./story.ts";
import { installSyncCrypto } from "./sync-crypto.ts";
import { realMs, turnOfEventLoop, VirtualTime } from "./virtual-time.ts";

const START_MS = Date.UTC(2026, 2, 2, 9);
/** How long a request takes in simulated time, in ms: two comments are not written in the same moment. */
const CALL_MS = 5;
/** How long `settles` waits for what time does not bring: a file, a module. In ms of the machine's time. */
const REAL_WAIT_MS = 10_000;

/** One database for all worlds of a process, one after the other: opening one takes a second, renewing it some milliseconds. */
const shared: { database: ReturnType<typeof openStoryDatabase> | null; end: (() => void) | null } = {
  database: null,
  end: null,
};

export interface SimulatedWorldOptions extends FoundingOptions {
  /** How the operator's platform of the settings is reached. */
  readonly platformTransport?: Transport;
  /** Where the bot logs to; nowhere when left out. */
  readonly log?: Logger;
  /** Form of GitHub's installation tokens. */
  readonly tokens?: "short" | "long";
}

interface Surroundings {
  readonly platformTransport: Transport | undefined;
  readonly log: Logger;
  readonly scheduler: Scheduler;
  readonly time: VirtualTime;
  readonly jobs: JobStore;
  readonly database: Awaited<ReturnType<typeof openStoryDatabase>>;
  readonly sandbox: UnservedSandbox;
  /** The bot that receives deliveries; null: none runs. */
  running: RunningBot | null;
}

interface RunningBot {
  readonly life: Life;
  readonly bot: ComposedBot;
  readonly queue: SimulatedQueue;
  readonly handlers: ReturnType<typeof collectHandlers>;
}

/**
 * The same world as `World`, in one thread, without sockets and under a clock that stands still until it is moved: the whole bot as
 * `composeBot` makes it, on the memory queue of the simulator. Nothing is reordered.
 */
export class SimulatedWorld extends BaseWorld {
  readonly #around: Surroundings;
  /** Addresses that are not GitHub's to which the bot sent what is for GitHub. */
  readonly strays: string[] = [];
  /** Answers the bot in GitHub's place; null: GitHub does. */
  instead: (request: Request) => Response | null = () => null;

  constructor(parts: { github: Sandbox; founded: FoundedWorld; around: Surroundings }) {
    super(parts);
    this.#around = parts.around;
    this.#around.scheduler.onIdle = () =>
      !this.#isTimerDue() && (this.#around.running?.queue.startDue() ?? false);
  }

  get bot(): WorldBot {
    const { bot, life } = this.#running();
    const drives = <T>(work: () => Promise<T>): Promise<T> => this.#drives(currentLife.run(life, work));
    return {
      url: BOT_URL,
      session: bot.session,
      sweep: () => drives(bot.sweep),
      stop: () => this.#stops(),
    };
  }

  override get transport(): Transport {
    return createInProcessTransport(async (request) => {
      const { bot, life } = this.#running();
      if (bot.platform === null) throw new Error("the platform is elsewhere");
      this.#around.time.passes(CALL_MS);
      return currentLife.run(life, bot.platform.fetch, request);
    });
  }

  async fetch(url: URL | string, init: RequestInit = {}): Promise<Response> {
    const request = await toWireRequest(url, init);
    const answer = request.url.startsWith(GITHUB_URL)
      ? askGitHub(this.#around.sandbox, request)
      : this.#askBot(request);
    return this.#drives(answer);
  }

  /** The key of the routes for commands of this machine. */
  get localKey(): string {
    return this.#running().bot.pages.key;
  }

  /** The queue's disk, as text. */
  listJobs(): string {
    return JSON.stringify([...this.#around.jobs.jobs.values()]);
  }

  async settles(timeoutMs = 60_000): Promise<void> {
    await this.#runs(() => this.#listOpen().length === 0, timeoutMs);
  }

  /** Time passes at once, as for a machine that slept, and everything that is due by then happens. */
  async timePasses(ms: number): Promise<void> {
    await this.#drains();
    this.#around.time.passes(ms);
    await this.settles();
  }

  /** Time goes by step by step, also while something is under way that does not end. */
  async goesOn(ms: number): Promise<void> {
    const { time } = this.#around;
    const untilMs = time.now() + ms;
    for (await this.#drains(); this.#nextMs() < untilMs; await this.#drains())
      time.passes(this.#nextMs() - time.now());
    time.passes(untilMs - time.now());
    await this.#drains();
  }

  /** The process ends in the middle of what it does. Requests that it sent still have their effect. */
  async isKilled(): Promise<void> {
    const { life } = this.#running();
    this.#around.running = null;
    await this.#around.scheduler.crash(life);
  }

  async restarts(): Promise<void> {
    await this.#stops();
    await this.starts();
  }

  async ends(): Promise<void> {
    try {
      await this.#stops();
    } finally {
      endTime();
    }
  }

  async starts(): Promise<void> {
    const { scheduler, time: clock, jobs, database, sandbox, log } = this.#around;
    const life = { isOver: false };
    jobs.returnOrphans();
    const queue = createSimulatedQueue(jobs, life);
    const rewrite = (sql: string): string => sql;
    const connection = { scheduler, life, lock: new ConnectionLock(), rewrite };
    const { db } = connectDatabase(database.statements, connection);
    const session: InspectedSession = {
      store: {
        db: db.$extendTables<PlatformTables>(),
        engine: { kind: "pglite", lite: database.lite },
        damage: createDamageWatch(() => {}, false),
        close: async () => {},
      },
      queue: { ...queue, drain: () => drain(queue) },
      inspection: inspect(jobs),
      clock,
      laneSpacingMs: this.settings.laneSpacingMs,
      findFault: async () => null,
      close: async () => {},
    };
    const fetch: Fetch = (url, init) => {
      if (!url.startsWith(GITHUB_URL)) this.strays.push(url);
      const request = new Request(url, withoutSignal(init));
      const instead = this.instead(request);
      return scheduler.statement(life, async () => instead ?? askGitHub(sandbox, request, init.signal));
    };
    const starting = currentLife.run(life, async () => {
      const bot = await composeBot(this.settings, {
        log,
        clock,
        policies,
        session,
        fetch,
        platformTransport: this.#around.platformTransport,
        renderer: RENDERER,
      });
      const handlers = collectHandlers(bot.intake);
      this.#around.running = { life, bot, queue, handlers };
      await bot.work();
    });
    await this.#drives(starting);
  }

  #running(): RunningBot {
    const { running } = this.#around;
    if (running === null) throw new Error("no bot runs");
    return running;
  }

  async #stops(): Promise<void> {
    const { bot, life } = this.#running();
    await this.#drives(currentLife.run(life, bot.stop));
    this.#around.running = null;
    await this.#around.scheduler.crash(life);
  }

  async #askBot(request: Request): Promise<Response> {
    const { bot, life } = this.#running();
    const incoming = { socket: { remoteAddress: "127.0.0.1" }, headers: Object.fromEntries(request.headers) };
    return currentLife.run(life, async () => bot.pages.app.fetch(request, { incoming }));
  }

  /** What is at work or waits for its time soon, in words. */
  #listOpen(): readonly string[] {
    const { sandbox, jobs, time } = this.#around;
    const deliveries = sandbox.deliveries.list().filter(({ state }) => state === "waiting");
    return [
      ...deliveries.map(({ event, guid }) => `delivery ${event} ${guid} is on its way`),
      ...jobs.listOpen(WORK_QUEUES).map(({ queue, key, id, state, startAfterMs, retries }) => {
        const soon = state === "active" ? "" : ` in ${startAfterMs - time.now()} ms`;
        return `${queue} ${key ?? id} is ${state}${soon}, after ${retries} retries`;
      }),
    ];
  }

  #isTimerDue(): boolean {
    const { time } = this.#around;
    return (time.nextMs() ?? Number.POSITIVE_INFINITY) <= time.now();
  }

  /** When the next timer or job is due. */
  #nextMs(): number {
    const { time, jobs } = this.#around;
    const never = Number.POSITIVE_INFINITY;
    return Math.min(time.nextMs() ?? never, jobs.nextMs(WORK_QUEUES) ?? never);
  }

  /** Lets everything happen that is due now. */
  async #drains(): Promise<void> {
    const { scheduler, time } = this.#around;
    for (;;) {
      await scheduler.drain();
      if (!this.#isTimerDue()) return;
      while (this.#isTimerDue()) time.fireNext();
    }
  }

  async #drives<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const end = (): void => {
      isDone = true;
    };
    work.then(end, end);
    await this.#runs(() => isDone, 60_000);
    return work;
  }

  /** Lets things happen in their order, and time pass when nothing else can happen, until this is done. */
  async #runs(isDone: () => boolean, timeoutMs: number): Promise<void> {
    const { time } = this.#around;
    const untilMs = time.now() + timeoutMs;
    let waitedSinceMs: number | null = null;
    for (await this.#drains(); !isDone(); await this.#drains()) {
      const nextMs = this.#nextMs();
      if (nextMs <= untilMs) {
        time.passes(nextMs - time.now());
        continue;
      }
      waitedSinceMs ??= realMs();
      if (realMs() > waitedSinceMs + REAL_WAIT_MS)
        throw new Error(`the bot is still at work after ${timeoutMs} ms:\n${this.#listOpen().join("\n")}`);
      await turnOfEventLoop();
    }
  }
}

/** The templates are compiled once for all worlds. */
const RENDERER = createRenderer(loadTemplates(), { version: VERSION });

/** Takes no more jobs, and waits for those that run. */
async function drain(queue: SimulatedQueue): Promise<void> {
  queue.drains();
  for (let left = 600; queue.isBusy() && left > 0; left -= 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  queue.losesClaims();
}

const inspect = (jobs: JobStore): QueueInspection => ({
  listDeliveries: async (limit) =>
    [...jobs.jobs.values()]
      .filter(({ queue }) => queue === "delivery")
      .slice(-limit)
      .reverse()
      .map(({ id, data, state, startAfterMs }) => {
        const receivedAt = new Date(startAfterMs);
        return {
          id,
          data,
          state,
          receivedAt,
          endedAt: state === "completed" ? receivedAt : null,
          problem: null,
        };
      }),
  listFailedJobs: async () => [],
  retryDelivery: async (id) => jobs.retryFailed(id),
});

/** The request with the headers that a client of HTTP adds. */
async function toWireRequest(url: URL | string, init: RequestInit): Promise<Request> {
  const headers = new Headers(init.headers);
  if (!headers.has("host")) headers.set("host", new URL(url).host);
  const request = new Request(url, { ...init, headers });
  if (request.body === null || headers.has("transfer-encoding")) return request;
  const body = await request.arrayBuffer();
  for (const [name, value] of request.headers) headers.set(name, value); // the type of a form's body
  headers.set("content-length", String(body.byteLength));
  return new Request(url, { ...init, headers, body });
}

const withoutSignal = ({ signal: _, ...init }: Parameters<Fetch>[1]) => init;

/** Asks the sandbox; rejects where its answer breaks off, or after the signal. */
async function askGitHub(
  sandbox: UnservedSandbox,
  request: Request,
  signal?: AbortSignal,
): Promise<Response> {
  let isCut = false;
  const cut = (): void => {
    isCut = true;
  };
  const outgoing = { destroy: cut, writeHead: () => {}, write: (_: unknown, end: () => void) => end() };
  // The sandbox calls nothing else of the server's response. What it does later outlives the bot.
  const env = { outgoing } as unknown as Parameters<typeof sandbox.api.fetch>[1];
  const asked = Promise.resolve(currentLife.exit(() => sandbox.api.fetch(request, env)));
  const answer = await (signal === undefined ? asked : Promise.race([asked, rejectOnAbort(signal)]));
  if (isCut) throw Object.assign(new Error("the connection was reset"), { code: "ECONNRESET" });
  return answer;
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

function createSend(around: () => Surroundings): SendDelivery {
  return async (url, { headers, body }) => {
    const { running, time } = around();
    if (running === null || !url.startsWith(BOT_URL)) throw new Error("nobody listens there");
    time.passes(CALL_MS);
    const delivery = {
      guid: headers["x-github-delivery"] ?? "",
      event: headers["x-github-event"] ?? "",
      body: String(body),
    };
    const isAccepted = await currentLife.run(running.life, deliver, running.handlers, delivery);
    return { status: isAccepted ? 200 : 503, arrayBuffer: async () => new ArrayBuffer(0) };
  };
}

/** Installs the clock for the whole process; it ends with the world, or when the next one begins. */
function beginTime(time: VirtualTime): void {
  endTime();
  const endTimers = time.install();
  const endCrypto = installSyncCrypto();
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException(`${ms} ms have passed`, "TimeoutError")), ms);
    return controller.signal;
  };
  shared.end = () => {
    AbortSignal.timeout = timeout;
    endCrypto();
    endTimers();
  };
}

function endTime(): void {
  shared.end?.();
  shared.end = null;
}

/** Builds a world with one organisation, one repository, the App installed on it, and its check required on `main`. */
export async function createSimulatedWorld(options: SimulatedWorldOptions = {}): Promise<SimulatedWorld> {
  shared.database ??= openStoryDatabase();
  const database = await shared.database;
  const time = new VirtualTime(START_MS);
  beginTime(time);
  try {
    database.renew();
    const scheduler = new Scheduler(time);
    const jobs = new JobStore(scheduler);
    const sandbox = assembleSandbox(
      { clock: time, tokens: options.tokens ?? "short", ...buildSandboxOptions() },
      { origin: () => GITHUB_URL, send: createSend(() => around) },
    );
    const log = options.log ?? pino({ level: "silent" });
    const { platformTransport } = options;
    const around: Surroundings = {
      platformTransport,
      scheduler,
      time,
      jobs,
      database,
      sandbox,
      log,
      running: null,
    };
    const github: Sandbox = { ...sandbox, url: GITHUB_URL, close: async () => {} };
    const at = {
      port: Number(new URL(BOT_URL).port),
      githubUrl: GITHUB_URL,
      dataDirectory: "",
      databaseUrl: null,
    };
    const founded = await foundWorld(github, options, at);
    const world = new SimulatedWorld({ github, founded, around });
    await world.starts();
    installApp(github, founded);
    await world.settles();
    acceptsDeliveries(github);
    return world;
  } catch (error) {
    endTime();
    throw error;
  }
}
