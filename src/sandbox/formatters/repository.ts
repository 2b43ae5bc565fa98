import { fullName } from "../state/find.ts";
import { nodeId } from "../state/node-id.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";
import { accountById } from "./account.ts";
import { type JsonObject, time } from "./json.ts";

/** The path below the repository's URL by the name of the URL's field. */
const LINKS: Readonly<Record<string, string>> = {
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
export const repositoryApi = (world: World, repository: Repository): string =>
  `${world.origin()}/repos/${fullName(world, repository)}`;

/** Returns the URL of a repository's page. */
export const repositoryPage = (world: World, repository: Repository): string =>
  `${world.origin()}/${fullName(world, repository)}`;

/** Formats a repository: alone, in a list, or inside another object. */
export function repositoryJson(world: World, repository: Repository): JsonObject {
  const api = repositoryApi(world, repository);
  const page = repositoryPage(world, repository);
  const host = world.origin().replace(/^https?:\/\//, "");
  const name = fullName(world, repository);
  return {
    id: repository.id,
    node_id: nodeId("Repository", repository.id),
    name: repository.name,
    full_name: name,
    private: repository.visibility !== "public",
    owner: accountById(world, repository.ownerId),
    html_url: page,
    description: null,
    fork: repository.parentId !== null,
    url: api,
    ...Object.fromEntries(Object.entries(LINKS).map(([field, path]) => [field, api + path])),
    created_at: time(repository.createdAt),
    updated_at: time(repository.updatedAt),
    pushed_at: time(repository.pushedAt),
    git_url: `git://${host}/${name}.git`,
    ssh_url: `git@${host}:${name}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    ...counts(world, repository),
    ...settings(repository),
  };
}

/** Formats a repository for its own endpoint. */
export const repositoryAloneJson = (world: World, repository: Repository): JsonObject => ({
  ...repositoryJson(world, repository),
  ...parents(world, repository),
  ...organisation(world, repository),
  permissions: { admin: false, maintain: false, push: false, triage: false, pull: false },
  subscribers_count: 0,
  network_count: 0,
});

/** Formats a repository for installation deliveries. */
export const repositoryNameJson = (world: World, repository: Repository): JsonObject => ({
  id: repository.id,
  node_id: nodeId("Repository", repository.id),
  name: repository.name,
  full_name: fullName(world, repository),
  private: repository.visibility !== "public",
});

function counts(world: World, repository: Repository): JsonObject {
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

const settings = (repository: Repository): JsonObject => ({
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

function parents(world: World, repository: Repository): JsonObject {
  if (repository.parentId === null) return {};
  const parent = world.repositories.get(repository.parentId);
  const source = world.repositories.get(repository.networkId);
  if (parent === null || source === null) return {};
  return { parent: repositoryJson(world, parent), source: repositoryJson(world, source) };
}

function organisation(world: World, repository: Repository): JsonObject {
  const owner = world.accounts.require(repository.ownerId);
  return owner.type === "Organization" ? { organization: accountById(world, owner.id) } : {};
}
