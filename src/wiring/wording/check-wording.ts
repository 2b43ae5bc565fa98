import type { PolicyProblem } from "../../policy/model/policy.ts";
import { chooseWording } from "../../render/custom/choose.ts";
import { isWordable } from "../../render/custom/names.ts";
import { fillInThread } from "./fill-in-thread.ts";
import { folderBeside } from "./folder-beside.ts";

export interface CheckedWording {
  /** Files that can be used. */
  readonly usable: number;
  readonly problems: readonly PolicyProblem[];
}

/** Everything that is wrong with the words beside a policy file, short of filling them. */
export async function checkWording(policyFile: string): Promise<CheckedWording> {
  const wording = chooseWording([folderBeside(policyFile)]);
  const tasks = (wording?.partials ?? []).flatMap(({ name, file, text }) =>
    isWordable(name) ? [{ name, file, text, view: null, amounts: [] }] : [],
  );
  const filled = await fillInThread()(tasks);
  const problems = filled.flatMap((one, index) => {
    const file = tasks[index]?.file ?? "";
    return one.state === "filled" ? [] : one.problems.map((problem) => ({ file, path: "", ...problem }));
  });
  return {
    usable: filled.filter(({ state }) => state === "filled").length,
    problems: [...(wording?.problems ?? []), ...problems],
  };
}
