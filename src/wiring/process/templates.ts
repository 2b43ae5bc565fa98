import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TollgateError } from "../../kernel/errors.ts";
import { getShippedFile } from "../../package/shipped-files.ts";
import { checkTemplates } from "../../render/check-templates.ts";

const FOLDER = getShippedFile("templates");
const ENDING = ".hbs";

type Templates = Readonly<Record<string, string>>;

/** Loads all shipped templates, by name without `.hbs`. */
export const loadTemplates = (): Templates => readTemplates(FOLDER);

function readTemplates(folder: string): Templates {
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
 * Loads the templates of comments and checks. The operator's own replace shipped ones of the same name.
 *
 * @throws TollgateError `settings_invalid` listing every mistake in the operator's templates
 */
export function loadOperatorTemplates(directory: string | undefined): Templates {
  const shipped = Object.fromEntries(
    Object.entries(loadTemplates()).filter(([name]) => !/^(?:reference|pages)\//.test(name)),
  );
  if (directory === undefined) return shipped;
  const replacements = readReplacements(directory);
  const problems = checkTemplates(shipped, replacements);
  if (problems.length > 0)
    throw createTemplatesError(`has templates that cannot be used:\n  ${problems.join("\n  ")}`);
  return { ...shipped, ...replacements };
}

function readReplacements(directory: string): Templates {
  try {
    return readTemplates(directory);
  } catch (cause) {
    throw createTemplatesError(`${JSON.stringify(directory)} cannot be read as a directory`, cause);
  }
}

const createTemplatesError = (problem: string, cause?: unknown): TollgateError =>
  new TollgateError("settings_invalid", `TEMPLATES_DIR: ${problem}`, {
    hint: "Correct it, or unset TEMPLATES_DIR to use the shipped templates; docs/operations/templates.md describes them.",
    cause,
  });
