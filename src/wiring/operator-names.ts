import type { Logger } from "pino";
import type { GitHubApp } from "../github/app.ts";
import { toResult } from "../github/client/read-answer.ts";
import { readNamedId } from "../github/inspection/read-repository.ts";
import { type Clock, within } from "../kernel/clock.ts";
import { formatName, type NamedId } from "../settings/named-ids.ts";
import { listNames, type OperatorFile, resolveNames } from "../settings/operator.ts";
import type { Settings } from "../settings/read.ts";
import { listResolvedNames, type ResolvedName, saveResolvedNames } from "../store/resolved-names.ts";
import type { Db } from "../store/tables/tables.ts";

/** A name in the operator's file with the id in force: the stored one, else the one that GitHub answers; null: none. */
export interface ExaminedName extends NamedId {
  readonly id: number | null;
  /** What is wrong with it and what that means, as the end of a sentence that begins with the name; null: nothing. */
  readonly problem: string | null;
}

/** What reads from GitHub as the App. */
export type NameSource = Pick<GitHubApp, "installations" | "installation">;

/** Time limit of each look-up, in ms. */
const LOOK_UP_MS = 10_000;
const LATE = { ok: true, value: "cannot be read: GitHub does not answer" } as const;

/** Looks up names at GitHub. A stored id stays in force, so that nobody inherits a grant with a name. */
export async function examineNames(
  names: readonly NamedId[],
  stored: readonly ResolvedName[],
  app: NameSource,
): Promise<readonly ExaminedName[]> {
  if (names.length === 0) return [];
  const ids = new Map(stored.map((named) => [formatName(named), named.id]));
  const installations = app.installations();
  const examine = async (named: NamedId): Promise<ExaminedName> => {
    const answer = await within(LOOK_UP_MS, toResult(lookUp(named, app, installations)), () => LATE);
    const found = answer.ok ? answer.value : `cannot be read: ${answer.failure.message}`;
    const isFound = typeof found === "number";
    const id = ids.get(formatName(named)) ?? (isFound ? found : null);
    const problem = isFound ? `is another ${named.kind} now, ${found}` : found;
    const effect = id === null ? "it grants nothing until the next start" : `the id ${id} stays in force`;
    return { ...named, id, problem: id === found ? null : `${problem}; ${effect}` };
  };
  return Promise.all(names.map(examine));
}

/** Returns the id of a name, or why it has none. A former name is none: whoever gets it could take it over. */
async function lookUp(
  named: NamedId,
  app: NameSource,
  installations: ReturnType<NameSource["installations"]>,
): Promise<number | string> {
  const [owner = ""] = named.name.split("/");
  const own = (await installations).find(
    ({ account, suspended }) =>
      !suspended && (named.kind !== "repository" || account.toLowerCase() === owner),
  );
  if (own === undefined) return "cannot be read: the App is not installed there";
  const found = await readNamedId(app.installation(own.id).octokit, named);
  if (found === null) return "is unknown to GitHub, or the App does not cover it";
  return found.name.toLowerCase() === named.name ? found.id : `has another name now, ${found.name}`;
}

/** Puts ids in the place of names; what has a name without an id is left out. */
export function applyNames(
  file: OperatorFile,
  names: readonly Pick<ExaminedName, "kind" | "name" | "id">[],
): Settings["operator"] {
  const ids = new Map(names.map((named) => [formatName(named), named.id ?? undefined]));
  return resolveNames(file, (named) => ids.get(formatName(named)));
}

interface NameParts {
  readonly db: Db;
  readonly app: NameSource;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}

/** Puts GitHub's ids in the place of names in the operator's file, and stores the first id of each. */
export async function resolveOperator<T extends Settings>(settings: T, parts: NameParts): Promise<T> {
  const { namedOperator } = settings;
  if (namedOperator === undefined) return settings;
  const { db, app, clock, log } = parts;
  const names = await examineNames(listNames(namedOperator), await listResolvedNames(db), app);
  const found = names.flatMap(({ kind, name, id }) => (id === null ? [] : [{ kind, name, id }]));
  await saveResolvedNames(db, found, new Date(clock.now()));
  for (const { problem, id, ...named } of names)
    if (problem !== null)
      log.warn({ name: formatName(named), id }, `a name in the operator's file ${problem}`);
  // Another process may have stored another id first.
  return { ...settings, operator: applyNames(namedOperator, await listResolvedNames(db)) };
}
