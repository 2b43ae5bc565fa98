import fc from "fast-check";
import { ORGANISATION_POLICIES, type OrganisationPolicyName, POLICIES, type PolicyName } from "./policies.ts";
import type { Fault } from "./scheduler.ts";

/** What people and the CI do to a pull request; `pull` counts them from 0. */
export type PullStep = { readonly pull: number } & (
  | { readonly do: "pushes" | "forcePushes" | "closes" | "reopens" | "merges" | "drafts" | "readies" }
  | { readonly do: "retargets"; readonly base: "main" | "release" }
  /** A pipeline is announced on the head, or on the head before. */
  | { readonly do: "plans"; readonly commit: "head" | "before"; readonly workspace: "production" | "staging" }
  /** Somebody who is not trusted names the newest execution of any commit on the head. */
  | { readonly do: "is claimed" }
  /** Its branch is moved to the head of the other pull request. */
  | { readonly do: "joins" }
  /** A pipeline runs on the head and ends at once. `resource`: the one that it changes; null, or left out: it lists none. */
  | {
      readonly do: "is planned";
      readonly cost: number | null;
      readonly workspace?: "production" | "staging";
      readonly resource?: "web" | "db" | null;
    }
  /** GitHub's merge queue takes it up alone. */
  | { readonly do: "is queued" }
  | {
      readonly do: "approves";
      readonly by: "grace" | "heidi" | "mallory";
      readonly upTo: number;
      readonly head: "head" | "before";
    }
  | {
      readonly do: "reviews";
      readonly by: "grace" | "heidi" | "mallory";
      readonly state: "approved" | "changes_requested";
      readonly upTo: number;
    }
  | {
      readonly do: "overrides";
      readonly by: "grace" | "heidi" | "mallory";
      readonly head: "head" | "before";
    }
  | { readonly do: "revokes"; readonly by: "grace" | "heidi" }
  | { readonly do: "spoils the report"; readonly how: "edits" | "deletes" }
);

export type ActorStep =
  | PullStep
  | {
      readonly do: "opens";
      readonly files: "infra" | "docs";
      readonly draft: boolean;
      /** Where its branch is; default: in the repository. */
      readonly from?: "branch" | "fork";
    }
  /** The newest pipeline that runs ends; `cost`: dollars a month more, null: not estimated. */
  | { readonly do: "ends"; readonly cost: number | null }
  /** The merge queue takes up all pull requests of one base as a group; then it merges or removes its first group. */
  | { readonly do: "are queued" | "queue moves on" }
  /** A pipeline is announced on the commit of the first group; or it runs there and ends at once. */
  | { readonly do: "group is announced"; readonly workspace: "production" | "staging" }
  | {
      readonly do: "group is planned";
      readonly cost: number | null;
      readonly workspace: "production" | "staging";
    }
  /** The newest status is posted once more. */
  | { readonly do: "repeats" }
  | { readonly do: "edits policy"; readonly base: "main" | "release"; readonly policy: PolicyName }
  | { readonly do: "edits organisation policy"; readonly policy: OrganisationPolicyName }
  | {
      readonly do: "edits a comment" | "deletes a comment" | "edits a review" | "dismisses a review";
      readonly which: number;
    };

/** What happens on the way, and what goes wrong. */
export type FateStep =
  | { readonly do: "delivers" | "loses" | "doubles" | "delays"; readonly times: number }
  /** So many effects happen; `order` decides which of the calls that wait. */
  | { readonly do: "runs"; readonly effects: number; readonly order: number }
  | { readonly do: "settles" }
  | { readonly do: "waits"; readonly minutes: number }
  | { readonly do: "crashes"; readonly effects: number; readonly moment: "before" | "after" }
  | { readonly do: "call fails"; readonly fault: Exclude<Fault, "late">; readonly writesOnly: boolean }
  /** The next write of a check or a comment has no answer, and takes effect after that. */
  | { readonly do: "GitHub is late" }
  | {
      readonly do: "statement fails";
      readonly fault: "before" | "after" | "refused";
      readonly statements: number;
    }
  | { readonly do: "platform"; readonly isUp: boolean }
  /** A second process starts on the same database and queue; nothing, if two run. */
  | { readonly do: "starts another" }
  /** The oldest process is ended as for an upgrade, after so many more effects of its jobs; another takes its place. */
  | { readonly do: "is restarted"; readonly effects: number }
  /** A person of the finance team reads that an approval is missing, and approves the head. */
  | { readonly do: "is approved"; readonly which: number }
  /** Where the policy names them, a person of the finance team overrides a check that does not pass. */
  | { readonly do: "is overridden"; readonly which: number }
  /** The bot pauses for so long that its jobs are given to others; what it waits for comes after so many other effects. */
  | { readonly do: "stalls"; readonly effects: number };

export type Step = ActorStep | FateStep;

const pull = fc.nat(1);
const times = fc.integer({ min: 1, max: 4 });
const base = fc.constantFrom("main", "main", "release");
const policy = fc.constantFrom<PolicyName>(
  "strict",
  "approvable",
  "approvable",
  "reviewable",
  "overridable",
  ...(Object.keys(POLICIES) as PolicyName[]).filter((name) => name !== "disowned"),
); // its own keys
const organisationPolicy = fc.constantFrom<OrganisationPolicyName>(
  "none",
  ...(Object.keys(ORGANISATION_POLICIES) as OrganisationPolicyName[]),
); // its own keys
const cost = fc.constantFrom(20, 20, 90, 500, 500, null);
const workspace = fc.constantFrom("production", "production", "staging");
const moment = fc.constantFrom("before", "after");

