import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../evaluate/run/deps.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { suggestChoice } from "../../kernel/suggest.ts";
import { getShippedFile } from "../../package/shipped-files.ts";
import { findCompileProblem, type OperatorTemplates, type TemplateTexts } from "../../render/templates.ts";

const FOLDER = getShippedFile("templates");
const ENDING = ".hbs";
/** Four times the longest shipped template. A text that outgrows GitHub's limits would leave a pull request without its check. */
const MAX_BYTES = 10_000;

export const loadTemplates = (): TemplateTexts => readTemplates(FOLDER);

function readTemplates(folder: string): TemplateTexts {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(ENDING),
  );
  return Object.fromEntries(
    files.map((file) => [
      file.replaceAll("\\", "/").slice(0, -ENDING.length),
      readFileSync(join(folder, file), "utf8"),
    ]),
  );
}

/**
 * Loads the operator's templates, none without a directory. `log`: gets a line for each of them that fails in a render, which is
 * synchronous.
 *
 * @throws TollgateError `settings_invalid` listing every template that cannot be used
 */
export function loadOperatorTemplates(
  directory: string | undefined,
  log: Pick<Log, "warn">,
): OperatorTemplates {
  const failed = new Set<string>();
  return {
    texts: readOperatorTemplates(directory),
    onFailure: (name, { message }) => {
      if (failed.has(name)) return;
      if (failed.size === 0) queueMicrotask(() => failed.clear());
      failed.add(name);
      log.warn(
        { template: name, problem: message },
        "a template of TEMPLATES_DIR failed; the shipped one is used",
      );
    },
  };
}

/** Reads and examines the operator's templates; throws as `loadOperatorTemplates`. */
export function readOperatorTemplates(directory: string | undefined): TemplateTexts {
  if (directory === undefined) return {};
  const own = readDirectory(directory);
  const names = Object.keys(loadTemplates());
  const problems = Object.entries(own).flatMap(([name, text]) => {
    const problem = findProblem({ name, text }, names);
    return problem === null ? [] : [`${name}${ENDING}: ${problem}`];
  });
  if (problems.length > 0)
    throw createTemplatesError(`has templates that cannot be used:\n  ${problems.join("\n  ")}`);
  return own;
}

function findProblem(
  { name, text }: { name: string; text: string },
  names: readonly string[],
): string | null {
  if (!names.includes(name)) {
    const meant = suggestChoice(name, names);
    const expected =
      meant === null ? "expected the name of a shipped template" : `did you mean ${meant}${ENDING}?`;
    return `replaces no shipped template; ${expected}`;
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES) return `found ${bytes} bytes, expected at most ${MAX_BYTES}; shorten it`;
  const problem = findCompileProblem(text);
  return problem === null ? null : `does not compile: ${problem}`;
}

function readDirectory(directory: string): TemplateTexts {
  try {
    return readTemplates(directory);
  } catch (cause) {
    throw createTemplatesError(`${JSON.stringify(directory)} cannot be read as a directory`, cause);
  }
}

const createTemplatesError = (problem: string, cause?: unknown): TollgateError =>
  new TollgateError("settings_invalid", `TEMPLATES_DIR: ${problem}`, {
    hint: "Correct it, or unset TEMPLATES_DIR to use the shipped templates; docs/operations/settings.md describes them.",
    cause,
  });
