import type { SandboxPull } from "../../sandbox/state/records.ts";
import type { Mutant } from "./bot.ts";
import { BrokenInvariant } from "./broken-invariant.ts";
import type { ReusableDatabase } from "./database.ts";
import { Invariants } from "./invariants.ts";
import { takesReviews } from "./oracle/approvals.ts";
import { isOverridable } from "./oracle/overrides.ts";
import { listSharing } from "./oracle/pull-request.ts";
import { checkOf, isPassing } from "./shown-check.ts";
import type { ActorStep, FateStep, Step } from "./step.ts";
import { Story } from "./story.ts";

/** What a story was about, for counting. */
export interface PlayedStory {
  readonly passes: number;
  readonly effects: number;
  /** What the oracle expects of each open pull request at rest. */
  readonly ends: readonly string[];
  /** Every call of a neighbour, in order. */
  readonly trace: readonly string[];
}

/**
 * Plays the steps, and checks the invariants after each and at rest.
 *
 * @throws BrokenInvariant
 */
export function play(
  database: ReusableDatabase,
  steps: readonly Step[],
  mutant: Mutant = {},
): Promise<PlayedStory> {
  return Story.play(database, mutant, async (story) => {
    const invariants = new Invariants(story);
    for (const step of steps) {
      story.scheduler.trace.push(`* ${JSON.stringify(step)}`);
      await story.recovers();
      await perform(story, step);
      invariants.observe();
      invariants.check();
      if (step.do === "settles") invariants.checkWhenSettled();
    }
    await story.comesToRest();
    await invariants.checkAtRest();
    return {
      passes: invariants.passes,
      effects: story.scheduler.effects,
      ends: invariants.ends,
      trace: story.scheduler.trace,
    };
  });
}

async function perform(story: Story, step: Step): Promise<void> {
  if (isDisturbing(step)) story.isDisturbed = true;
  const fate = FATES[step.do];
  // Each kind of step is looked up by its own name, which the compiler cannot follow.
  if (fate !== undefined) await (fate as (story: Story, step: Step) => unknown)(story, step);
  else story.actors.act(step as ActorStep, story.appId); // all others
}

/** After such a step an event may be lost until the sweep. */
const isDisturbing = (step: Step): boolean =>
  ["crashes", "call fails", "statement fails", "stalls"].includes(step.do) ||
  (step.do === "platform" && !step.isUp);

type Fates = {
  readonly [Kind in FateStep["do"]]: (story: Story, step: Extract<FateStep, { do: Kind }>) => unknown;
};

const delivers = async (story: Story, times: number): Promise<void> => {
  for (let index = 0; index < times; index += 1) await story.deliversOne();
};

/**
 * Where the check says that an approval is missing, and nothing went wrong, an approval of enough makes the check pass: a review, where the
 * policy takes them.
 */
async function approves(story: Story, which: number): Promise<void> {
  await story.settles();
  const pull = story.actors.pulls[which];
  if (pull?.state !== "open" || checkOf(story, pull) !== "action_required") return;
  if (listSharing(story, pull).length > 1) return; // each needs an approval of its own
  const { verbs } = story.github;
  await opens(story, pull, "approved", () =>
    takesReviews(story, pull)
      ? verbs.review(pull, { by: "grace", state: "approved", body: "up to 1000 USD" })
      : verbs.addComment(pull, {
          by: "grace",
          body: `/tollgate approve ${pull.headSha} up to 1000 USD until 2027-03-31 load test`,
        }),
  );
}

/** Where the policy names who may override the check, and nothing went wrong, an override makes the check pass. */
async function overrides(story: Story, which: number): Promise<void> {
  await story.settles();
  const pull = story.actors.pulls[which];
  if (pull?.state !== "open" || pull.draft || !isOverridable(story, pull)) return;
  if (isPassing(checkOf(story, pull)) || listSharing(story, pull).length > 1) return;
  await opens(story, pull, "overridden", () => story.actors.overrides(pull, "grace", pull.headSha));
}

async function opens(story: Story, pull: SandboxPull, what: string, act: () => unknown): Promise<void> {
  act();
  story.onAct();
  const wasDisturbed = story.isDisturbed;
  await story.settles();
  const shown = checkOf(story, pull);
  if (!wasDisturbed && !story.isDisturbed && shown !== "success")
    throw new BrokenInvariant(`pull request ${pull.number} was ${what}, and its check is ${shown}`);
}

const OF_FATE: Fates = {
  delivers: (story, { times }) => delivers(story, times),
  loses: (story, { times }) => story.disturbsDeliveries("loses", times),
  doubles: (story, { times }) => story.disturbsDeliveries("doubles", times),
  delays: (story, { times }) => story.disturbsDeliveries("delays", times),
  runs: (story, { effects, order }) => story.runs(effects, order),
  settles: (story) => story.settles(),
  waits: async (story, { minutes }) => {
    await story.passes(minutes * 60_000);
    return story.settles();
  },
  crashes: ({ scheduler }, { effects, moment }) => scheduler.plansCrash(effects, moment),
  "call fails": ({ scheduler }, { fault, writesOnly }) => scheduler.plansCallFault(fault, { writesOnly }),
  "GitHub is late": (story) => {
    story.mayBeLate = true;
    story.isGitHubLate = true;
    story.scheduler.plansCallFault("late", { writesOnly: true });
  },
  "statement fails": ({ scheduler }, { fault, statements }) =>
    scheduler.plansStatementFault(fault, statements),
  platform: ({ platform }, { isUp }) => {
    platform.isUp = isUp;
  },
  "starts another": (story) => story.startsAnother(),
  "is restarted": (story, { effects }) => story.restarts(effects),
  "is approved": (story, { which }) => approves(story, which),
  "is overridden": (story, { which }) => overrides(story, which),
  stalls: (story, { effects }) => story.pauses(effects),
};
const FATES: Readonly<Record<string, unknown>> = OF_FATE;
