import type { PolicyName } from "./policies.ts";
import type { Step } from "./step.ts";
import { approves, OPENS, planned, SETTLES } from "./usual-steps.ts";

/** A pull request that costs too much under this policy, and what lets its check pass all the same. */
const blocked = (policy: PolicyName, then: Step): readonly Step[] => [
  { do: "edits policy", base: "main", policy },
  OPENS,
  planned(500),
  SETTLES,
  then,
];
const OVERRIDDEN = blocked("overridable", { do: "is overridden", which: 0 });
const REVIEWED = blocked("reviewable", { do: "is approved", which: 0 });

/** Short stories for the faults in what approvals and overrides count for. */
export const APPROVAL_MUTANT_STORIES: Readonly<Record<string, readonly Step[]>> = {
  "everybody is in the finance team": [OPENS, planned(500), SETTLES, approves("mallory", 600), SETTLES],
  "an approval has no limit": [OPENS, planned(500), SETTLES, approves("grace", 200), SETTLES],
  "an override never ends": [
    ...OVERRIDDEN,
    { do: "edits policy", base: "main", policy: "strict" },
    SETTLES,
    { do: "edits policy", base: "main", policy: "overridable" },
    SETTLES,
  ],
  "an override counts for every head": [...OVERRIDDEN, { do: "pushes", pull: 0 }, planned(500), SETTLES],
  "an override counts in a merge group of several pull requests": [
    ...OVERRIDDEN,
    { ...OPENS, files: "docs" },
    SETTLES,
    { do: "are queued" },
    SETTLES,
  ],
  "who may approve or override, and their comments, are read only once": [
    ...OVERRIDDEN,
    { do: "deletes a comment", which: 0 },
    SETTLES,
  ],
  "an invalid file of code owners counts": [...blocked("disowned", approves("grace", 600)), SETTLES],
  "an approval holds after its last day": [
    ...blocked("temporary", approves("grace", 600)),
    SETTLES,
    { do: "waits", minutes: 16 * 60 },
    SETTLES,
  ],
  "a review that requests changes holds nothing": [
    { do: "edits policy", base: "main", policy: "objectable" },
    OPENS,
    planned(20),
    SETTLES,
    { do: "reviews", pull: 0, by: "grace", state: "changes_requested", upTo: 600 },
    SETTLES,
  ],
  "a review that was dismissed approves": [...REVIEWED, { do: "dismisses a review", which: 0 }, SETTLES],
  "a review approves although its author requested changes later": [
    ...REVIEWED,
    { do: "reviews", pull: 0, by: "grace", state: "changes_requested", upTo: 600 },
    SETTLES,
  ],
};
