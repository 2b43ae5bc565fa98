import { AsyncLocalStorage } from "node:async_hooks";
import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import { PARSERS, START_PARAMS } from "../../src/store/embedded.ts";
import { migrateDatabase } from "../../src/store/migrate.ts";
import { schema } from "../../src/wiring/database/schema.ts";
import { Actors } from "./actors.ts";
import { AnnouncedHeads } from "./announced-heads.ts";
import { type Mutant, type RunningBot, startSimulatedBot } from "./bot.ts";
import { BrokenInvariant } from "./broken-invariant.ts";
import { type Company, foundCompany } from "./company.ts";
import { ConnectionLock } from "./connection-lock.ts";
import { connectDatabase, openReusable, type ReusableDatabase } from "./database.ts";
import { JobStore } from "./job-store.ts";
import { currentLife, type Life } from "./life.ts";
import { Scheduler } from "./scheduler.ts";
import { SimulatedGitHub } from "./simulated-github.ts";
import { SimulatedPlatform } from "./simulated-platform.ts";
import { createSimulatedQueue } from "./simulated-queue.ts";
import { installSyncCrypto } from "./sync-crypto.ts";
import { VirtualTime } from "./virtual-time.ts";

const START_MS = Date.UTC(2026, 2, 2, 9);

/** More effects than any story needs: a bot that goes on and on never settles. */
const MOST_EFFECTS = 20_000;
/** What the bot does by itself within this time belongs to settling, in ms. */
const SOON_MS = 20_000;
/** The same in a story with a late request, which is found out after 31 seconds. */
const SOON_IF_LATE_MS = 45_000;

/** In ms: longer than any pause before another attempt, and than the time after which a sweep visits a pull request again. */
const REST_MS = 36 * 60_000;

/** A job whose worker sends no heartbeat for this time is given to another, in ms. */
const HEARTBEAT_MS = 10_000;

/** In ms: longer than a verdict waits for executions. */
const DEADLINE_MS = 2.5 * 3_600_000;

/** A database for the stories of one test file, one after the other. */
export async function openStoryDatabase(): Promise<
  ReusableDatabase & { readonly lite: PGlite; close(): Promise<void> }
> {
  const lite = new PGlite({
    parsers: PARSERS,
    startParams: [...START_PARAMS],
    loadDataDir: new Blob([schema.preparedDatabase()], { type: "application/x-gzip" }),
  });
  await lite.waitReady;
  await migrateDatabase(new Kysely({ dialect: new PGliteDialect({ pglite: lite }) }), schema.migrations);
  return { ...(await openReusable(lite)), lite, close: () => lite.close() };
}

/** What belongs to a story, and not to what an earlier test of the same process left behind. */
const storyScope = new AsyncLocalStorage<true>();

/** The end of the story that was begun last: a story has the clock of its process, also one whose test was given up. */
let lastStory: Promise<unknown> = Promise.resolve();

/** At most so many processes run at once. */
const PROCESSES = 2;

/** Everything of one story: its time, its neighbours, its disk and its bot. */
export class Story {
  readonly scheduler: Scheduler;
  readonly github: SimulatedGitHub;
  readonly platform: SimulatedPlatform;
  readonly store: JobStore;
  readonly actors: Actors;
  readonly announced: AnnouncedHeads;
  readonly #database: ReusableDatabase;
  readonly #mutant: Mutant;
  /** The processes of the bot that run, on one database and queue. */
  #bots: readonly RunningBot[] = [];
  #received = 0;
  #paused: { readonly life: Life; readonly until: number } | null = null;
  readonly #lock = new ConnectionLock();
  #company: Company = { ciId: 0, app: { id: 0, privateKey: "" } };
  /** The deliveries that the bot said it has. */
  readonly accepted: string[] = [];
  /** Called after somebody changed what the oracle sees. */
  onAct: () => void = () => {};
  /** True: something went wrong since everything was at rest, and only the sweep finds out. */
  isDisturbed = false;
  /** True: a process was paused, or an answer given up, so that a request may take effect later than the bot knows. */
  mayBeLate = false;
  /** True: GitHub took a request late. */
  isGitHubLate = false;

