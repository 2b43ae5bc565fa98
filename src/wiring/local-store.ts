import { sql } from "kysely";
import { systemClock } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import type { LimitSuggestions } from "../policy/suggest.ts";
import { readEnvironment, readSettings, type Settings } from "../settings/read.ts";
import { type AuditExportLine, type AuditHead, parseAuditEntry, verifyAudit } from "../store/audit/chain.ts";
import { examineServer } from "../store/database/server-error.ts";
import { inspectDirectory } from "../store/directory/data-directory.ts";
import { listResolvedNames, type ResolvedName } from "../store/resolved-names.ts";
import type { Tables } from "../store/tables/tables.ts";
import { createRefusalError, type LocalDeps, type LocalOperation } from "../web/local/operation.ts";
import {
  type AuditRequest,
  type ExplainableEvaluation,
  type PullName,
  READ_AUDIT,
  READ_EVALUATION,
  READ_RECENT_NAMES,
  READ_RESOLVED_NAMES,
  type RepositoryNames,
  SUGGEST_LIMITS,
} from "../web/local/stored-facts.ts";
import {
  CREATE_TOKEN,
  type CreatedToken,
  LIST_TOKENS,
  type ListedToken,
  REVOKE_TOKEN,
  type TokenRequest,
} from "../web/local/tokens.ts";
import { LINES_TYPE } from "../web/stream-lines.ts";
import { openDatabase } from "./database/schema.ts";
import {
  type AnswerBody,
  askProcess,
  createCutOffError,
  createUnknownAnswerError,
  OTHER_VERSION,
  type ProcessAnswer,
  type ProcessQuestion,
  readAnswer,
  readAnswerLines,
} from "./process/ask-process.ts";
import { getStoreLocation } from "./process/store-session.ts";

export type { ExplainableEvaluation, ListedToken };
/** Verifies an export without store or network. */
export { verifyAudit };

// What commands read from the store of this machine, and write there. With the embedded database the Tollgate process that uses the data
// directory is asked, if there is one.

/**
 * Passes every line of the decision chain to `write`, in order, and returns its head. The next line is read when the promise of `write`
 * is fulfilled.
 *
 * @throws TollgateError `usage`, and what `useStore` and `openStore` throw
 */
export function exportAudit(
  settings: Settings,
  request: AuditRequest,
  write: (entry: AuditExportLine) => Promise<void>,
): Promise<AuditHead["head"]> {
  return useStore(settings, {
    question: { path: READ_AUDIT.path, content: request, type: LINES_TYPE },
    readAnswer: (body) => writeEntries(readEntries(body), write),
    useDatabase: async (deps) => writeEntries(await READ_AUDIT.perform(deps, request), write),
  });
}

async function writeEntries(
  entries: AsyncIterable<AuditExportLine>,
  write: (entry: AuditExportLine) => Promise<void>,
): Promise<AuditHead["head"]> {
  for await (const entry of entries) {
    await write(entry);
    if ("head" in entry) return entry.head;
  }
  throw createCutOffError();
}

async function* readEntries(body: AnswerBody): AsyncGenerator<AuditExportLine> {
  for await (const line of readAnswerLines(body)) {
    const entry = parseAuditEntry(line);
    if (entry === null) throw createUnknownAnswerError();
    yield entry;
  }
}

/**
 * Returns the newest evaluation of a pull request.
 *
 * @throws TollgateError `usage` when there is none, and what `useStore` throws
 */
export const readStoredEvaluation = (settings: Settings, pull: PullName): Promise<ExplainableEvaluation> =>
  perform(
    settings,
    READ_EVALUATION,
    pull,
    "It, or its stored evaluation, is of another version: restart it with this one, then comment `/tollgate recheck` on the pull request.",
  );

/**
 * Returns the names that the recent pull requests of a repository used.
 *
 * @throws TollgateError `usage` when the repository is unknown, and what `useStore` throws
 */
export const readStoredNames = (repository: string): Promise<RepositoryNames> =>
  perform(readSettings(readEnvironment()), READ_RECENT_NAMES, { repository });

