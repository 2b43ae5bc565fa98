import type { MergeOutcome } from "../../src/store/after-merge/merged-pulls.ts";

/** What is recorded of a merge; by default nothing but that its check passed and its change is known. */
export const mergeOutcome = (given: Partial<MergeOutcome> = {}): MergeOutcome => ({
  ...{
    author: "octocat",
    mergedBy: { id: 2, login: "hubot" },
    verdict: "pass",
    way: "passed",
    cost: "known",
  },
  ...{ consents: [], modules: [], byTag: null },
  ...given,
});
