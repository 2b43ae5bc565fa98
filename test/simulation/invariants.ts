import type { SandboxPull } from "../../sandbox/state/records.ts";
import { BrokenInvariant } from "./broken-invariant.ts";
import { readChain } from "./decision-chain.ts";
import { GroupInvariants } from "./group-invariants.ts";
import { listEnded } from "./oracle/approvals.ts";
import { checkNamesOf } from "./oracle/policy.ts";
import { expectOf, hasNews, mayBeHeld, mayPass, statesAtRest } from "./oracle/pull-request.ts";
import { allShownOn, checkOf, isPassing } from "./shown-check.ts";
import { LAG_MS } from "./simulated-github.ts";
import type { Story } from "./story.ts";

interface Moment {
  readonly fromMs: number;
  readonly isAllowed: boolean;
}

/** Watches a story: what the oracle said of each head at each time, and what GitHub showed. */
export class Invariants {
  readonly #story: Story;
  /** What may pass, since when, by head and base. */
  readonly #moments = new Map<string, Moment[]>();
  readonly #shown = new Map<string, string | null>();
  /** Each check that passed: the decisions that it may show, of which one must be on record. */
  readonly #passed = new Map<string, readonly string[]>();
  readonly #hadNoPolicy = new Set<string>();
  readonly #foreign = new Map<number, string>();
  readonly #groups: GroupInvariants;
  /** How often heads passed, to see that stories are about something. */
  passes = 0;
  problem: BrokenInvariant | null = null;
  readonly ends: string[] = [];

  constructor(story: Story) {
    this.#story = story;
    this.#groups = new GroupInvariants(story);
    story.onAct = () => this.observe();
    story.github.onSend = (url) => this.#beforeSend(url);
    story.github.onWrite = () => this.#afterWrite();
    story.github.onLateWrite = () => this.#remembersShown();
  }