/** Returns the limits that a repository's history suggests; throws as `readStoredNames` does. */
export const suggestStoredLimits = (repository: string | null, days: number): Promise<LimitSuggestions> =>
  perform(readSettings(readEnvironment()), SUGGEST_LIMITS, { repository, days });

/**
 * Returns the names of the only repository of a Tollgate process on this machine; null: no process runs, or
 * it has no or several repositories. It opens no database and ignores all failures.
 */
export async function findLocalNames(): Promise<RepositoryNames | null> {
  try {
    const settings = readSettings(readEnvironment());
    return (await ask(settings, READ_RECENT_NAMES, { repository: null }))?.output ?? null;
  } catch (error) {
    if (error instanceof TollgateError) return null;
    throw error;
  }
}

/**
 * Returns the stored ids of names in the operator's file; none where there is no database yet.
 *
 * @throws TollgateError what `useStore` and `examineServer` throw
 */
export async function readResolvedNames(settings: Settings): Promise<readonly ResolvedName[]> {
  const { databaseUrl, dataDirectory } = settings;
  if (databaseUrl !== null)
    return examineServer(databaseUrl, async (db) => {
      const { rows } = await sql`select where to_regclass('resolved_names') is not null`.execute(db);
      return rows.length === 0 ? [] : listResolvedNames(db.withTables<Tables>());
    });
  return inspectDirectory(dataDirectory) === "empty"
    ? []
    : (await perform(settings, READ_RESOLVED_NAMES, {})).names;
}

/** Returns them without opening an embedded database: none where no process runs on it. */
export const askForResolvedNames = async (settings: Settings): Promise<readonly ResolvedName[]> =>
  settings.databaseUrl === null
    ? ((await ask(settings, READ_RESOLVED_NAMES, {}))?.output.names ?? [])
    : readResolvedNames(settings);

/** Creates a token. Throws `usage` for a refusal, and what `useStore` throws. */
export const makeToken = (settings: Settings, request: TokenRequest): Promise<CreatedToken> =>
  perform(settings, CREATE_TOKEN, request);

/** Requests a token from the Tollgate process that uses the data directory, which listens at `url`; null: there is none. */
export const askForToken = (settings: Settings, request: TokenRequest) =>
  ask(settings, CREATE_TOKEN, request);

/** Revokes a token in the process that uses the data directory, if one answers. */
export async function askForRevocation(settings: Settings, id: string): Promise<void> {
  await ask(settings, REVOKE_TOKEN, { id });
}

/** Returns the tokens of people and CI jobs, newest first. Throws what `useStore` throws. */
export const readStoredTokens = async (settings: Settings): Promise<readonly ListedToken[]> =>
  (await perform(settings, LIST_TOKENS, {})).tokens;

/**
 * Revokes a token, for running processes from their next request on.
 *
 * @throws TollgateError `usage` when no such token is valid, and what `useStore` throws
 */
export async function revokeStoredToken(settings: Settings, id: string): Promise<void> {
  if ((await perform(settings, REVOKE_TOKEN, { id })).revoked) return;
  throw new TollgateError("usage", `no valid token has the id ${JSON.stringify(id)}`, {
    hint: "`tollgate token list --all` shows the ids, and which tokens are revoked already.",
  });
}

/**
 * Asks the process that uses the data directory, which listens at `url`, to perform an operation; null: there is none.
 *
 * @throws TollgateError `usage` for a refusal, `running_failed`
 */
async function ask<Input extends object, Output extends object>(
  settings: Settings,
  operation: LocalOperation<Input, Output>,
  input: Input,
): Promise<{ readonly url: string; readonly output: Output } | null> {
  const answer = await askProcess(settings, buildQuestion(operation, input));
  if (answer.state === "absent") return null;
  if (answer.state === "refused") throw createRefusalError(answer.message, answer.hint);
  if (answer.state !== "answered") throw createHolderError(answer, settings.dataDirectory);
  return { url: answer.url, output: await readAnswer(answer.body, operation.output) };
}

const buildQuestion = <Input extends object>(
  { path }: LocalOperation<Input, object>,
  content: Input,
): ProcessQuestion => ({ path, content, type: "application/json" });

