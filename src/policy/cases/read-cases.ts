import { byPlace, type Flaw } from "../file/text/place.ts";
import { schemaFlaws } from "../file/text/problems.ts";
import { textProblem } from "../file/text/source-text.ts";
import { readYaml } from "../file/text/yaml-tree.ts";
import { CaseFile } from "./case-schema.ts";

/** A file of cases, or everything that is wrong with it. */
export type ReadCases =
  | { readonly state: "ok"; readonly file: CaseFile }
  | { readonly state: "invalid"; readonly flaws: readonly Flaw[] };

export function readCases(text: string): ReadCases {
  const unreadable = textProblem(text);
  if (unreadable !== null)
    return { state: "invalid", flaws: [{ line: 1, column: 1, path: "", message: unreadable }] };
  const tree = readYaml(text);
  const flaws = tree.value === undefined ? tree.flaws : [...tree.flaws, ...schemaFlaws(tree, CaseFile)];
  const parsed = CaseFile.safeParse(tree.value);
  return flaws.length === 0 && parsed.success
    ? { state: "ok", file: parsed.data }
    : { state: "invalid", flaws: flaws.toSorted(byPlace) };
}
