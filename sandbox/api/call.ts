import type { z } from "zod";
import { TollgateError } from "../../src/kernel/errors.ts";
import type { Outbox } from "../state/outbox.ts";
import type { Account, App, AppPermissions, Installation, Repository } from "../state/records.ts";
import { getPermission, isInstalledOn, type World } from "../state/world.ts";

/** The caller: an App by its JWT or by its client secret, a person by a token for an App, or an installation by its token. */
export type Caller = { readonly kind: "app" | "client"; readonly app: App } | UserCaller | InstallationCaller;

export interface UserCaller {
  readonly kind: "user";
  readonly app: App;
  readonly user: Account;
}

export interface InstallationCaller {
  readonly kind: "installation";
  readonly app: App;
  readonly bot: Account;
  readonly installation: Installation;
  readonly permissions: AppPermissions;
  /** null: every repository of the installation. */
  readonly repositoryIds: readonly number[] | null;
}

/** An authenticated call to the API. */
export interface ApiCall {
  readonly world: World;
  readonly deliveries: Outbox;
  readonly caller: Caller;
  /** The parameters of the route's path. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: (name: string) => string | null;
  /** The parsed JSON of the body; null for none. */
  readonly body: unknown;
}

export interface UserCall extends ApiCall {
  readonly caller: UserCaller;
}

export interface InstallationCall extends ApiCall {
  readonly caller: InstallationCaller;
}

export interface RepositoryCall extends InstallationCall {
  readonly repository: Repository;
}

export interface ApiAnswer {
  readonly status: number;
  /** Sent as JSON; bytes unchanged; null for none. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A JSON object of an answer. */
export type JsonObject = { readonly [key: string]: unknown };

/** Formats a time as GitHub does: in whole seconds of UTC. */
export const formatTime = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
export const formatTimeOrNull = (at: number | null): string | null => (at === null ? null : formatTime(at));

export const ok = (body: unknown): ApiAnswer => ({ status: 200, body });
export const created = (body: unknown): ApiAnswer => ({ status: 201, body });
export const noContent: ApiAnswer = { status: 204, body: null };

/** One entry of GitHub's list of problems of a request. */
export interface ValidationError {
  readonly resource: string;
  readonly field?: string;
  readonly code: string;
  readonly message?: string;
}

/** A refusal by GitHub: an HTTP answer to an API call, an error with code "usage" from a verb. */
export class ApiRefusal extends TollgateError {
  readonly status: number;
  readonly complaints: readonly ValidationError[];
  /** Permissions of which one would have sufficed, as in `X-Accepted-GitHub-Permissions`; empty: not stated. */
  readonly accepted: string;

