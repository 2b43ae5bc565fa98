import type { Step } from "./step.ts";

const OPENS: Step = { do: "opens", files: "infra", draft: false };
const SETTLES: Step = { do: "settles" };
const planned = (cost: number | null): Step => ({ do: "is planned", pull: 0, cost });
const approves = (by: "grace" | "mallory", upTo: number): Step => ({
  do: "approves",
  pull: 0,
  by,
  upTo,
  head: "head",
});

/** For each mutant a short story in which it breaks an invariant, and in which the bot does not. */
export const MUTANT_STORIES: Readonly<Record<string, readonly Step[]>> = {
  "an unknown cost counts as zero": [OPENS, planned(null), SETTLES],
  "a pull request is judged by the policy of its own branch": [
    OPENS,
    planned(20),
    { do: "edits policy", base: "main", policy: "invalid" },
    SETTLES,
  ],
  "a head is read once, and then remembered": [
    OPENS,
    planned(20),
    SETTLES,
    { do: "pushes", pull: 0 },
    SETTLES,
  ],
  "whoever may write statuses is trusted": [
    OPENS,
    planned(20),
    { do: "pushes", pull: 0 },
    { do: "is claimed", pull: 0 },
    SETTLES,
  ],
  "a fence is never passed on": [
    OPENS,
    planned(500),
    { do: "delivers", times: 4 },
    { do: "runs", effects: 2, order: 0 },
    { do: "stalls", effects: 120 },
    SETTLES,
  ],
  "a delivery is done when it is taken, not when it was processed": [
    OPENS,
    { do: "crashes", effects: 4, moment: "after" },
    { do: "delivers", times: 3 },
  ],
  "a delivery is accepted before it is stored": [
    OPENS,
    { do: "crashes", effects: 0, moment: "before" },
    { do: "delivers", times: 3 },
  ],
  "a job that fails is not tried again": [
    OPENS,
    { do: "statement fails", fault: "refused", statements: 3 },
    SETTLES,
  ],
  "what is enqueued while the lane runs is dropped": [
    OPENS,
    { do: "delivers", times: 3 },
    { do: "runs", effects: 1, order: 0 },
    planned(20),
    { do: "delivers", times: 3 },
    SETTLES,
  ],
  "no alarm rings": [OPENS, planned(null), SETTLES],
  "comments are never enqueued": [OPENS, planned(500), SETTLES],
  "statuses are not listened to": [OPENS, SETTLES, planned(20), SETTLES],
  "changes of the policy are not listened to": [
    OPENS,
    planned(500),
    SETTLES,
    { do: "edits policy", base: "main", policy: "lax" },
    SETTLES,
  ],
  "new heads are not listened to": [OPENS, SETTLES, { do: "pushes", pull: 0 }, SETTLES],
  "a retargeted pull request keeps its verdict": [
    OPENS,
    planned(20),
    SETTLES,
    { do: "retargets", pull: 0, base: "release" },
    SETTLES,
  ],
  "edited and deleted comments are not listened to": [
    OPENS,
    planned(500),
    { do: "is approved", which: 0 },
    { do: "edits a comment", which: 0 },
    SETTLES,
  ],
  "comments are not listened to": [OPENS, planned(500), { do: "is approved", which: 0 }],
  "a sweep lists no pull requests": [OPENS, SETTLES, planned(20), { do: "loses", times: 4 }],
  "a sweep lists no repository": [OPENS, { do: "loses", times: 4 }],
  "a check run is created again when the answer is lost": [
    OPENS,
    { do: "call fails", fault: "after", writesOnly: true },
    SETTLES,
  ],
  "the comment comes before the check": [OPENS, planned(500), SETTLES],
  "a shared check shows the verdict of one pull request": [
    OPENS,
    OPENS,
    { do: "joins", pull: 1 },
    planned(500),
    SETTLES,
    { do: "is approved", which: 0 },
    approves("grace", 600),
    SETTLES,
  ],
  "an execution that another status hides is forgotten": [
    OPENS,
    { do: "plans", pull: 0, commit: "head", workspace: "production" },
    planned(500),
    SETTLES,
    { do: "ends", cost: 20 },
    SETTLES,
  ],
  "a decision is not recorded": [OPENS, planned(20), SETTLES],
  "the head of the chain stays where it is": [OPENS, planned(20), SETTLES],
  "everybody is in the finance team": [OPENS, planned(500), SETTLES, approves("mallory", 600), SETTLES],
  "an approval has no limit": [OPENS, planned(500), SETTLES, approves("grace", 200), SETTLES],
};