  private constructor(database: ReusableDatabase, mutant: Mutant) {
    this.scheduler = new Scheduler(new VirtualTime(START_MS));
    this.github = new SimulatedGitHub(this.scheduler);
    this.platform = new SimulatedPlatform(this.scheduler);
    this.store = new JobStore(this.scheduler);
    this.announced = new AnnouncedHeads(this.store.handled);
    this.actors = new Actors({ github: this.github, platform: this.platform, time: this.scheduler.time });
    this.#database = database;
    this.#mutant = mutant;
  }

  /** Plays `work` in a new world, in which nothing else happens than what it does, after all stories that were begun before. */
  static play<T>(database: ReusableDatabase, mutant: Mutant, work: (story: Story) => Promise<T>): Promise<T> {
    const played = lastStory.then(() =>
      storyScope.run(true, () => Story.#play(new Story(database, mutant), work)),
    );
    lastStory = played.catch(() => {});
    return played;
  }

  static async #play<T>(story: Story, work: (story: Story) => Promise<T>): Promise<T> {
    const endTime = story.scheduler.time.install(storyScope);
    const endCrypto = installSyncCrypto();
    try {
      story.#database.renew();
      await story.#begins();
      return await work(story);
    } finally {
      for (const { life } of story.#bots) await story.scheduler.crash(life);
      endCrypto();
      endTime();
    }
  }

  get bots(): readonly RunningBot[] {
    return this.#bots.filter(({ life }) => !life.isOver);
  }

  /** The longest that runs. */
  get bot(): RunningBot {
    const [bot] = this.bots;
    if (bot === undefined) throw new Error("a bot that crashed is started again");
    return bot;
  }

  get ciId(): number {
    return this.#company.ciId;
  }

  get appId(): number {
    return this.#company.app.id;
  }

  async #begins(): Promise<void> {
    this.#company = await foundCompany(this.github);
    this.scheduler.onCrash = async (life) => this.#bots.find((bot) => bot.life === life)?.database.letGo();
    this.scheduler.onIdle = () => this.#startsDue();
    await this.#starts();
    await this.settles();
  }

