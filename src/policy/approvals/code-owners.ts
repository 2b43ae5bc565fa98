import { RE2JS } from "@bufbuild/re2";
import { shorten } from "../../kernel/shorten.ts";
import type { ApproverGroup, CodeOwnersProblem, Policy, Rule } from "../model/policy.ts";

/** A CODEOWNERS file and the changed files whose owners are asked for. */
export interface CodeOwnersQuery {
  /** The path of the CODEOWNERS file, and its text. */
  readonly file: string;
  readonly text: string;
  readonly paths: readonly string[];
  /** The login of the repository's owner: teams of other organisations approve nothing. */
  readonly organisation: string;
  /** Groups of the policy's rules that the owners are found for. */
  readonly groups: number;
}

/** The owners of some files. */
export interface FileOwners {
  readonly kind: "found";
  /** Each different list of owners, sorted. */
  readonly lists: readonly Pick<ApproverGroup, "teams" | "users">[];
  /** The first file without an owner, and the number of further ones; null: every file has owners. */
  readonly unowned: { readonly path: string; readonly more: number } | null;
}

/** Most different owners that are asked for one pull request: GitHub is asked about each team. */
const MAX_OWNERS = 60;
/** Most owners of all lists together: the comment names each list. The second: for all groups of rules, because each finding states them. */
const MAX_NAMES = 200;
const MAX_STATED = 4_000;

/**
 * Finds the owners of changed files as GitHub does: the last pattern that matches a file counts, and one without owners means that the
 * file has none. Unlike GitHub, which skips invalid lines, a file with one has no owners that can be relied on.
 */
export function findFileOwners(query: CodeOwnersQuery): FileOwners | CodeOwnersProblem {
  const { file, paths, organisation } = query;
  const lines = query.text.split("\n").flatMap(readLine);
  const [first, ...others] = lines.filter((line) => "problem" in line);
  if (first !== undefined) {
    const found = shorten(first.problem, 100);
    return { kind: "invalid", file, line: first.line, found, more: others.length };
  }
  const owned = lines.flatMap((line) => ("owners" in line ? [line] : [])).reverse();
  const lists = new Map<string, FileOwners["lists"][number]>();
  const unowned: string[] = [];
  for (const path of paths) {
    const owners = owned.find(({ matches }) => matches(path))?.owners ?? [];
    const list = toMembers(owners, organisation.toLowerCase());
    if (owners.length === 0) unowned.push(path);
    else if (list.teams.length + list.users.length === 0)
      return { kind: "no_account", file, path, owners: owners.slice(0, 3).map((one) => shorten(one, 100)) };
    else lists.set(JSON.stringify(list), list);
  }
  const asked = [...lists.values()].flatMap(({ teams, users }) => [...teams, ...users]);
  if (new Set(asked).size > MAX_OWNERS || asked.length > Math.min(MAX_NAMES, MAX_STATED / query.groups))
    return { kind: "too_many", file };
  const [path] = unowned;
  return {
    kind: "found",
    lists: [...lists.keys()].toSorted().flatMap((key) => lists.get(key) ?? []),
    unowned: path === undefined ? null : { path, more: unowned.length - 1 },
  };
}

interface OwnersLine {
  readonly matches: (path: string) => boolean;
  /** As the file has them. */
  readonly owners: readonly string[];
}