  get #openPulls(): readonly SandboxPull[] {
    return this.#story.actors.pulls.filter(({ state }) => state === "open");
  }

  get #held(): ReadonlySet<number> {
    const held = this.#openPulls.filter((pull) => mayBeHeld(this.#story, pull));
    return new Set(held.map(({ number }) => number));
  }

  /** After each thing that people, the CI or the platform did. */
  observe(): void {
    const fromMs = this.#story.scheduler.time.now();
    this.#story.actors.overridePlaces.observe(this.#openPulls, this.#held);
    for (const pull of this.#openPulls) {
      const moments = this.#moments.get(keyOf(pull)) ?? [];
      this.#moments.set(keyOf(pull), moments);
      if (expectOf(this.#story, pull) === "no policy") this.#hadNoPolicy.add(pull.baseRef);
      const isAllowed = mayPass(this.#story, pull);
      if (moments.at(-1)?.isAllowed !== isAllowed) moments.push({ fromMs, isAllowed });
    }
    this.#groups.observe();
    this.#remembersComments();
  }

  #afterWrite(): void {
    for (const pull of this.#openPulls)
      for (const conclusion of this.#listNewPasses(pull)) this.#checkPass(pull, conclusion);
    const wrong = this.#groups.findWrongPass();
    if (wrong !== null) this.#breaks(wrong);
    this.#checkComments();
  }

  /** The conclusions of checks of this head and base that pass now and did not before, under any name. */
  #listNewPasses(pull: SandboxPull): readonly string[] {
    const shown = [...allShownOn(this.#story, pull.headSha, pull.baseRef)];
    const changed = shown.filter(([name, state]) => this.#shown.get(`${keyOf(pull)} ${name}`) !== state);
    for (const [name, state] of changed) this.#shown.set(`${keyOf(pull)} ${name}`, state);
    return changed.flatMap(([, state]) => (isPassing(state) ? [state] : []));
  }

  /** A check that begins to pass must have been right at some moment since its evaluation began to read. */
  #checkPass(pull: SandboxPull, conclusion: string): void {
    this.passes += 1;
    const key = keyOf(pull);
    const holders = this.#listFormerHolders(pull);
    this.#passed.set(
      `${key} ${conclusion}`,
      holders.map((number) => `${number} ${key} ${conclusion}`),
    );
    const sinceMs = Math.min(
      ...holders.map((number) => this.#story.runningSince(`pull:${pull.repositoryId}:${number}`)),
    );
    // An evaluation that reads the policy before an edit and the costs after it is followed by another one.
    const isBetween = this.#groups.isPolicyEdited(pull.baseRef, sinceMs - LAG_MS);
    if (!isBetween && !this.#wasAllowed(key, sinceMs - LAG_MS))
      this.#breaks(
        `the check of pull request ${pull.number} passes, and ${expectOf(this.#story, pull)} is what holds`,
      );
  }

  /** What a request shows whose answer was given up was decided before: it must not stay. */
  #remembersShown(): void {
    for (const pull of this.#openPulls)
      for (const [name, shown] of allShownOn(this.#story, pull.headSha, pull.baseRef))
        this.#shown.set(`${keyOf(pull)} ${name}`, shown);
    this.#groups.remembersShown();
  }

  /** A run that was paused while its lane went on writes no check. */
  #beforeSend(url: string): void {
    if (url.includes("/check-runs") && this.#story.store.isReplaced())
      this.#breaks("a run writes a check after a later run of its lane began");
  }

  #wasAllowed(key: string, sinceMs: number): boolean {
    const moments = this.#moments.get(key) ?? [];
    return moments.some(
      ({ isAllowed }, index) =>
        isAllowed && (moments[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY) >= sinceMs,
    );
  }

  #remembersComments(): void {
    for (const { id, appId, body } of this.#story.github.world.comments.all())
      if (appId === null) this.#foreign.set(id, body);
  }

  #checkComments(): void {
    const { world } = this.#story.github;
    for (const [id, body] of this.#foreign)
      if (world.comments.get(id)?.body !== body && world.comments.get(id) !== null)
        this.#breaks("somebody's comment was edited");
    for (const pull of this.#story.actors.pulls) this.#checkReports(pull);
  }

  #checkReports(pull: SandboxPull): void {
    const reports = this.#reportsOf(pull).length;
    if (reports > 1 && !this.#story.mayBeLate) this.#breaks(`pull request ${pull.number} has two reports`);
    if (reports > 0 && !this.#hadCheck(pull))
      this.#breaks(`pull request ${pull.number} has a report before its first check`);
  }

  /**
   * Whether some head of the pull request has a check. Excuses that none has: something went wrong, there was no policy, or the check waits
   * for another pull request with that head.
   */
  #hadCheck({ number, baseRef }: SandboxPull): boolean {
    const heads = this.#story.actors.heads.get(number) ?? [];
    const { checkRuns } = this.#story.github.world;
    const own = checkRuns.filter(
      ({ headSha, appId }) => appId === this.#story.appId && heads.includes(headSha),
    );
    const isShared = heads.some((headSha) => this.#listFormerHolders({ headSha }).length > 1);
    return own.length > 0 || isShared || this.#story.isDisturbed || this.#hadNoPolicy.has(baseRef);
  }

  /** The pull requests that have this head, or had it: a check may show the decision of one that was closed or moved meanwhile. */
  #listFormerHolders({ headSha }: Pick<SandboxPull, "headSha">): readonly number[] {
    const { heads } = this.#story.actors;
    return [...heads].flatMap(([number, shas]) => (shas.includes(headSha) ? [number] : []));
  }

  /** The App's comments that are no answers to commands. */
  #reportsOf(pull: SandboxPull) {
    const own = this.#story.github.verbs.comments(pull).filter(({ appId }) => appId === this.#story.appId);
    return own.filter(({ body }) => body.startsWith("### "));
  }

  #breaks(message: string): void {
    this.problem ??= new BrokenInvariant(message);
  }

  /** @throws BrokenInvariant for what was seen so far */
  check(): void {
    if (this.problem !== null) throw this.problem;
  }

  /** What must hold when everything has come to rest. */
  async checkAtRest(): Promise<void> {
    this.ends.push(...this.#openPulls.map((pull) => expectOf(this.#story, pull)));
    this.#checkPulls(false);
    if (this.ends.includes("waits")) {
      await this.#story.passesDeadlines();
      this.#checkPulls(true);
    }
    this.#groups.check(this.#story.isDisturbed);
    this.#checkDeliveries();
    this.#checkRuns();
    await this.#checkChain();
  }

  /** What must hold when everything has arrived, and nothing went wrong that only the sweep finds out. */
  checkWhenSettled(): void {
    if (this.#story.isDisturbed) return;
    this.#story.actors.overridePlaces.settles(this.#openPulls, this.#held);
    for (const pull of this.#openPulls)
      for (const given of listEnded(this.#story, pull)) this.#story.actors.ended.add(given);
    this.#checkPulls(false);
    this.#groups.check(false);
  }

  #checkPulls(isLate: boolean): void {
    this.check();
    for (const pull of this.#openPulls) {
      const states = statesAtRest(this.#story, pull, isLate);
      if (states === null) continue;
      const what = `pull request ${pull.number}: ${expectOf(this.#story, pull)}`;
      this.#checkStates(pull, states, what);
      const reports = this.#reportsOf(pull).length;
      if (reports > 1 || (reports === 0 && hasNews(this.#story, pull)))
        throw new BrokenInvariant(`${what}, and ${reports} comments report it`);
    }
  }

  /** The check under the name that holds is as expected, and none passes under a former name. */
  #checkStates(pull: SandboxPull, states: readonly string[], what: string): void {
    const shown = checkOf(this.#story, pull);
    if (shown === null || !states.includes(shown))
      throw new BrokenInvariant(`${what}, and its check is ${shown}, not ${states.join(" or ")}`);
    const names = checkNamesOf(this.#story, pull.baseRef);
    const isFormer = (name: string): boolean => names.length === 1 && !names.includes(name);
    for (const [name, other] of allShownOn(this.#story, pull.headSha, pull.baseRef))
      if (isPassing(other) && (isFormer(name) || !states.some(isPassing)))
        throw new BrokenInvariant(`${what}, and its check "${name}" is ${other}`);
  }

  #checkDeliveries(): void {
    const lost = this.#story.accepted.filter((guid) => !this.#story.store.handled.has(guid));
    if (lost.length > 0) throw new BrokenInvariant(`${lost.length} accepted deliveries were not processed`);
  }

  /** A newer run of the same name hides the older ones, which nobody would ever end; a late request may leave one. */
  #checkRuns(): void {
    const own = this.#story.github.world.checkRuns.filter(({ appId }) => appId === this.#story.appId);
    const newest = new Map(own.map((run) => [`${run.headSha} ${run.name}`, run.id]));
    const hidden = own.filter(({ headSha, name, id }) => newest.get(`${headSha} ${name}`) !== id);
    if (hidden.some(({ status }) => status !== "completed") && !this.#story.isGitHubLate)
      throw new BrokenInvariant("a hidden check run is never ended");
    if (own.some(({ conclusion }) => conclusion === "cancelled") && !this.#story.mayBeLate)
      throw new BrokenInvariant("two check runs of one head were created at the same time");
  }

  /** The chain is whole, and everything that GitHub showed is on record. */
  async #checkChain(): Promise<void> {
    const recorded = await readChain(this.#story.bot.database);
    const missing = [...this.#passed.values()].filter(
      (possible) => !possible.some((shown) => recorded.has(shown)),
    );
    if (missing.length > 0) throw new BrokenInvariant("a check passed, and its decision is not on record");
  }
}

/** A check belongs to a head and a base: a pull request that joins others there finds theirs. */
const keyOf = ({ headSha, baseRef }: SandboxPull): string => `${headSha} ${baseRef}`;