  async #starts(): Promise<void> {
    const life = { isOver: false };
    const { scheduler, github, platform, store } = this;
    const { app } = this.#company;
    // Alone, a process returns at its start what the one before had taken; of several, none knows of the others.
    if (this.bots.length === 0) store.returnOrphans();
    const rewrite = this.#mutant.statement ?? ((sql: string) => sql);
    const database = connectDatabase(this.#database.statements, {
      scheduler,
      life,
      lock: this.#lock,
      rewrite,
      onLane: (lane) => store.begins(lane),
    });
    const queue = createSimulatedQueue(store, life);
    const parts = {
      scheduler,
      github,
      platform,
      database,
      queue,
      store,
      life,
      app,
      trustedPoster: this.ciId,
    };
    const bot = await currentLife.run(life, startSimulatedBot, { ...parts, mutant: this.#mutant });
    this.#bots = [...this.bots, bot];
  }

  /** A process that is paused takes no jobs while another runs. */
  #startsDue(): boolean {
    const awake = this.bots.filter(
      ({ life }) => life !== this.#paused?.life || this.scheduler.effects >= this.#paused.until,
    );
    const bots = awake.length > 0 ? awake : this.bots;
    return bots.map((bot) => bot.queue.startDue()).includes(true);
  }

  /** Pauses a process until so many effects have happened, and for so long that its jobs are given to others. */
  async pauses(effects: number): Promise<void> {
    this.mayBeLate = true;
    const { life, queue } = this.bots[effects % this.bots.length] ?? this.bot;
    this.#paused = { life, until: this.scheduler.effects + effects };
    queue.losesClaims();
    this.scheduler.holdsCalls(life, effects);
    await this.passes(HEARTBEAT_MS);
  }

  /** A bot that crashed is started again. */
  async recovers(): Promise<void> {
    if (this.bots.length === 0) await this.#starts();
  }

  /** Another process starts beside the one that runs. */
  async startsAnother(): Promise<void> {
    if (this.bots.length < PROCESSES) await this.#starts();
  }

  /** Ends the process after so many more effects of the jobs that it has, and starts another one. */
  async restarts(effects: number): Promise<void> {
    const { scheduler } = this;
    const [bot] = this.bots;
    if (bot === undefined) return this.recovers();
    bot.queue.drains();
    void currentLife.run(bot.life, bot.stop);
    for (let left = effects; left > 0 && bot.queue.isBusy(); left -= 1)
      if (!(await scheduler.performOne(left, this.#soonMs))) break;
    bot.queue.losesClaims();
    await scheduler.crash(bot.life);
    await this.#starts();
  }

  /** Since when the lane's oldest run runs, in any process; now, if none does. */
  runningSince(lane: string): number {
    const starts = this.bots.flatMap(({ queue }) => queue.runningSince(lane) ?? []);
    return Math.min(this.scheduler.time.now(), ...starts);
  }

  get #soonMs(): number {
    return this.mayBeLate ? SOON_IF_LATE_MS : SOON_MS;
  }

  /** So many effects happen. */
  async runs(effects: number, order: number): Promise<void> {
    for (let index = 0; index < effects; index += 1) {
      await this.recovers();
      if (!(await this.scheduler.performOne(order + index * 7, this.#soonMs))) break;
    }
  }

  /** Everything arrives and happens that can happen soon. */
  async settles(): Promise<void> {
    const { scheduler } = this;
    const most = scheduler.effects + MOST_EFFECTS;
    let [seen, quietSinceMs] = [scheduler.trace.length, scheduler.time.now()];
    for (let index = 0; scheduler.effects < most; index += 1) {
      if (!(await this.#movesOn(index))) return;
      const nowMs = scheduler.time.now();
      if (scheduler.trace.length !== seen) [seen, quietSinceMs] = [scheduler.trace.length, nowMs];
      // A process asks the database for ever whether it is its turn to sweep.
      else if (nowMs > quietSinceMs + this.#soonMs) return;
    }
    throw new BrokenInvariant(`the bot never settles:\n${scheduler.trace.slice(-60).join("\n")}`);
  }

  /** The next thing arrives, happens or becomes due; false: nothing does soon. */
  async #movesOn(pick: number): Promise<boolean> {
    const { scheduler, store } = this;
    await this.recovers();
    if (await this.deliversOne()) return true;
    if (await scheduler.performOne(pick, this.#soonMs)) return true;
    const nowMs = scheduler.time.now();
    const nextMs = store.nextMs(["delivery", "lane", "comment", "alarm"]);
    if (nextMs === null || nextMs > nowMs + this.#soonMs) return false;
    await this.passes(nextMs - nowMs);
    return true;
  }

  /** The next delivery reaches the bot, or what is left of it. */
  async deliversOne(): Promise<boolean> {
    const delivery = this.github.deliveries.shift();
    if (delivery === undefined) return false;
    const { scheduler } = this;
    scheduler.trace.push(`delivery ${delivery.event}`);
    this.announced.notes(delivery);
    this.#received += 1;
    const bot = this.bots[this.#received % this.bots.length];
    if (bot === undefined) return true; // nobody listens
    void currentLife.run(bot.life, bot.receive, delivery).then((outcome) => {
      if (outcome === "stored") this.accepted.push(delivery.guid);
      else if (outcome === "failed") this.isDisturbed = true;
    });
    await scheduler.drain();
    return true;
  }

  /** Deliveries on their way get lost, come twice, or come after all others. */
  disturbsDeliveries(how: "loses" | "doubles" | "delays", times: number): void {
    const { deliveries } = this.github;
    const disturbed = deliveries.splice(0, times);
    if (how === "loses" && disturbed.length > 0) this.isDisturbed = true;
    if (how === "doubles") deliveries.unshift(...disturbed.flatMap((delivery) => [delivery, delivery]));
    if (how === "delays") deliveries.push(...disturbed);
  }

  /** Time passes at once, as for a machine that slept. */
  async passes(ms: number): Promise<void> {
    await this.scheduler.performLate(this.scheduler.time.now() + ms);
    this.scheduler.time.passes(ms);
    this.actors.queue.givesUp();
    this.onAct();
  }

  /** Every deadline for executions passes. */
  async passesDeadlines(): Promise<void> {
    await this.passes(DEADLINE_MS);
    await this.settles();
  }

  /** Nothing goes wrong any more, and there is time for everything. */
  async comesToRest(): Promise<void> {
    this.scheduler.endFaults();
    this.platform.isUp = true;
    await this.settles();
    await this.passes(REST_MS);
    await this.settles();
    // A delivery that was under way when time passed at once is tried again after a pause.
    for (let minute = 0; minute < 5 && this.store.hasOpenDeliveries(); minute += 1) {
      await this.passes(60_000);
      await this.settles();
    }
  }
}