  constructor(status: number, message: string, complaints: readonly ValidationError[] = [], accepted = "") {
    const because = complaints.map((one) => one.message ?? `${one.field} ${one.code}`);
    super("usage", message, because.length === 0 ? {} : { hint: because.join("; ") });
    this.status = status;
    this.complaints = complaints;
    this.accepted = accepted;
  }
}

export const notFound = (): ApiRefusal => new ApiRefusal(404, "Not Found");
export const forbidden = (accepted = ""): ApiRefusal =>
  new ApiRefusal(403, "Resource not accessible by integration", [], accepted);

/** Returns a refusal with status 422 in the API's form. */
export const invalid = (...complaints: readonly ValidationError[]): ApiRefusal =>
  new ApiRefusal(422, "Validation Failed", complaints);

type Method = "GET" | "POST" | "PATCH" | "DELETE";
type RouteName = `${Method} /${string}`;
/** A permission and its minimum access, e.g. "checks:write". */
export type PermissionNeed = `${string}:${"read" | "write"}`;
type Answer<Call> = (call: Call) => ApiAnswer | Promise<ApiAnswer>;

/** What the handlers of each kind of route take. A "repository" route is one of installations below /repos/{owner}/{repo}. */
interface Calls {
  readonly app: ApiCall;
  readonly client: ApiCall;
  readonly user: UserCall;
  readonly installation: InstallationCall;
  readonly repository: RepositoryCall;
}

interface RouteOf<Kind extends keyof Calls> {
  readonly kind: Kind;
  readonly method: Method;
  /** A template of GitHub's OpenAPI description. */
  readonly path: string;
  /** The token must have one of these permissions; empty: needs none. */
  readonly needs: readonly PermissionNeed[];
  readonly answer: Answer<Calls[Kind]>;
  /** For a person's token; absent: the sandbox has the route for installations only. */
  readonly answerUser?: Answer<UserCall & { readonly repository: Repository }>;
}

/** One route of the API. */
export type ApiRoute = { [Kind in keyof Calls]: RouteOf<Kind> }[keyof Calls];

const createRoute =
  <Kind extends keyof Calls>(kind: Kind, prefix = "") =>
  (name: RouteName, needs: readonly PermissionNeed[], answer: Answer<Calls[Kind]>): RouteOf<Kind> => {
    const [method = "", path = ""] = name.split(" ");
    // The first word of a name is a Method.
    return { kind, method: method as Method, path: `${prefix}${path}`.replace(/\/$/, ""), needs, answer };
  };

/** Rows of the table of routes: "GET /pulls/{pull_number}", the permissions of which one suffices, and the handler. */
export const route = {
  app: createRoute("app"),
  client: createRoute("client"),
  user: createRoute("user"),
  installation: createRoute("installation"),
  repository: createRoute("repository", "/repos/{owner}/{repo}"),
};

const RANK = { read: 1, write: 2, admin: 3 };

export const hasAccess = (permissions: AppPermissions, need: PermissionNeed): boolean => {
  const [name = "", access] = need.split(":");
  const granted = permissions[name];
  return granted !== undefined && RANK[granted] >= RANK[access === "write" ? "write" : "read"];
};

/** Refuses a token that has none of the permissions. */
export function authoriseNeeds(caller: InstallationCaller, needs: readonly PermissionNeed[]): void {
  if (needs.length > 0 && !needs.some((need) => hasAccess(caller.permissions, need)))
    throw forbidden(needs.map((need) => need.replace(":", "=")).join("; "));
}

export const isCovered = (caller: InstallationCaller, repository: Repository): boolean =>
  isInstalledOn(caller.installation, repository) &&
  (caller.repositoryIds === null || caller.repositoryIds.includes(repository.id));

/** Returns true when the token can see the repository: it covers it, or the repository is public. */
export const isVisible = (caller: InstallationCaller, repository: Repository): boolean =>
  isCovered(caller, repository) || repository.visibility === "public";

/** A person's token for an App shows what both the person and the App can see. */
export const isVisibleToUser = (world: World, { app, user }: UserCaller, repository: Repository): boolean =>
  repository.visibility === "public" ||
  (getPermission(world, repository, user.id) !== "none" &&
    world.installations.find(
      (row) => row.appId === app.id && row.suspendedAt === null && isInstalledOn(row, repository),
    ) !== null);

/** Parses the body by a schema; refuses invalid fields with 422. */
export function parseCallBody<T>(call: ApiCall, resource: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(call.body ?? {});
  if (parsed.success) return parsed.data;
  throw invalid(
    ...parsed.error.issues.map(({ path, message }) => ({
      resource,
      field: path.join("."),
      code: message === "Invalid input: expected string, received undefined" ? "missing_field" : "invalid",
      message: `${path.join(".")}: ${message}`,
    })),
  );
}

/** Returns an id of the path; -1, which no record has, when it is not a whole number. */
export const parseId = (call: ApiCall, name: string): number => {
  const text = call.path[name] ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : -1;
};

const DEFAULT_PAGE_SIZE = 30;
const MAX_PAGE_SIZE = 100;

const parseWholeNumber = (text: string | null, fallback: number): number => {
  const value = Number(text ?? fallback);
  return Number.isInteger(value) && value > 0 ? value : fallback;
};

/** Returns one page of a list by `page` and `per_page` (default 30, at most 100). */
export function answerList<T>(
  call: ApiCall,
  rows: readonly T[],
  format: (world: World, row: T) => unknown,
  wrap: (page: readonly unknown[]) => unknown = (page) => page,
): ApiAnswer {
  const size = Math.min(parseWholeNumber(call.query("per_page"), DEFAULT_PAGE_SIZE), MAX_PAGE_SIZE);
  const page = parseWholeNumber(call.query("page"), 1);
  return ok(wrap(rows.slice((page - 1) * size, page * size).map((row) => format(call.world, row))));
}
