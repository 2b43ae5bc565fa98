import type { PolicyText } from "../policy/file/parse.ts";
import type { PolicyProblem } from "../policy/model/policy.ts";
import { readText } from "./input-file.ts";

/** The text of a policy file named on the command line; null: none is named. */
export const policyText = async (path: string | undefined): Promise<PolicyText | null> =>
  path === undefined ? null : { file: path === "-" ? "standard input" : path, text: await readText(path) };

/** `file:line:column path message` of each problem, as editors and terminals link to them. */
export const problemLines = (problems: readonly PolicyProblem[]): readonly string[] =>
  problems.map(({ file, line, column, path, message }) =>
    [`${file}:${line}:${column}`, path, message].filter((part) => part !== "").join(" "),
  );
