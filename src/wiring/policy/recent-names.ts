import { TollgateError } from "../../kernel/errors.ts";
import { processEnvironment, readSettings } from "../../settings/read.ts";
import {
  RECENT_NAMES_TYPE,
  RepositoryNames,
  readRecentNames,
  recentNamesAddress,
} from "../../web/local/recent-names.ts";
import { readAnswer } from "../process/answer-lines.ts";
import { askToRead, type ProcessQuestion } from "../process/ask-running.ts";
import { readStore, refused } from "../process/read-store.ts";

export type { RepositoryNames };

/**
 * What the recent pull requests of a repository were about, from the store of this machine. With the embedded database it asks the
 * Tollgate that runs on it, if one does.
 *
 * @throws TollgateError `usage` when nothing is known of the repository, and what `readStore` throws
 */
export const storedNames = (repository: string): Promise<RepositoryNames> =>
  readStore(readSettings(processEnvironment()), {
    question: questionFor(repository),
    heard: (body) => readAnswer(body, RepositoryNames),
    opened: async (db) => {
      const read = await readRecentNames(db, repository);
      if (read.state === "refused") throw refused(read);
      return read.names;
    },
  });

/**
 * The same of the only repository that a Tollgate which runs here looks after; null: none runs, or there is no such repository. No
 * database is opened, and nothing that goes wrong matters.
 */
export async function namesAtHand(): Promise<RepositoryNames | null> {
  try {
    const settings = readSettings(processEnvironment());
    if (settings.databaseUrl !== null) return null;
    const asked = await askToRead(settings, questionFor(null));
    return asked.state === "answered" ? await readAnswer(asked.body, RepositoryNames) : null;
  } catch (error) {
    if (error instanceof TollgateError) return null;
    throw error;
  }
}

const questionFor = (repository: string | null): ProcessQuestion => ({
  address: recentNamesAddress(repository),
  type: RECENT_NAMES_TYPE,
});
