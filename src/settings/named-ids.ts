import { z } from "zod";

const NumericId = z.int().positive();

/** A name that is no mere number: those are ids. */
const createId = (name: RegExp, expected: string) =>
  z.union([NumericId, z.string().regex(name, { error: expected, abort: true }).regex(/\D/, expected)], {
    error: expected,
  });

const LOGIN = "[A-Za-z\\d](?:[A-Za-z\\d-]{0,38}|[A-Za-z\\d-]{0,99}_[A-Za-z\\d]+)";
export const AccountId = createId(
  new RegExp(`^${LOGIN}(\\[bot\\])?$`),
  "GitHub's numeric id of an account, or its login",
);
export const RepositoryId = createId(
  new RegExp(`^${LOGIN}/[\\w.-]{1,100}$`),
  "GitHub's numeric id of a repository, or owner/name",
);
export const AppId = createId(/^[a-z\d-]{1,100}$/, "GitHub's numeric id of an App, or its slug");

/** A name in the operator's file in the place of GitHub's numeric id; in lower case. */
export interface NamedId {
  readonly kind: "account" | "repository" | "app";
  readonly name: string;
}

/** Looks up the id of a name; undefined: it is unknown. */
export type FindId = (named: NamedId) => number | undefined;

/** Names a name in maps and messages, such as `account acme`. */
export const formatName = ({ kind, name }: NamedId): string => `${kind} ${name}`;
