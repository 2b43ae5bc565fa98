import {
  type ApiAnswer,
  type ApiRoute,
  answerList,
  formatTime,
  invalid,
  isCovered,
  type JsonObject,
  notFound,
  ok,
  type RepositoryCall,
  route,
} from "../api/call.ts";
import { commitFiles, createSignature, type FileTree, readBlob, readTreeEntry } from "../state/git.ts";
import type { Permission, Repository, Visibility } from "../state/records.ts";
import {
  buildNodeId,
  findAccount,
  findActingPerson,
  findRepository,
  getFullName,
  getObjects,
  getPermission,
  isInstalledOn,
  requireAccount,
  requireRepository,
  resolveActor,
  resolveRef,
  type World,
} from "../state/world.ts";
import { formatAccountById, formatOrganisationMember } from "./accounts.ts";

export interface NewRepository {
  readonly owner: string;
  readonly name: string;
  /** Default "private". */
  readonly visibility?: Visibility;
  /** Default "main". */
  readonly defaultBranch?: string;
  /** Files of the first commit; default a README. */
  readonly files?: FileTree;
}

/** Repositories, named "owner/name". */
export const createRepositoryVerbs = (world: World) => ({
  repository: (name: string): Repository => requireRepository(world, name),
  createRepository: (spec: NewRepository): Repository => createRepository(world, spec),
  /** Sends `fork`. The default name is the parent's. */
  forkRepository: (spec: { repository: string; owner: string; name?: string }): Repository => {
    const parent = requireRepository(world, spec.repository);
    const owner = requireAccount(world, spec.owner);
    const copy = insertRepository(world, {
      ...parent,
      ...{ id: world.nextId("repository"), ownerId: owner.id, name: spec.name ?? parent.name },
      ...{ parentId: parent.id, branches: new Map(parent.branches) },
    });
    const senderId = findActingPerson(world, owner.id).id;
    const payload = { forkee: formatRepository(world, copy) };
    deliverEvent(world, { event: "fork", action: null, repository: parent, senderId, payload });
    return copy;
  },
  /** Sends `repository.renamed`; the old name answers with a redirect from now on. */
  renameRepository: (spec: { repository: string; name: string; by?: string }): Repository => {
    const before = requireRepository(world, spec.repository);
    saveFormerName(world, before);
    const changes = { repository: { name: { from: before.name } } };
    return changeRepository(world, before, { name: spec.name }, ["renamed", spec.by, { changes }]);
  },
  /** Sends `repository.transferred` to the new owner's installations; those that listed the repository lose it. */
  transferRepository: (spec: { repository: string; owner: string; by?: string }): Repository => {
    const before = requireRepository(world, spec.repository);
    const from = world.accounts.require(before.ownerId);
    saveFormerName(world, before);
    for (const { id, ownerId, repositories } of world.installations.all())
      if (ownerId === from.id && repositories !== "all")
        world.installations.update(id, { repositories: repositories.filter((one) => one !== before.id) });
    const kind = from.type === "Organization" ? "organization" : "user";
    const changes = { owner: { from: { [kind]: formatAccountById(world, from.id) } } };
    const ownerId = requireAccount(world, spec.owner).id;
    return changeRepository(world, before, { ownerId }, ["transferred", spec.by, { changes }]);
  },
  /** Sends `repository.publicized` or `repository.privatized`. */
  setVisibility: (spec: { repository: string; visibility: Visibility; by?: string }): Repository => {
    const { visibility, by } = spec;
    const action = visibility === "public" ? "publicized" : "privatized";
    return changeRepository(world, requireRepository(world, spec.repository), { visibility }, [
      action,
      by,
      {},
    ]);
  },
  /** The file's text on a branch, tag or commit; null when there is no such file. */
  fileText: (spec: { repository: string; ref: string; path: string }): string | null => {
    const repository = requireRepository(world, spec.repository);
    const objects = getObjects(world, repository);
    const entry = readTreeEntry(objects, resolveRef(world, repository, spec.ref) ?? "", spec.path);
    return readBlob(objects, entry?.sha ?? "")?.bytes.toString("utf8") ?? null;
  },
});

