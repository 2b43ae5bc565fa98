import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { IMPORT_KINDS, type ImportKindName, type ImportOutcome } from "../../platform/contract/imports.ts";
import { readClientSettings } from "../../settings/client.ts";
import { readEnvironment } from "../../settings/read.ts";
import { type ImportPlatform, withPlatform } from "../../wiring/import/client.ts";
import { importFile } from "../../wiring/import/file.ts";
import type { ResolveLocalPlatform } from "../../wiring/import/run.ts";
import { type ExitCode, type Output, usageError } from "../command.ts";
import { startProgress } from "../import-progress.ts";
import { inputFile } from "../input-file.ts";
import { resolveAddress } from "../platform-address.ts";

const ABOUT: Readonly<Record<ImportKindName, string>> = {
  recommendations: "recommended savings",
  anomalies: "anomalies of cost",
  evaluations: "evaluations of governance rules",
  billing: "cost and usage per day, for unit metrics and anomalies",
  prompts: "prompts and sample rules of governance",
  perspectives: "perspectives: named selections of costs",
};

/** Adds one option for each kind of data. */
export function addFileOptions(command: CommandUnknownOpts): void {
  for (const kind of IMPORT_KINDS)
    command.option(`--${kind} <FILE>`, `${ABOUT[kind]}, one JSON object to a line`);
}

export interface NamedFile {
  readonly kind: ImportKindName;
  /** `-`: the standard input. */
  readonly path: string;
}

/** The files that the options of `addFileOptions` name, in the order of the kinds. */
export const namedFiles = (options: object): readonly NamedFile[] =>
  IMPORT_KINDS.flatMap((kind) => {
    const path = new Map<string, unknown>(Object.entries(options)).get(kind);
    return typeof path === "string" ? [{ kind, path }] : [];
  });

interface FileImportResult extends ImportOutcome {
  readonly kind: ImportKindName;
  readonly file: string;
  /** Why the file as a whole was refused; absent: it was read. */
  readonly refused?: string;
}

interface FileImportOptions extends ImportPlatform {
  readonly files: readonly NamedFile[];
  readonly json?: true | undefined;
}

/** Imports each file, whole or not at all; one that is refused does not keep the next from being imported. */
export async function importFiles(
  options: FileImportOptions,
  output: Output,
  resolveLocal: ResolveLocalPlatform,
): Promise<ExitCode> {
  const { files } = options;
  if (files.filter(({ path }) => path === "-").length > 1)
    throw usageError("The standard input can be one file only.");
  const platform = resolveAddress(options, readClientSettings(readEnvironment()));
  const retrying = { tries: 5, pauseMs: 500, sleep };
  const ended: FileImportResult[] = [];
  await withPlatform(platform, resolveLocal, async (client) => {
    for (const { kind, path } of files) {
      const { file, bytes } = inputFile(path);
      const upload = randomUUID().replaceAll("-", "");
      const { onPage, end } = startProgress(output, file, systemClock);
      const sending = importFile(client, { kind, upload, bytes }, retrying, onPage);
      const outcome = await sending.catch(refusal).finally(end);
      ended.push({ kind, file, ...outcome });
      printProblems({ kind, file, ...outcome }, output);
    }
  });
  printResults(ended, options.json === true, output);
  return ended.every(({ rows }) => rows > 0) ? 0 : 2;
}

/** An unreadable file is reported like one with problems, and the next one follows; other failures end the command. */
function refusal(error: unknown): ImportOutcome & { readonly refused: string } {
  if (!(error instanceof TollgateError) || !FILE_CODES.has(error.code)) throw error;
  const words = [error.message, error.hint].filter((text) => text !== undefined).join(". ");
  return { rows: 0, problems: [], more: 0, refused: words };
}

const FILE_CODES: ReadonlySet<string> = new Set(["file_unreadable", "file_not_recognised"]);

function printProblems({ file, problems, more, rows, refused }: FileImportResult, output: Output): void {
  for (const { line, field, problem } of problems)
    output.message(`${file}:${line}: ${field === "" ? "" : `${field}: `}${problem}`);
  if (more > 0) output.message(`${file}: and ${number(more)} further problem${more === 1 ? "" : "s"}`);
  if (refused !== undefined) output.message(`${file}: ${refused}`);
  else if (rows === 0 && problems.length === 0) output.message(`${file}: there is no line in it`);
  if (rows === 0) output.message(`nothing of ${file} was imported`);
}

function printResults(ended: readonly FileImportResult[], isJson: boolean, output: Output): void {
  if (isJson) {
    const files = ended.map(({ kind, file, rows, problems, more, refused }) => ({
      ...{ kind, file, imported: rows, problems, more },
      ...(refused === undefined ? {} : { refused }),
    }));
    output.result(JSON.stringify(files));
    return;
  }
  for (const { kind, rows } of ended) if (rows > 0) output.result(`imported ${counted(rows, kind)}`);
}

const NOUNS: Readonly<Record<ImportKindName, readonly [one: string, many: string]>> = {
  recommendations: ["recommendation", "recommendations"],
  anomalies: ["anomaly", "anomalies"],
  evaluations: ["evaluation", "evaluations"],
  billing: ["line of billing", "lines of billing"],
  prompts: ["prompt", "prompts"],
  perspectives: ["perspective", "perspectives"],
};

const counted = (rows: number, kind: ImportKindName): string =>
  `${number(rows)} ${NOUNS[kind][rows === 1 ? 0 : 1]}`;

const number = (value: number): string => value.toLocaleString("en-US");
