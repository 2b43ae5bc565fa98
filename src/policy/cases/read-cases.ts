import { findSchemaProblems } from "../file/text/schema-problems.ts";
import { byPlace, type FileProblem } from "../file/text/text-position.ts";
import { findTextProblem } from "../file/text/text-problem.ts";
import { readYaml } from "../file/text/yaml-tree.ts";
import { CaseFile } from "./case-schema.ts";

/** A file of cases, or all its problems. */
export type ParsedCases =
  | { readonly state: "ok"; readonly file: CaseFile }
  | { readonly state: "invalid"; readonly flaws: readonly FileProblem[] };

export function readCases(text: string): ParsedCases {
  const unreadable = findTextProblem(text);
  if (unreadable !== null)
    return { state: "invalid", flaws: [{ line: 1, column: 1, path: "", message: unreadable }] };
  const tree = readYaml(text);
  const flaws =
    tree.value === undefined ? tree.flaws : [...tree.flaws, ...findSchemaProblems(tree, CaseFile)];
  const parsed = CaseFile.safeParse(tree.value);
  return flaws.length === 0 && parsed.success
    ? { state: "ok", file: parsed.data }
    : { state: "invalid", flaws: flaws.toSorted(byPlace) };
}