/** A pattern, in which a backslash takes the next character, then blanks and owners. */
const LINE = /^((?:\\.|[^\s\\])+)(?:[ \t]+(.*))?$/;
/** Without negation, ranges and three asterisks; a backslash stands before a blank only. */
const PATTERN = /^(?!!|\/*$|.*\*{3})(?:\\ |[^\\[\]])+$/;
const USER = /^@[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
/** Teams of an enterprise have the slug `ent:name`. */
const TEAM = /^@([A-Za-z0-9][A-Za-z0-9_-]{0,99})\/((?:ent:)?[A-Za-z0-9][A-Za-z0-9._-]{0,99})$/;
const EMAIL = /^[^\s@/]+@[^\s@/]+$/;
const MAX_PATTERN = 1_000;

interface InvalidLine {
  readonly line: number;
  readonly problem: string;
}

function readLine(text: string, index: number): readonly (OwnersLine | InvalidLine)[] {
  const trimmed = text.trim(); // a mark of the byte order counts as a blank
  if (trimmed === "" || trimmed.startsWith("#")) return [];
  const [, pattern = "", rest = ""] = LINE.exec(trimmed) ?? [];
  const words = rest.split(/[ \t]+/).filter((word) => word !== "");
  const comment = words.findIndex((word) => word.startsWith("#"));
  const owners = comment === -1 ? words : words.slice(0, comment);
  const isPattern = pattern.length <= MAX_PATTERN && PATTERN.test(pattern);
  const wrong = isPattern
    ? owners.find((owner) => ![USER, TEAM, EMAIL].some((form) => form.test(owner)))
    : pattern || trimmed;
  if (wrong !== undefined) return [{ line: index + 1, problem: wrong }];
  const matcher = RE2JS.compile(toExpression(pattern.replaceAll("\\ ", " ")));
  return [{ matches: (path) => matcher.matches(path), owners }];
}

/**
 * A pattern as GitHub reads it, for a whole path: like a line of `.gitignore`, but that a `*` as the last segment stands for no folder with
 * its files.
 */
function toExpression(pattern: string): string {
  const segments = pattern
    .replace(/^\//, "")
    .split("/")
    .filter((segment, index, all) => segment !== "**" || all[index - 1] !== "**");
  const names = segments.filter((segment) => segment !== "");
  if (!pattern.startsWith("/") && names.length === 1 && names[0] !== "**") segments.unshift("**");
  if (segments.at(-1) === "") segments.splice(-1, 1, "**");
  return `(?s)${segments.map(toSegmentExpression).join("")}`;
}

function toSegmentExpression(segment: string, index: number, all: readonly string[]): string {
  const isLast = index === all.length - 1;
  const slash = index === 0 || (index === 1 && all[0] === "**") ? "" : "/";
  if (segment === "**" && isLast) return `${slash}.*`;
  if (segment === "**") return index === 0 ? "(?:.*/)?" : `(?:${slash}.+)?`;
  if (segment === "*") return `${slash}[^/]+`;
  const characters = [...segment].map((one) => WILD[one] ?? RE2JS.quote(one));
  return `${slash}${characters.join("")}${isLast ? "(?:/.*)?" : ""}`;
}

const WILD: { readonly [character: string]: string | undefined } = { "?": "[^/]", "*": "[^/]*" };

/** Owners with an account: an e-mail address names none that GitHub states. */
function toMembers(owners: readonly string[], organisation: string): FileOwners["lists"][number] {
  const teams = owners.flatMap((owner) => {
    const [, of = "", slug = ""] = TEAM.exec(owner) ?? [];
    return of.toLowerCase() === organisation && slug !== "" ? [slug.toLowerCase()] : [];
  });
  const users = owners.filter((owner) => USER.test(owner)).map((owner) => owner.slice(1).toLowerCase());
  return { teams: [...new Set(teams)].toSorted(), users: [...new Set(users)].toSorted() };
}

/** Whether a rule asks for the approval of code owners. */
const asksCodeOwners = ({ approve }: Rule): boolean =>
  approve?.groups.some(({ codeowners }) => codeowners !== undefined) === true;

/** Whether code owners are, or would be, in the place of `codeowners`. */
export const hasCodeOwners = ({ approve, codeOwners }: Pick<Rule, "approve" | "codeOwners">): boolean =>
  codeOwners !== undefined || approve?.groups.some(({ ownsFiles }) => ownsFiles) === true;

/**
 * The policy with the owners of the changed files in the place of `codeowners`: a group for each list of owners, and one of the approvers
 * beside it for files without an owner. Where owners are undecided, nobody can approve the rule.
 */
export const resolveCodeOwners = (policy: Policy, owners: FileOwners | CodeOwnersProblem): Policy => ({
  ...policy,
  rules: policy.rules.map((rule) => (asksCodeOwners(rule) ? resolveRule(rule, owners) : rule)),
});

function resolveRule(rule: Rule, owners: FileOwners | CodeOwnersProblem): Rule {
  const { approve } = rule;
  if (approve === null) return rule;
  const resolved = approve.groups.map((group) => resolveGroup(group, owners));
  const problem = resolved.find((one) => "kind" in one);
  if (problem !== undefined)
    return {
      ...rule,
      approve: null,
      codeOwners: problem,
      ...(approve.objections && { objections: approve.objections }),
    };
  return { ...rule, approve: { ...approve, groups: resolved.flatMap((one) => ("kind" in one ? [] : one)) } };
}

function resolveGroup(
  group: ApproverGroup,
  owners: FileOwners | CodeOwnersProblem,
): readonly ApproverGroup[] | CodeOwnersProblem {
  const { codeowners: others, count } = group;
  if (others === undefined) return [group];
  if (owners.kind !== "found") return owners;
  const { lists, unowned } = owners;
  const hasOthers = others.teams.length + others.users.length > 0 || others.permission !== null;
  if (unowned !== null && !hasOthers) return { kind: "no_owner", ...unowned };
  const groups = [
    ...lists.map((list): ApproverGroup => ({ ...list, permission: null, count, ownsFiles: true })),
    ...(unowned === null ? [] : [{ ...others, count }]),
  ];
  return groups.length > 0 ? groups : { kind: "files_unknown" };
}
