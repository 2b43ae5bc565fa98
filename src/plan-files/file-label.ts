/** File names that say what a file is and not what it is about. */
const GENERIC =
  /^(tf|terraform|tofu|out|show)?-?_?(plan|tfplan|planfile|infracost|estimate|diff|breakdown|base|json)?$/i;

/**
 * What a plan or estimate file is about, from its path: its name without endings, or its folder's name where the file's own
 * says nothing (`envs/prod/plan.json` is "prod").
 */
export function deriveFileLabel(path: string): string {
  const steps = path.split(/[\\/]/).filter((step) => step !== "" && step !== "." && step !== "..");
  const file = steps.at(-1) ?? path;
  const name = file.replace(/(\.(json|tfplan|plan|tf|out))+$/i, "");
  const folder = steps.at(-2);
  if (folder !== undefined && GENERIC.test(name)) return folder;
  return name === "" ? file : name;
}
