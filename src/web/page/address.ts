import type { ExecutionRef } from "../../kernel/ids.ts";

/** Query of a page: its filters, order and place, each at most once. */
export type Query = Readonly<Record<string, string>>;

/** Path and query of a page, by which it links to itself with another filter, order or place. */
export interface PageAddress {
  readonly path: string;
  readonly query: Query;
}

/** Returns the query of a request; of a name that occurs twice, the first. */
export function readAddress(url: string): PageAddress {
  const { pathname, searchParams } = new URL(url);
  const query = Object.fromEntries([...searchParams].reverse().filter(([, value]) => value !== ""));
  return { path: pathname, query };
}

/** Returns a link to the same page with some members of its query replaced; null removes one. */
export function formatAddress(
  { path, query }: PageAddress,
  changes: Readonly<Record<string, string | null>>,
): string {
  const members = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...changes }))
    if (value !== null) members.set(name, value);
  const text = members.toString();
  return text === "" ? path : `${path}?${text}`;
}

export const formatPullPath = (repository: string, number: number): string =>
  `${formatRepositoryPath(repository)}/pull/${number}`;

/** Returns the path of the page of an execution of the embedded platform. */
export const formatExecutionPath = ({ org, project, executionId }: ExecutionRef): string =>
  `/executions/${[org, project, executionId].map(encodeURIComponent).join("/")}`;

/** Returns the path of a repository's pages. `repository`: `owner/name`. */
export const formatRepositoryPath = (repository: string): string =>
  `/r/${repository.split("/").map(encodeURIComponent).join("/")}`;

export const formatOwnerPath = (owner: string): string => `/o/${encodeURIComponent(owner)}`;
