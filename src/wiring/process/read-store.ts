import type { IncomingMessage } from "node:http";
import type { Kysely } from "kysely";
import { TollgateError } from "../../kernel/errors.ts";
import type { Settings } from "../../settings/settings.ts";
import { inspectDirectory } from "../../store/directory/data-directory.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { LocalRefusal } from "../../web/local/access.ts";
import { openDatabase } from "../database/open-database.ts";
import { OTHER_VERSION } from "./answer-lines.ts";
import { askProcess, type ProcessAnswer, type ProcessQuestion } from "./ask-process.ts";
import { getStoreLocation } from "./store-location.ts";

/** The two ways of a read: from the response of a running process, or from the database itself. */
export interface StoreQuery<T> {
  readonly request: ProcessQuestion;
  readAnswer(body: IncomingMessage): Promise<T>;
  readDatabase(db: Kysely<Tables>): Promise<T>;
}

/**
 * Reads from the Tollgate process that uses the embedded database; without one, from the database. A
 * directory without a database is refused and no database is created there, because an empty one would mean
 * that there were no decisions.
 *
 * @throws TollgateError `usage` for a refusal, `data_directory_in_use`, `running_failed`, and what
 * `openDatabase` throws
 */
export async function readStore<T>(settings: Settings, reading: StoreQuery<T>): Promise<T> {
  if (settings.databaseUrl !== null) return readDatabase(settings, reading);
  const { dataDirectory } = settings;
  if (inspectDirectory(dataDirectory) === "empty")
    throw new TollgateError("usage", `there is no Tollgate database in ${dataDirectory}`, {
      hint: "Set TOLLGATE_DATA or DATABASE_URL as `tollgate start` has it.",
    });
  const answer = await askProcess(settings, reading.request);
  if (answer.state === "answered") return reading.readAnswer(answer.body);
  if (answer.state === "refused") throw createUsageError(answer);
  // A process that was killed leaves its file behind, and another program may use its port now: the lock on
  // the directory decides.
  return readDatabase(settings, reading).catch((error: unknown) => {
    throw findHolderProblem(answer, dataDirectory, error) ?? error;
  });
}

async function readDatabase<T>(settings: Settings, { readDatabase: opened }: StoreQuery<T>): Promise<T> {
  const store = await openDatabase(getStoreLocation(settings), () => {});
  try {
    return await opened(store.db);
  } finally {
    await store.close();
  }
}

/** Creates the error for a request without a result: the command was used wrongly. */
export const createUsageError = ({ message, hint }: LocalRefusal): TollgateError =>
  new TollgateError("usage", message, { hint });

/**
 * Returns why the process that uses the directory gave no response; null: the original error is sufficient.
 */
function findHolderProblem(answer: ProcessAnswer, directory: string, cause: unknown): TollgateError | null {
  if (!(cause instanceof TollgateError) || cause.code !== "data_directory_in_use") return null;
  const who = `the Tollgate that runs on ${directory}`;
  if (answer.state === "silent")
    return new TollgateError("running_failed", `${who} does not answer`, {
      cause,
      retryable: true,
      hint: "It may be busy: try again. If it stays so, restart it.",
    });
  if (answer.state !== "unexpected") return null;
  if (answer.status >= 500)
    return new TollgateError("running_failed", `${who} could not answer`, {
      cause,
      retryable: true,
      hint: "Its log says why.",
    });
  return new TollgateError("running_failed", `${who} does not know this question`, {
    cause,
    hint: OTHER_VERSION,
  });
}