function createRepository(world: World, spec: NewRepository): Repository {
  const owner = requireAccount(world, spec.owner);
  const { name, visibility = "private", defaultBranch = "main" } = spec;
  const id = world.nextId("repository");
  const empty = insertRepository(world, {
    ...{ id, ownerId: owner.id, name, visibility, defaultBranch },
    ...{ parentId: null, networkId: id, branches: new Map() },
  });
  const first = commitFiles(getObjects(world, empty), {
    parent: null,
    files: spec.files ?? { "README.md": `# ${name}\n` },
    message: "Initial commit",
    author: createSignature(findActingPerson(world, owner.id), world.clock.now()),
  });
  return world.repositories.update(id, { branches: new Map([[defaultBranch, first]]) });
}

function insertRepository(
  world: World,
  row: Omit<Repository, "collaborators" | "createdAt" | "updatedAt" | "pushedAt">,
): Repository {
  if (findRepository(world, `${world.accounts.require(row.ownerId).login}/${row.name}`) !== null)
    throw invalid({ resource: "Repository", field: "name", code: "already_exists" });
  const now = world.clock.now();
  const times = { createdAt: now, updatedAt: now, pushedAt: now };
  return world.repositories.insert({ ...row, ...times, collaborators: new Map() });
}

function saveFormerName(world: World, repository: Repository): void {
  world.formerNames.set(getFullName(world, repository).toLowerCase(), repository.id);
}

/** Changes the repository and sends `repository` with an action, by a person, with a payload. */
function changeRepository(
  world: World,
  before: Repository,
  change: Partial<Repository>,
  [action, by, payload]: readonly [action: string, by: string | undefined, payload: JsonObject],
): Repository {
  const repository = world.repositories.update(before.id, { ...change, updatedAt: world.clock.now() });
  const senderId = resolveActor(world, repository, by).id;
  deliverEvent(world, { event: "repository", action, repository, senderId, payload });
  return repository;
}

export interface RepositoryEvent {
  readonly event: string;
  readonly action: string | null;
  readonly repository: Repository;
  readonly senderId: number;
  readonly payload: JsonObject;
  /** Deliver to this App only. */
  readonly appId?: number;
}

/** Sends the event to every installation that covers the repository, subscribes to the event and is not suspended. */
export function deliverEvent(world: World, what: RepositoryEvent): void {
  const { repository, event, action, payload } = what;
  for (const installation of world.installations.all()) {
    const { id, appId, suspendedAt, events } = installation;
    if (what.appId !== undefined && what.appId !== appId) continue;
    if (suspendedAt !== null || !events.includes(event) || !isInstalledOn(installation, repository)) continue;
    const body = {
      ...(action === null ? {} : { action }),
      repository: formatRepository(world, repository),
      ...payload,
      ...formatOrganisationMember(world, repository.ownerId),
      sender: formatAccountById(world, what.senderId),
      installation: { id, node_id: buildNodeId("Installation", id) },
    };
    world.notify({
      ...{ app: world.apps.require(appId), installationId: id, repositoryId: repository.id },
      ...{ event, action, body: JSON.stringify(body) },
    });
  }
}

/** Repositories and the rights of people on them. */
export const repositoryRoutes: readonly ApiRoute[] = [
  {
    ...route.repository("GET /", ["metadata:read"], answerRepository),
    answerUser: answerRepository,
  },
  route.repository("GET /collaborators/{username}/permission", ["metadata:read"], answerPermission),
  route.installation("GET /installation/repositories", ["metadata:read"], (call) => {
    const all = call.world.repositories.filter((row) => isCovered(call.caller, row));
    const repository_selection = call.caller.installation.repositories === "all" ? "all" : "selected";
    return answerList(call, all, formatRepository, (repositories) => ({
      total_count: all.length,
      repository_selection,
      repositories,
    }));
  }),
];

