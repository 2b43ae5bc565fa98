import { accessSync, constants, existsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import { type ErrorCode, TollgateError } from "../../kernel/errors.ts";
import {
  createSettingsError,
  type Environment,
  inspectSettings,
  type Settings,
} from "../../settings/read.ts";
import { examineServer } from "../../store/database/server-error.ts";
import { inspectDirectory, requireSpace, toDirectoryError } from "../../store/directory/data-directory.ts";
import { createListenError } from "./http-server.ts";
import { readOperatorTemplates } from "./templates.ts";

export interface StartInput {
  readonly environment: Environment;
  /** Whether the process serves HTTP; a worker does not. */
  readonly isServer: boolean;
}

/**
 * Returns one error for everything that keeps Tollgate from starting. A start ends with the first problem; the others that can be found
 * without it are added here, so that an operator corrects them all at once. Returns the failure itself if it is the only one, or no
 * problem of the start.
 */
export async function explainStartFailure(failure: unknown, input: StartInput): Promise<unknown> {
  if (!(failure instanceof TollgateError)) return failure;
  const problems = new Map([[failure.message, failure]]);
  for (const problem of await findOtherProblems(failure, input)) problems.set(problem.message, problem);
  return problems.size === 1 ? failure : joinProblems([...problems.values()]);
}

/** Codes of failures that concern the storage: it is not examined again after one of them. */
const STORAGE_CODES: readonly ErrorCode[] = [
  ...(["data_directory_in_use", "data_directory_unusable", "database_connection_lost"] as const),
  ...(["database_damaged", "database_unusable", "database_version", "migration_failed"] as const),
];

/** Examines settings, templates, storage and port, each without the others. Changes nothing. */
async function findOtherProblems(
  { code }: TollgateError,
  { environment, isServer }: StartInput,
): Promise<readonly TollgateError[]> {
  const { settings, problems, isUsable } = inspectSettings(environment);
  const isStorageSkipped = !isUsable("DATABASE_URL") || STORAGE_CODES.includes(code);
  const isPortSkipped = !isServer || !isUsable("PORT") || code === "port_unusable";
  const found = await Promise.all([
    problems.length === 0 ? null : createSettingsError(problems),
    catchProblem(() => readOperatorTemplates(settings.templatesDirectory)),
    isStorageSkipped ? null : catchProblem(() => examineStorage(settings)),
    isPortSkipped ? null : catchProblem(() => examinePort(settings)),
  ]);
  return found.filter((problem) => problem !== null);
}

async function catchProblem(examine: () => unknown): Promise<TollgateError | null> {
  try {
    await examine();
    return null;
  } catch (error) {
    return error instanceof TollgateError ? error : null;
  }
}

/** Throws what keeps the database of the settings from being opened. */
export async function examineStorage({ databaseUrl, dataDirectory }: Settings): Promise<void> {
  if (databaseUrl === null) examineDirectory(dataDirectory);
  else await examineServer(databaseUrl, async () => {});
}

/** Throws what keeps a data directory from being used; whether another process uses it is not examined. */
function examineDirectory(directory: string): void {
  inspectDirectory(directory);
  const place = findExistingDirectory(directory);
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw toDirectoryError(directory, cause);
  }
  requireSpace(place);
}

/** Returns the directory, or the nearest one above it in which it would be created. */
function findExistingDirectory(directory: string): string {
  let place = resolve(directory);
  while (!existsSync(place)) place = dirname(place);
  return place;
}

/** Listens on the port for a moment. */
function examinePort({ port, host }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (cause) => reject(createListenError({ port, host: host ?? undefined, cause })));
    probe.listen(port, host ?? undefined, () => probe.close(() => resolve()));
  });
}

const joinProblems = (problems: readonly TollgateError[]): TollgateError =>
  new TollgateError(
    "start_refused",
    `${problems.length} problems keep Tollgate from starting:\n${problems.map(formatProblem).join("\n")}`,
    { cause: new AggregateError(problems) },
  );

const formatProblem = ({ message, hint }: TollgateError, at: number): string =>
  `${at + 1}. ${[message, ...(hint === undefined ? [] : [hint])].join("\n").replaceAll("\n", "\n   ")}`;
