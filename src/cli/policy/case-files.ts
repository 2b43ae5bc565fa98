import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { TollgateError } from "../../kernel/errors.ts";

const CASES = /\.test\.ya?ml$/;

/** A file of cases by itself, or all of them in a directory and the directories in it, in one order. */
export function caseFilesIn(place: string): readonly string[] {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined)
    throw new TollgateError("file_unreadable", `${place} cannot be read: there is no such file`, {
      hint: "Give a directory with files called *.test.yml, or one such file.",
    });
  if (found.isFile()) return [place];
  const files = readdirSync(place, { recursive: true, encoding: "utf8" })
    .filter((name) => CASES.test(name) && !name.split(/[\\/]/).includes("node_modules"))
    .toSorted();
  if (files.length === 0)
    throw new TollgateError("usage", `${place} has no cases`, {
      hint: 'Cases are in files called *.test.yml; see docs/policy-reference.md, "Cases".',
    });
  return files.map((name) => join(place, name));
}
