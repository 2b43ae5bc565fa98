import { TollgateError } from "../../kernel/errors.ts";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import {
  buildRecentNamesAddress,
  RECENT_NAMES_TYPE,
  RepositoryNames,
  readRecentNames,
} from "../../web/local/recent-names.ts";
import { askProcess, type ProcessQuestion, readAnswer } from "../process/ask-process.ts";
import { createUsageError, useStore } from "../process/use-store.ts";

export type { RepositoryNames };

/**
 * Returns the names that the recent pull requests of a repository used, from the store of this machine. With
 * the embedded database it reads from the Tollgate process that uses the data directory, if there is one.
 *
 * @throws TollgateError `usage` when the repository is unknown, and what `useStore` throws
 */
export const readStoredNames = (repository: string): Promise<RepositoryNames> =>
  useStore(readSettings(readEnvironment()), {
    request: buildQuestion(repository),
    readAnswer: (body) => readAnswer(body, RepositoryNames),
    useDatabase: async (db) => {
      const read = await readRecentNames(db, repository);
      if (read.state === "refused") throw createUsageError(read);
      return read.names;
    },
  });

/**
 * Returns the names of the only repository of a Tollgate process on this machine; null: no process runs, or
 * it has no or several repositories. It opens no database and ignores all failures.
 */
export async function findLocalNames(): Promise<RepositoryNames | null> {
  try {
    const answer = await askProcess(readSettings(readEnvironment()), buildQuestion(null));
    return answer.state === "answered" ? await readAnswer(answer.body, RepositoryNames) : null;
  } catch (error) {
    if (error instanceof TollgateError) return null;
    throw error;
  }
}

const buildQuestion = (repository: string | null): ProcessQuestion => ({
  address: buildRecentNamesAddress(repository),
  type: RECENT_NAMES_TYPE,
});
