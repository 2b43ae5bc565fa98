/** File names that state the kind of a file and not its subject. */
const GENERIC_NAMES =
  /^(tf|terraform|tofu|out|show)?-?_?(plan|tfplan|planfile|infracost|estimate|diff|breakdown|base|json)?$/i;

/**
 * Derives the subject of a plan or estimate file from its path: its name without endings, or the name of its
 * folder when the file name is generic (`envs/prod/plan.json` is "prod").
 */
export function deriveFileLabel(path: string): string {
  const steps = path.split(/[\\/]/).filter((step) => step !== "" && step !== "." && step !== "..");
  const file = steps.at(-1) ?? path;
  const name = file.replace(/(\.(json|tfplan|plan|tf|out))+$/i, "");
  const folder = steps.at(-2);
  if (folder !== undefined && GENERIC_NAMES.test(name)) return folder;
  return name === "" ? file : name;
}