function answerRepository({ world, repository }: Pick<RepositoryCall, "world" | "repository">): ApiAnswer {
  const parent = world.repositories.get(repository.parentId ?? -1);
  const source = world.repositories.get(repository.networkId);
  const isOrganisation = world.accounts.require(repository.ownerId).type === "Organization";
  return ok({
    ...formatRepository(world, repository),
    ...(parent !== null &&
      source !== null && {
        parent: formatRepository(world, parent),
        source: formatRepository(world, source),
      }),
    ...(isOrganisation && { organization: formatAccountById(world, repository.ownerId) }),
    permissions: { admin: false, maintain: false, push: false, triage: false, pull: false },
    subscribers_count: 0,
    network_count: 0,
  });
}

/** GitHub's legacy permission names lack "triage" and "maintain". */
const LEGACY_PERMISSIONS: Readonly<Record<Permission, string>> = {
  none: "none",
  read: "read",
  triage: "read",
  write: "write",
  maintain: "write",
  admin: "admin",
};

function answerPermission({ world, repository, path }: RepositoryCall): ApiAnswer {
  const user = findAccount(world, path["username"] ?? "");
  if (user === null) throw notFound();
  const role = getPermission(world, repository, user.id);
  const push = role === "write" || role === "maintain" || role === "admin";
  const permissions = {
    pull: role !== "none",
    triage: push || role === "triage",
    push,
    maintain: role === "maintain" || role === "admin",
    admin: role === "admin",
  };
  const account = { ...formatAccountById(world, user.id), permissions, role_name: role };
  return ok({ permission: LEGACY_PERMISSIONS[role], role_name: role, user: account });
}

/** Things below the repository's URL whose path is their name. */
const PLAIN_URLS =
  "forks teams hooks events tags languages stargazers contributors subscribers subscription merges downloads deployments";

/** Paths below the repository's URL by the name of the URL's field. */
const URL_PATHS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PLAIN_URLS.split(" ").map((name) => [`${name}_url`, `/${name}`])),
  keys_url: "/keys{/key_id}",
  collaborators_url: "/collaborators{/collaborator}",
  issue_events_url: "/issues/events{/number}",
  assignees_url: "/assignees{/user}",
  branches_url: "/branches{/branch}",
  blobs_url: "/git/blobs{/sha}",
  git_tags_url: "/git/tags{/sha}",
  git_refs_url: "/git/refs{/sha}",
  trees_url: "/git/trees{/sha}",
  statuses_url: "/statuses/{sha}",
  commits_url: "/commits{/sha}",
  git_commits_url: "/git/commits{/sha}",
  comments_url: "/comments{/number}",
  issue_comment_url: "/issues/comments{/number}",
  contents_url: "/contents/{+path}",
  compare_url: "/compare/{base}...{head}",
  archive_url: "/{archive_format}{/ref}",
  issues_url: "/issues{/number}",
  pulls_url: "/pulls{/number}",
  milestones_url: "/milestones{/number}",
  notifications_url: "/notifications{?since,all,participating}",
  labels_url: "/labels{/name}",
  releases_url: "/releases{/id}",
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
  const forks = world.repositories.filter((row) => row.parentId === repository.id).length;
  const open = world.pulls.group(String(repository.id)).filter((pull) => pull.state === "open").length;
  return {
    ...formatRepositoryName(world, repository),
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
    size: 1,
    stargazers_count: 0,
    watchers_count: 0,
    watchers: 0,
    forks_count: forks,
    forks,
    open_issues_count: open,
    open_issues: open,
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
  };
}

/** Formats a repository for installation deliveries. */
export const formatRepositoryName = (world: World, repository: Repository): JsonObject => ({
  id: repository.id,
  node_id: buildNodeId("Repository", repository.id),
  name: repository.name,
  full_name: getFullName(world, repository),
  private: repository.visibility !== "public",
});
