import type { Mutant } from "./bot.ts";
import { misreading, remembering, replacing, without } from "./mutant-parts.ts";

const OWN_HEAD = `(select head_sha from pulls
  where pulls.repository_id = overrides.repository_id and pulls.number = overrides.number)`;

/** Faults in what approvals and overrides count for, and for how long. */
export const APPROVAL_MUTANTS: Readonly<Record<string, Mutant>> = {
  "an override never ends": { statement: without('update "overrides"') },
  "an override counts for every head": {
    statement: replacing('"login", "head_sha" as "headSha"', `"login", ${OWN_HEAD} as "headSha"`),
  },
  "an override counts in a merge group of several pull requests": {
    statement: replacing(
      'select "evaluation", "digest"',
      `select "evaluation" #- '{value,override}' as "evaluation", "digest"`,
    ),
  },
  "an invalid file of code owners counts": misreading("query", (body) =>
    body.replaceAll("!* @acme", "* @acme"),
  ),
  "an approval holds after its last day": {
    statement: replacing(
      /"approval"(?=, "node_id" as "nodeId")/,
      `"approval" #- '{value,untilMs}' as "approval"`,
    ),
  },
  "a review that was dismissed approves": misreading("query People", (body) =>
    body.replaceAll('"DISMISSED"', '"APPROVED"'),
  ),
  "a review approves although its author requested changes later": misreading("query People", (body) => {
    const answer = JSON.parse(body);
    const pull = answer.data?.repository?.pullRequest;
    if (pull) pull.reviews.nodes = [];
    return JSON.stringify(answer);
  }),
  "a review that requests changes holds nothing": misreading("query Objectors", (body) =>
    body.replaceAll('"CHANGES_REQUESTED"', '"COMMENTED"'),
  ),
  "who may approve or override, and their comments, are read only once": remembering("query People"),
};
