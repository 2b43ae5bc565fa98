import type { Octokit } from "@octokit/rest";
import type { Logger } from "pino";
import type { GitHubApp } from "../github/app.ts";
import { toResult } from "../github/client/read-answer.ts";
import { readNamedId } from "../github/inspection/read-repository.ts";
import { type Clock, within } from "../kernel/clock.ts";
import { formatName, type NamedId } from "../settings/named-ids.ts";
import { listNames, resolveNames } from "../settings/operator.ts";
import type { Settings } from "../settings/read.ts";
import { listResolvedNames, type ResolvedName, saveResolvedNames } from "../store/resolved-names.ts";
import type { Db } from "../store/tables/tables.ts";

/** What GitHub says of a name now. `problem`: why it has no id, as the end of a sentence that begins with the name. */
export type NameAnswer = NamedId & { readonly id: number | null; readonly problem: string };

/** Returns a client that may read what an owner has, or for null what everybody may read; null: the App is not installed there. */
export type FindOctokit = (owner: string | null) => Promise<Octokit | null>;

/** Asks GitHub for the ids of names. */
export const askForNames = (names: readonly NamedId[], find: FindOctokit): Promise<readonly NameAnswer[]> =>
  Promise.all(
    names.map(async (named) => {
      const [owner = ""] = named.name.split("/");
      const answer = await toResult(
        find(named.kind === "repository" ? owner : null).then(
          async (octokit) => octokit && { id: await readNamedId(octokit, named) },
        ),
      );
      if (!answer.ok) return { ...named, id: null, problem: `cannot be read: ${answer.failure.message}` };
      if (answer.value === null)
        return { ...named, id: null, problem: "cannot be read: the App is not installed there" };
      return { ...named, id: answer.value.id, problem: "is unknown to GitHub, or the App does not cover it" };
    }),
  );

/** Time limit of all look-ups of a start, in ms. */
const LOOK_UP_MS = 10_000;

interface NameParts {
  readonly db: Db;
  readonly app: GitHubApp;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn" | "error">;
}

/**
 * Puts GitHub's ids in the place of names in the operator's file. The first id of a name is stored and stays in force, so that nobody
 * inherits a grant with a login. What cannot be resolved grants nothing until the next start.
 */
export async function resolveOperator<T extends Settings>(settings: T, parts: NameParts): Promise<T> {
  const { namedOperator } = settings;
  if (namedOperator === undefined) return settings;
  const { db, app, clock, log } = parts;
  const names = listNames(namedOperator);
  const answers = await within(LOOK_UP_MS, askForNames(names, createFinder(app)), () => []);
  const found = answers.flatMap(({ id, ...named }) => (id === null ? [] : [{ ...named, id }]));
  await saveResolvedNames(db, found, new Date(clock.now()));
  const stored = indexNames(await listResolvedNames(db));
  for (const named of names) {
    const name = formatName(named);
    const { id = null, problem = "cannot be read: GitHub does not answer" } =
      answers.find((one) => formatName(one) === name) ?? {};
    const kept = stored.get(name);
    if (kept === undefined)
      log.warn({ name }, `a name in the operator's file ${problem}; it grants nothing until the next start`);
    else if (id !== null && id !== kept)
      log.error({ name, id: kept, nowId: id }, `a name in the operator's file ${CHANGED}`);
  }
  return { ...settings, operator: resolveNames(namedOperator, (named) => stored.get(formatName(named))) };
}

/** The end of a sentence about a name whose id is not the stored one. */
export const CHANGED =
  "belongs to another account now; the first one's id stays in force: write the id that is meant";

export const indexNames = (names: readonly ResolvedName[]): ReadonlyMap<string, number> =>
  new Map(names.map((named) => [formatName(named), named.id]));

function createFinder(app: GitHubApp): FindOctokit {
  const installations = app.installations();
  return async (owner) => {
    const able = (await installations).filter(({ suspended }) => !suspended);
    const own = able.find(({ account }) => owner === null || account.toLowerCase() === owner);
    return own === undefined ? null : app.installation(own.id).octokit;
  };
}
