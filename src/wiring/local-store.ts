import { sql } from "kysely";
import { systemClock } from "../kernel/clock.ts";
import { TollgateError } from "../kernel/errors.ts";
import { readEnvironment, readSettings } from "../settings/read.ts";
import type { Settings } from "../settings/settings.ts";
import {
  type AuditHead,
  type AuditVerification,
  parseAuditEntry,
  verifyAudit,
} from "../store/audit/chain.ts";
import { examineServer } from "../store/database/server-error.ts";
import { inspectDirectory } from "../store/directory/data-directory.ts";
import type { Db } from "../store/tables/tables.ts";
import { revokeToken } from "../store/tokens.ts";
import type { LocalRefusal } from "../web/local/access.ts";
import {
  AUDIT_TYPE,
  type AuditEntry,
  type AuditRequest,
  buildAuditAddress,
  readAudit,
} from "../web/local/audit.ts";
import {
  buildEvaluationAddress,
  EVALUATION_TYPE,
  ExplainableEvaluation,
  type PullName,
  readEvaluation,
} from "../web/local/evaluation.ts";
import {
  buildRecentNamesAddress,
  RECENT_NAMES_TYPE,
  RepositoryNames,
  readRecentNames,
} from "../web/local/recent-names.ts";
import {
  buildRevocationRequest,
  buildTokenRequest,
  grantToken,
  type ListedToken,
  RevokedToken,
  readTokens,
  TOKENS_REQUEST,
  TokenList,
  type TokenRequest,
  TokenResult,
} from "../web/local/tokens.ts";
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
  write: (entry: AuditEntry) => void | Promise<void>,
): Promise<AuditHead["head"]> {
  return useStore(settings, {
    request: { address: buildAuditAddress(request), type: AUDIT_TYPE },
    readAnswer: (body) => writeEntries(readEntries(body), write),
    useDatabase: async (db) => writeEntries(accept(await readAudit(db, request)).entries, write),
  });
}

async function writeEntries(
  entries: AsyncIterable<AuditEntry>,
  write: (entry: AuditEntry) => void | Promise<void>,
): Promise<AuditHead["head"]> {
  for await (const entry of entries) {
    await write(entry);
    if ("head" in entry) return entry.head;
  }
  throw createCutOffError();
}

async function* readEntries(body: AnswerBody): AsyncGenerator<AuditEntry> {
  for await (const line of readAnswerLines(body)) {
    const entry = parseAuditEntry(line);
    if (entry === null) throw createUnknownAnswerError();
    yield entry;
  }
}

/** Verifies an export without store or network. */
export const checkAudit = (lines: AsyncIterable<string>): Promise<AuditVerification> => verifyAudit(lines);

/**
 * Returns the newest evaluation of a pull request.
 *
 * @throws TollgateError `usage` when there is none, and what `useStore` throws
 */
export const readStoredEvaluation = (settings: Settings, pull: PullName): Promise<ExplainableEvaluation> =>
  useStore<ExplainableEvaluation>(settings, {
    request: { address: buildEvaluationAddress(pull), type: EVALUATION_TYPE },
    readAnswer: (body) =>
      readAnswer(
        body,
        ExplainableEvaluation,
        "It, or its stored evaluation, is of another version: restart it with this one, then comment `/tollgate recheck` on the pull request.",
      ),
    useDatabase: async (db) => accept(await readEvaluation(db, pull)).evaluation,
  });

/**
 * Returns the names that the recent pull requests of a repository used.
 *
 * @throws TollgateError `usage` when the repository is unknown, and what `useStore` throws
 */
export const readStoredNames = (repository: string): Promise<RepositoryNames> =>
  useStore(readSettings(readEnvironment()), {
    request: { address: buildRecentNamesAddress(repository), type: RECENT_NAMES_TYPE },
    readAnswer: (body) => readAnswer(body, RepositoryNames),
    useDatabase: async (db) => accept(await readRecentNames(db, repository)).names,
  });

/**
 * Returns the names of the only repository of a Tollgate process on this machine; null: no process runs, or
 * it has no or several repositories. It opens no database and ignores all failures.
 */
export async function findLocalNames(): Promise<RepositoryNames | null> {
  const question = { address: buildRecentNamesAddress(null), type: RECENT_NAMES_TYPE };
  try {
    const answer = await askProcess(readSettings(readEnvironment()), question);
    return answer.state === "answered" ? await readAnswer(answer.body, RepositoryNames) : null;
  } catch (error) {
    if (error instanceof TollgateError) return null;
    throw error;
  }
}

/** Creates a token. Throws what `useStore` throws. */
export const makeToken = (settings: Settings, request: TokenRequest): Promise<TokenResult> =>
  useStore(settings, {
    request: buildTokenRequest(request),
    readAnswer: (body) => readAnswer(body, TokenResult),
    useDatabase: (db) => grantToken({ db, clock: systemClock, account: settings.platform.account }, request),
  });

/** Requests a token from the Tollgate process that uses the data directory, which listens at `url`; null: no process answers. */
export async function askForToken(
  settings: Settings,
  request: TokenRequest,
): Promise<{ readonly url: string; readonly result: TokenResult } | null> {
  const answer = await askProcess(settings, buildTokenRequest(request));
  if (answer.state !== "answered") return null; // the process ended without removing its file
  return { url: answer.url, result: await readAnswer(answer.body, TokenResult) };
}

/** Revokes a token in the process that uses the data directory, if one answers. */
export async function askForRevocation(settings: Settings, id: string): Promise<void> {
  const answer = await askProcess(settings, buildRevocationRequest(id));
  if (answer.state === "answered") await readAnswer(answer.body, RevokedToken);
}

/** Returns the tokens of people and CI jobs, newest first. Throws what `useStore` throws. */
export const readStoredTokens = (settings: Settings): Promise<readonly ListedToken[]> =>
  useStore(settings, {
    request: TOKENS_REQUEST,
    readAnswer: async (body) => (await readAnswer(body, TokenList)).tokens,
    useDatabase: (db) => readTokens({ db, clock: systemClock }),
  });

/**
 * Revokes a token, for running processes from their next request on.
 *
 * @throws TollgateError `usage` when no such token is valid, and what `useStore` throws
 */
export async function revokeStoredToken(settings: Settings, id: string): Promise<void> {
  const isRevoked = await useStore(settings, {
    request: buildRevocationRequest(id),
    readAnswer: async (body) => (await readAnswer(body, RevokedToken)).revoked,
    useDatabase: (db) => revokeToken(db, id, systemClock),
  });
  if (isRevoked) return;
  throw new TollgateError("usage", `no valid token has the id ${JSON.stringify(id)}`, {
    hint: "`tollgate token list --all` shows the ids, and which tokens are revoked already.",
  });
}

/** The two ways to the store: through a running process, or in the database itself. */
interface StoreQuery<T> {
  readonly request: ProcessQuestion;
  readAnswer(body: AnswerBody): Promise<T>;
  useDatabase(db: Db): Promise<T>;
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
  const answer = await askProcess(settings, query.request);
  if (answer.state === "answered") return query.readAnswer(answer.body);
  if (answer.state === "refused") accept(answer);
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
    return await use(store.db);
  } finally {
    await store.close();
  }
}

/** @throws TollgateError `usage` for a refusal: the command was used wrongly */
function accept<T extends { readonly state: string }>(found: T | LocalRefusal): Exclude<T, LocalRefusal> {
  if (found.state !== "refused") return found as Exclude<T, LocalRefusal>; // a refusal has this state, and nothing else has it
  const { message, hint } = found as LocalRefusal;
  throw new TollgateError("usage", message, { hint });
}

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
