import { type Kysely, sql } from "kysely";
import { isReadable } from "../history/readable.ts";
import type { Tables } from "../tables/tables.ts";

export const DECISION_KINDS = ["verdict", "approval", "merge", "override"] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** Which decisions are listed; null: no condition. */
export interface DecisionFilter {
  /** Those of these repositories only, by GitHub's ids. */
  readonly repositoryIds: readonly number[];
  readonly kind: DecisionKind | null;
  /** Login of a person who approved, overrode or merged, in any case. */
  readonly person: string | null;
  readonly rule: string | null;
  /** Number of the pull request. */
  readonly number: number | null;
  /** In ms since 1970: the first moment included, and the first moment excluded. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** A decision of the chain with its names. */
export interface ListedDecision {
  readonly seq: number;
  readonly atMs: number;
  readonly repositoryId: number;
  /** `owner/name` as last seen. */
  readonly repository: string;
  readonly number: number;
  readonly headSha: string;
  readonly kind: string;
  /** The exact JSON text that was hashed. */
  readonly record: string;
  /** Null where readers may not see figures: an amount can be guessed from the hash of a record that lacks nothing else. */
  readonly hash: string | null;
  /** Whether readers may see the amounts of the record. */
  readonly figures: boolean;
}

export interface DecisionPage {
  readonly decisions: readonly ListedDecision[];
  /** Number of the last decision of this page, after which the next page begins; null: there is none. */
  readonly next: number | null;
}

/** Returns decisions, the newest first. `before`: only decisions with a smaller number. */
export async function listDecisions(
  db: Kysely<Tables>,
  filter: DecisionFilter,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<DecisionPage> {
  const { kind, number, fromMs, toMs, person, rule } = filter;
  const rows = await db
    .selectFrom("decisions")
    .innerJoin("repositories", "repositories.repository_id", "decisions.repository_id")
    .where(isReadable("decisions.repository_id", filter.repositoryIds))
    .$if(kind !== null, (query) => query.where("decisions.kind", "=", kind))
    .$if(number !== null, (query) => query.where("decisions.number", "=", number))
    .$if(fromMs !== null, (query) => query.where("decisions.at", ">=", new Date(fromMs ?? 0)))
    .$if(toMs !== null, (query) => query.where("decisions.at", "<", new Date(toMs ?? 0)))
    .$if(person !== null, (query) => query.where(namesPerson(person ?? "")))
    .$if(rule !== null, (query) => query.where(namesRule(rule ?? "")))
    .$if(before !== null, (query) => query.where("decisions.seq", "<", before))
    .select(["decisions.seq", "decisions.at", "decisions.number", "decisions.kind", "decisions.record"])
    .select(["decisions.head_sha as headSha", "decisions.hash", "decisions.repository_id as repositoryId"])
    .select(["repositories.owner_login", "repositories.name", "repositories.figures"])
    .orderBy("decisions.seq", "desc")
    .limit(limit + 1)
    .execute();
  const decisions = rows.slice(0, limit).map(({ at, owner_login, name, ...row }) => ({
    ...row,
    atMs: at.getTime(),
    figures: row.figures === true,
    hash: row.figures === true ? row.hash : null,
    repository: `${owner_login}/${name}`,
  }));
  return { decisions, next: rows.length > limit ? (decisions.at(-1)?.seq ?? null) : null };
}

/**
 * Conditions on the text of a record, because a row that somebody changed may be no JSON. Quotation marks inside of a text are
 * escaped there, so a member with its quotation marks occurs only as a member.
 */
const namesPerson = (login: string) =>
  sql<boolean>`strpos(lower(decisions.record), ${`"login":${JSON.stringify(login.toLowerCase())}`}) > 0`;

const namesRule = (rule: string) => {
  const text = JSON.stringify(rule);
  const inList = `"rules":\\[("([^"\\\\]|\\\\.)*",)*${escapePattern(text)}`;
  return sql<boolean>`(strpos(decisions.record, ${`"rule":${text}`}) > 0 or decisions.record ~ ${inList})`;
};

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