const of = <T extends Step>(weight: number, shape: { readonly [Key in keyof T]: fc.Arbitrary<T[Key]> }) => ({
  weight,
  arbitrary: fc.record(shape) as unknown as fc.Arbitrary<Step>, // a record of the members of one kind of step
});
const just = <T extends string>(word: T): fc.Arbitrary<T> => fc.constant(word);

const step: fc.Arbitrary<Step> = fc.oneof(
  of(3, {
    do: just("opens"),
    files: fc.constantFrom("infra", "infra", "infra", "docs"),
    draft: fc.constantFrom(false, false, false, true),
    from: fc.constantFrom("branch", "branch", "fork"),
  }),
  of(2, { do: fc.constantFrom("pushes", "pushes", "forcePushes"), pull }),
  of(2, {
    do: fc.constantFrom("closes", "reopens", "reopens", "merges", "drafts", "readies", "readies"),
    pull,
  }),
  of(1, { do: just("retargets"), pull, base }),
  of(7, { do: just("is planned"), pull, cost, workspace, resource: fc.constantFrom("web", "db", null) }),
  of(2, {
    do: just("plans"),
    pull,
    commit: fc.constantFrom("head", "head", "head", "head", "before"),
    workspace,
  }),
  of(3, { do: just("ends"), cost }),
  of(1, { do: just("repeats") }),
  of(2, { do: just("edits policy"), base, policy }),
  of(1, { do: just("edits organisation policy"), policy: organisationPolicy }),
  of(3, {
    do: just("approves"),
    pull,
    by: fc.constantFrom("grace", "grace", "heidi", "mallory"),
    upTo: fc.constantFrom(200, 600, 600),
    head: fc.constantFrom("head", "head", "head", "before"),
  }),
  of(2, { do: just("is approved"), which: fc.nat(1) }),
  of(2, {
    do: just("reviews"),
    pull,
    by: fc.constantFrom("grace", "grace", "heidi", "mallory"),
    state: fc.constantFrom("approved", "approved", "changes_requested"),
    upTo: fc.constantFrom(200, 600, 600),
  }),
  of(1, { do: fc.constantFrom("edits a review", "dismisses a review"), which: fc.nat(3) }),
  of(2, {
    do: just("overrides"),
    pull,
    by: fc.constantFrom("grace", "grace", "heidi", "mallory"),
    head: fc.constantFrom("head", "head", "head", "before"),
  }),
  of(2, { do: just("is overridden"), which: fc.nat(1) }),
  of(3, { do: just("is claimed"), pull }),
  of(2, { do: just("joins"), pull }),
  of(2, { do: just("is queued"), pull }),
  of(2, { do: just("are queued") }),
  of(2, { do: just("queue moves on") }),
  of(1, { do: just("group is announced"), workspace }),
  of(2, { do: just("group is planned"), cost, workspace }),
  of(1, { do: just("revokes"), pull, by: fc.constantFrom("grace", "heidi") }),
  of(1, { do: fc.constantFrom("edits a comment", "deletes a comment"), which: fc.nat(5) }),
  of(1, { do: just("spoils the report"), pull, how: fc.constantFrom("edits", "deletes") }),
  of(6, { do: just("delivers"), times }),
  of(3, { do: fc.constantFrom("loses", "doubles", "delays"), times }),
  of(10, { do: just("runs"), effects: fc.integer({ min: 1, max: 12 }), order: fc.nat(1_000) }),
  of(8, { do: just("settles") }),
  of(2, { do: just("waits"), minutes: fc.constantFrom(1, 5, 31, 130, 16 * 60) }),
  of(3, { do: just("crashes"), effects: fc.nat(40), moment }),
  of(4, {
    do: just("call fails"),
    fault: fc.constantFrom<Exclude<Fault, "late">>("before", "after", "after", "limit", "stale", "stale"),
    writesOnly: fc.boolean(),
  }),
  of(2, { do: just("GitHub is late") }),
  of(2, {
    do: just("statement fails"),
    fault: fc.constantFrom("before", "after", "refused"),
    statements: fc.nat(40),
  }),
  of(3, { do: just("starts another") }),
  of(2, { do: just("is restarted"), effects: fc.nat(40) }),
  of(1, { do: just("platform"), isUp: fc.constantFrom(false, true) }),
  of(2, { do: just("stalls"), effects: fc.integer({ min: 0, max: 120 }) }),
);

/** A pull request is opened and planned, or two are queued together, and then anything may happen. */
export const story = (maxLength: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.array(fc.constantFrom<Step>(...FIRST_STEPS), { maxLength: 3 }) },
        { weight: 1, arbitrary: fc.constant(QUEUED) },
      ),
      fc.array(step, { maxLength: maxLength - 1 - QUEUED.length, size: "max" }),
    )
    .map(([first, rest]) => [OPENS, ...first, ...rest]);

const OPENS: Step = { do: "opens", files: "infra", draft: false };
const QUEUED: readonly Step[] = [
  OPENS,
  { do: "is planned", pull: 0, cost: 20 },
  { do: "is planned", pull: 1, cost: 20, workspace: "staging" },
  { do: "settles" },
  { do: "are queued" },
];

const FIRST_STEPS: readonly Step[] = [
  { do: "settles" },
  { do: "is planned", pull: 0, cost: 20 },
  { do: "is planned", pull: 0, cost: 500 },
];
