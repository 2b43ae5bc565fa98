import { z } from "zod";
import { AtRepository, Id, ignored, Label, laneEvent, reducer, repositoryOf } from "../payload/payload.ts";

const Commit = z.object({
  added: z.array(z.string()).default([]),
  modified: z.array(z.string()).default([]),
  removed: z.array(z.string()).default([]),
});
type Commit = z.infer<typeof Commit>;

const Push = AtRepository.extend({
  ref: Label,
  deleted: z.boolean(),
  forced: z.boolean(),
  commits: z.array(Commit),
  repository: z.object({
    id: Id,
    name: Label,
    owner: z.object({ login: Label, id: Id }),
    default_branch: Label.optional(),
  }),
});

const BRANCH = "refs/heads/";
/** GitHub lists no more commits in one delivery. */
const MAX_COMMITS = 2048;
/** GitHub lists no more files of one commit. */
const MAX_FILES = 300;

/** Wakes when a policy file, or words beside it, may have changed. What the delivery does not show (force pushes, cut lists) counts as changed. */
export const push = reducer(Push, (payload) => {
  if (!payload.ref.startsWith(BRANCH) || payload.deleted) return ignored("action");
  const ref = payload.ref.slice(BRANCH.length);
  const { repository } = payload;
  const home = repository.name.toLowerCase() === ".github";
  const organisation = home && (repository.default_branch === undefined || repository.default_branch === ref);
  const unsure = payload.forced || payload.commits.length === 0 || payload.commits.length >= MAX_COMMITS;
  const folders = organisation ? ["", ".github/"] : [".github/"];
  const rules = folders.map((folder) => `${folder}tollgate.yml`);
  const mayRules =
    unsure || payload.commits.some((commit) => mayTouch(commit, (path) => rules.includes(path)));
  const words = (path: string) => folders.some((folder) => isWithin(path, `${folder}tollgate`));
  if (!mayRules && !payload.commits.some((commit) => mayTouch(commit, words))) return ignored("unchanged");
  const branch = { ref, organisation, ownerId: repository.owner.id };
  return laneEvent({ kind: "policy_push", ...repositoryOf(payload), ...branch, wordsOnly: !mayRules });
});

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The folder itself counts: it may have become a link or a submodule. */
function mayTouch(commit: Commit, isMeant: (path: string) => boolean): boolean {
  const paths = [...commit.added, ...commit.modified, ...commit.removed];
  return paths.length >= MAX_FILES || paths.some((path) => path === ".github" || isMeant(path));
}
