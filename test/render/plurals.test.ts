import { expect, test } from "vitest";
import { templates } from "./evaluation-builder.ts";

/** A number beside a word in the plural, or before "are", that says "1 others" where there is one. */
const COUNTED =
  /\{\{(number [\w.]+|others|days|workspaces)\}\} (?:more )?(?:[a-z]+ )?(others|are|have|were|[a-z]+s)\b/g;

/** Counts that are never one where they are told. */
const NEVER_ONE = [
  "answer-malformed: number count commands",
  "not-applicable: number count rules",
  "after-merge: workspaces workspaces",
  "rules-met: number rules rules",
  "rules-not-applicable: number notApplicable rules",
  "group-title: number together.count requests",
  "pages/policy-trial: number comparison.changed.length have", // "1 would have" too
  "pages/rules: number of requests", // at least three
  "pages/table: number pages.total rows", // more than one page of them
  "pages/pull/overview: number resources.count resources", // more than are shown
];

test("no template states a count of one in the plural", () => {
  const found = Object.entries(templates()).flatMap(([name, text]) =>
    [...text.matchAll(COUNTED)].map(([, count, word]) => `${name}: ${count} ${word}`),
  );
  expect(found.filter((one) => !NEVER_ONE.includes(one))).toEqual([]);
});
