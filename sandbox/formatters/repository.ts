import { getFullName } from "../state/find.ts";
import { buildNodeId } from "../state/node-id.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";
import { formatAccountById } from "./account.ts";
import { formatTime, type JsonObject } from "./json.ts";

/** The path below the repository's URL by the name of the URL's field. */
const URL_PATHS: Readonly<Record<string, string>> = {
  forks_url: "/forks",
  keys_url: "/keys{/key_id}",
  collaborators_url: "/collaborators{/collaborator}",
  teams_url: "/teams",
  hooks_url: "/hooks",
  issue_events_url: "/issues/events{/number}",
  events_url: "/events",
  assignees_url: "/assignees{/user}",
  branches_url: "/branches{/branch}",
  tags_url: "/tags",
  blobs_url: "/git/blobs{/sha}",
  git_tags_url: "/git/tags{/sha}",
  git_refs_url: "/git/refs{/sha}",
  trees_url: "/git/trees{/sha}",
  statuses_url: "/statuses/{sha}",
  languages_url: "/languages",
  stargazers_url: "/stargazers",
  contributors_url: "/contributors",
  subscribers_url: "/subscribers",
  subscription_url: "/subscription",
  commits_url: "/commits{/sha}",
  git_commits_url: "/git/commits{/sha}",
  comments_url: "/comments{/number}",
  issue_comment_url: "/issues/comments{/number}",
  contents_url: "/contents/{+path}",
  compare_url: "/compare/{base}...{head}",
  merges_url: "/merges",
  archive_url: "/{archive_format}{/ref}",
  downloads_url: "/downloads",
  issues_url: "/issues{/number}",
  pulls_url: "/pulls{/number}",
  milestones_url: "/milestones{/number}",
  notifications_url: "/notifications{?since,all,participating}",
  labels_url: "/labels{/name}",
  releases_url: "/releases{/id}",
  deployments_url: "/deployments",
};

/** Returns the API URL of a repository. */
export const getRepositoryApiUrl = (world: World, repository: Repository): string =>
  `${world.origin()}/repos/${getFullName(world, repository)}`;

/** Returns the URL of a repository's page. */
export const getRepositoryUrl = (world: World, repository: Repository): string =>
  `${world.origin()}/${getFullName(world, repository)}`;

/** Formats a repository: alone, in a list, or inside another object. */
export function formatRepository(world: World, repository: Repository): JsonObject {
  const api = getRepositoryApiUrl(world, repository);
  const page = getRepositoryUrl(world, repository);
  const host = world.origin().replace(/^https?:\/\//, "");
  const name = getFullName(world, repository);
  return {
    id: repository.id,
    node_id: buildNodeId("Repository", repository.id),
    name: repository.name,
    full_name: name,
    private: repository.visibility !== "public",
    owner: formatAccountById(world, repository.ownerId),
    html_url: page,
    description: null,
    fork: repository.parentId !== null,
    url: api,
    ...Object.fromEntries(Object.entries(URL_PATHS).map(([field, path]) => [field, api + path])),
    created_at: formatTime(repository.createdAt),
    updated_at: formatTime(repository.updatedAt),
    pushed_at: formatTime(repository.pushedAt),
    git_url: `git://${host}/${name}.git`,
    ssh_url: `git@${host}:${name}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    ...formatCounts(world, repository),
    ...formatSettings(repository),
  };
}

/** Formats a repository for its own endpoint. */
export const formatFullRepository = (world: World, repository: Repository): JsonObject => ({
  ...formatRepository(world, repository),
  ...formatParents(world, repository),
  ...formatOwnerOrganisation(world, repository),
  permissions: { admin: false, maintain: false, push: false, triage: false, pull: false },
  subscribers_count: 0,
  network_count: 0,
});

/** Formats a repository for installation deliveries. */
export const formatRepositoryName = (world: World, repository: Repository): JsonObject => ({
  id: repository.id,
  node_id: buildNodeId("Repository", repository.id),
  name: repository.name,
  full_name: getFullName(world, repository),
  private: repository.visibility !== "public",
});

function formatCounts(world: World, repository: Repository): JsonObject {
  const forks = world.repositories.filter((row) => row.parentId === repository.id).length;
  const open = world.pulls.group(String(repository.id)).filter((pull) => pull.state === "open").length;
  return {
    size: 1,
    stargazers_count: 0,
    watchers_count: 0,
    watchers: 0,
    forks_count: forks,
    forks,
    open_issues_count: open,
    open_issues: open,
  };
}

const formatSettings = (repository: Repository): JsonObject => ({
  homepage: null,
  language: null,
  has_issues: true,
  has_projects: true,
  has_downloads: true,
  has_wiki: true,
  has_pages: false,
  has_discussions: false,
  mirror_url: null,
  archived: false,
  disabled: false,
  license: null,
  allow_forking: true,
  is_template: false,
  web_commit_signoff_required: false,
  topics: [],
  visibility: repository.visibility,
  default_branch: repository.defaultBranch,
  custom_properties: {},
});

function formatParents(world: World, repository: Repository): JsonObject {
  if (repository.parentId === null) return {};
  const parent = world.repositories.get(repository.parentId);
  const source = world.repositories.get(repository.networkId);
  if (parent === null || source === null) return {};
  return { parent: formatRepository(world, parent), source: formatRepository(world, source) };
}

function formatOwnerOrganisation(world: World, repository: Repository): JsonObject {
  const owner = world.accounts.require(repository.ownerId);
  return owner.type === "Organization" ? { organization: formatAccountById(world, owner.id) } : {};
}
