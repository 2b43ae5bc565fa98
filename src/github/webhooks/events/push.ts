import { z } from "zod";
import {
  AtRepository,
  createReducer,
  getRepositoryFields,
  Id,
  ignored,
  Label,
  laneEvent,
} from "../payload/payload.ts";

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
/** Most commits that GitHub lists in one delivery. */
const MAX_COMMITS = 2048;
/** Most files that GitHub lists of one commit. */
const MAX_FILES = 300;

/** Reports a push that may have changed a policy file. What the delivery does not list (force pushes, cut lists) counts as changed. */
export const push = createReducer(Push, (payload) => {
  if (!payload.ref.startsWith(BRANCH) || payload.deleted) return ignored("action");
  const ref = payload.ref.slice(BRANCH.length);
  const { repository } = payload;
  const home = repository.name.toLowerCase() === ".github";
  const isDefault = repository.default_branch === undefined || repository.default_branch === ref;
  const organisation = home && isDefault;
  const unsure = payload.forced || payload.commits.length === 0 || payload.commits.length >= MAX_COMMITS;
  const folders = organisation ? ["", ".github/"] : [".github/"];
  const files = folders.flatMap((folder) => [`${folder}tollgate.yml`, `${folder}tollgate.yaml`]);
  if (!unsure && !payload.commits.some((commit) => canTouchFiles(commit, files))) return ignored("unchanged");
  const branch = { ref, organisation, isDefault, ownerId: repository.owner.id };
  return laneEvent({ kind: "policy_push", ...getRepositoryFields(payload), ...branch });
});

/** The folder `.github` itself counts: it may have become a link or a submodule. */
function canTouchFiles(commit: Commit, files: readonly string[]): boolean {
  const paths = [...commit.added, ...commit.modified, ...commit.removed];
  return paths.length >= MAX_FILES || paths.some((path) => path === ".github" || files.includes(path));
}
