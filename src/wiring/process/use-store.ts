import type { IncomingMessage } from "node:http";
import { type Kysely, sql } from "kysely";
import { TollgateError } from "../../kernel/errors.ts";
import type { Settings } from "../../settings/settings.ts";
import { examineServer } from "../../store/database/server-error.ts";
import { inspectDirectory } from "../../store/directory/data-directory.ts";
import type { Tables } from "../../store/tables/tables.ts";
import type { LocalRefusal } from "../../web/local/access.ts";
import { openDatabase } from "../database/schema.ts";
import { askProcess, OTHER_VERSION, type ProcessAnswer, type ProcessQuestion } from "./ask-process.ts";
import { getStoreLocation } from "./store-session.ts";

/** The two ways to the store: through a running process, or in the database itself. */
export interface StoreQuery<T> {
  readonly request: ProcessQuestion;
  readAnswer(body: IncomingMessage): Promise<T>;
  useDatabase(db: Kysely<Tables>): Promise<T>;
}

/**
 * Asks the Tollgate process that uses the embedded database; without one, uses the database. A directory or a
 * PostgreSQL database without Tollgate's tables is refused and they are not created there: it is the wrong one.
 *
 * @throws TollgateError `usage` for a refusal, `data_directory_in_use`, `running_failed`, and what
 * `openDatabase` throws
 */
export async function useStore<T>(settings: Settings, reading: StoreQuery<T>): Promise<T> {
  const { dataDirectory, databaseUrl } = settings;
  if (databaseUrl !== null) {
    if (!(await examineServer(databaseUrl, hasTables)))
      throw createAbsentError("the database of DATABASE_URL");
    return useDatabase(settings, reading);
  }
  if (inspectDirectory(dataDirectory) === "empty") throw createAbsentError(dataDirectory);
  const answer = await askProcess(settings, reading.request);
  if (answer.state === "answered") return reading.readAnswer(answer.body);
  if (answer.state === "refused") throw createUsageError(answer);
  // A process that was killed leaves its file behind, and another program may use its port now: the lock on
  // the directory decides.
  return useDatabase(settings, reading).catch((error: unknown) => {
    throw findHolderProblem(answer, dataDirectory, error) ?? error;
  });
}

async function hasTables(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select where to_regclass('platform_project_owners') is not null`.execute(db);
  return rows.length > 0;
}

const createAbsentError = (place: string): TollgateError =>
  new TollgateError("usage", `there is no Tollgate database in ${place}`, {
    hint: "Set TOLLGATE_DATA or DATABASE_URL as `tollgate start` has it. `tollgate start` begins a new database.",
  });

async function useDatabase<T>(settings: Settings, { useDatabase: use }: StoreQuery<T>): Promise<T> {
  const store = await openDatabase(getStoreLocation(settings), () => {});
  try {
    return await use(store.db);
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
