import { z } from "zod";
import {
  author,
  branch,
  createMapping,
  createNonEmptyList,
  createWord,
  path,
  pattern,
  person,
  team,
} from "../fields/fields.ts";

const provider = z.string({ error: "a provider's name as text" }).regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, {
  error: "a provider's name, the first word of its resource types, such as aws",
});

const names = {
  branches: createNonEmptyList(branch).optional().describe("Branches to merge into."),
  paths: createNonEmptyList(path).optional().describe("Changed files: one that matches is enough."),
  labels: createNonEmptyList(createWord("a label as text"))
    .optional()
    .describe("Labels of the pull request: one is enough."),
  authors: createNonEmptyList(author).optional().describe("Logins of authors, of an App with its [bot]."),
  stages: createNonEmptyList(pattern).optional().describe("Names of stages."),
  workspaces: createNonEmptyList(pattern).optional().describe("Workspaces."),
  modules: createNonEmptyList(pattern)
    .optional()
    .describe("Module paths, the dots written as slashes: web/db."),
  resource_types: createNonEmptyList(pattern).optional().describe("Types of resources, such as aws_db_*."),
  providers: createNonEmptyList(provider)
    .optional()
    .describe("Providers, such as aws: the first word of resource types."),
};

/** The excluded pull requests and parts. */
const excludedNames = createMapping(names).refine((value) => Object.keys(value).length > 0, {
  error: `at least one of ${Object.keys(names).join(", ")}`,
});

/** Which pull requests and which parts of them. */
export const scope = createMapping({
  ...names,
  not: excludedNames.optional().describe("Excluded pull requests and parts, by the same keys."),
});
export type ScopeEntry = z.output<typeof scope>;

const people = {
  teams: createNonEmptyList(team).optional().describe("Teams of the repository's owner, by slug."),
  users: createNonEmptyList(person).optional().describe("Logins of people."),
  permission: z
    .enum(["write", "maintain", "admin"], { error: "write, maintain or admin" })
    .optional()
    .describe("People with at least this permission on the repository."),
  count: z
    .int({ error: "a whole number of at least 1" })
    .min(1, { error: "a whole number of at least 1" })
    .max(20, { error: "a whole number of at most 20" })
    .optional()
    .describe("How many of them must approve; default: 1."),
};

const NO_APPROVER_ERROR = { error: "teams, users or permission, or a list of such groups under all" };
const GROUP_KEYS = ["teams", "users", "permission"] as const;

type GroupMembers = z.output<ReturnType<typeof createMapping<typeof people>>>;

const hasMembers = (members: GroupMembers): boolean => GROUP_KEYS.some((key) => members[key] !== undefined);

/** The number of people that a group can have: a higher count could never be reached. Teams and permissions are unbounded. */
function countMaxApprovers({ users, teams, permission }: GroupMembers): number {
  if (teams !== undefined || permission !== undefined || users === undefined) return Number.POSITIVE_INFINITY;
  return new Set(users.map((login) => login.toLowerCase())).size;
}

function checkReachableCount(members: GroupMembers, context: z.RefinementCtx): void {
  const most = countMaxApprovers(members);
  if ((members.count ?? 1) <= most) return;
  context.addIssue({
    code: "custom",
    path: ["count"],
    message: `at most ${most}, as so many people are named`,
  });
}

const group = createMapping(people)
  .refine(hasMembers, { error: "teams, users or permission" })
  .superRefine(checkReachableCount);

/** Who may approve. */
export const approve = createMapping({
  ...people,
  all: createNonEmptyList(group).optional().describe("Several groups: each must be complete."),
  reviews: z
    .boolean({ error: "true or false" })
    .optional()
    .describe("Whether an approving review of the head counts as an approval; default: false."),
})
  .refine((members) => (members.all === undefined) === hasMembers(members), NO_APPROVER_ERROR)
  .refine((members) => members.all === undefined || members.count === undefined, {
    error: "a count in each group under all, and none beside it",
  })
  .superRefine(checkReachableCount);
export type ApproveEntry = z.output<typeof approve>;

const { count: _, ...overriders } = people;

/** Who may override a check. */
export const override = createMapping({
  ...overriders,
  allow_author: z
    .boolean({ error: "true or false" })
    .optional()
    .describe("Whether the author and other contributors may override it too; default: false."),
  mandatory: z
    .boolean({ error: "true or false" })
    .optional()
    .describe("In the organisation's file only: no repository can change this. Alone: nobody may override."),
}).refine((members) => members.mandatory === true || hasMembers(members), {
  error: "teams, users or permission",
});
export type OverrideEntry = z.output<typeof override>;