/** Performs an operation. `hint`: the way out where a running process answers in an unknown way. */
const perform = <Input extends object, Output extends object>(
  settings: Settings,
  operation: LocalOperation<Input, Output>,
  input: Input,
  hint?: string,
): Promise<Output> =>
  useStore(settings, {
    question: buildQuestion(operation, input),
    readAnswer: (body) => readAnswer(body, operation.output, hint),
    useDatabase: (deps) => operation.perform(deps, input),
  });

/** The two ways to the store: through a running process, or in the database itself. */
interface StoreQuery<T> {
  readonly question: ProcessQuestion;
  readAnswer(body: AnswerBody): Promise<T>;
  useDatabase(deps: LocalDeps): Promise<T>;
}

/**
 * Asks the Tollgate process that uses the embedded database; without one, uses the database. A directory or a
 * PostgreSQL database without Tollgate's tables is refused and they are not created there: it is the wrong one.
 *
 * @throws TollgateError `usage` for a refusal, `data_directory_in_use`, `running_failed`, and what
 * `openDatabase` throws
 */
async function useStore<T>(settings: Settings, query: StoreQuery<T>): Promise<T> {
  const { dataDirectory, databaseUrl } = settings;
  if (databaseUrl !== null) {
    const isOurs = await examineServer(databaseUrl, async (db) => {
      const { rows } = await sql`select where to_regclass('platform_project_owners') is not null`.execute(db);
      return rows.length > 0;
    });
    if (!isOurs) throw createAbsentError("the database of DATABASE_URL");
    return useDatabase(settings, query);
  }
  if (inspectDirectory(dataDirectory) === "empty") throw createAbsentError(dataDirectory);
  const answer = await askProcess(settings, query.question);
  if (answer.state === "answered") return query.readAnswer(answer.body);
  if (answer.state === "refused") throw createRefusalError(answer.message, answer.hint);
  // A process that was killed leaves its file behind, and another program may use its port now: the lock on
  // the directory decides.
  return useDatabase(settings, query).catch((error: unknown) => {
    throw findHolderProblem(answer, dataDirectory, error) ?? error;
  });
}

const createAbsentError = (place: string): TollgateError =>
  new TollgateError("usage", `there is no Tollgate database in ${place}`, {
    hint: "Set TOLLGATE_DATA or DATABASE_URL as `tollgate start` has it. `tollgate start` begins a new database.",
  });

async function useDatabase<T>(settings: Settings, { useDatabase: use }: StoreQuery<T>): Promise<T> {
  const store = await openDatabase(getStoreLocation(settings), () => {});
  try {
    return await use({ db: store.db, clock: systemClock, account: settings.platform.account });
  } finally {
    await store.close();
  }
}

/** Returns why the process that uses the directory gave no response; null: the original error is sufficient. */
function findHolderProblem(answer: ProcessAnswer, directory: string, cause: unknown): TollgateError | null {
  const isHeld = cause instanceof TollgateError && cause.code === "data_directory_in_use";
  const isAnswer = answer.state === "silent" || answer.state === "unexpected";
  return isHeld && isAnswer ? createHolderError(answer, directory, cause) : null;
}

/** Creates the error for a process that listens and does not do what it was asked. */
function createHolderError(
  answer: Extract<ProcessAnswer, { readonly state: "silent" | "unexpected" }>,
  directory: string,
  cause?: unknown,
): TollgateError {
  const who = `the Tollgate that runs on ${directory}`;
  const create = (problem: string, hint: string, retryable = true) =>
    new TollgateError("running_failed", `${who} ${problem}`, {
      cause,
      retryable,
      hint: cause === undefined ? `${hint} ${IF_NONE_RUNS}` : hint,
    });
  if (answer.state === "silent")
    return create("does not answer", "It may be busy: try again. If it stays so, restart it.");
  if (answer.status >= 500) return create("could not answer", "Its log says why.");
  return create("does not know this question", OTHER_VERSION, false);
}

const IF_NONE_RUNS = "If none runs, delete running.json in that directory.";
