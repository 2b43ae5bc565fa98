import type { ActionInputs, Stack } from "./read-inputs.ts";

/** Returns the words after `tollgate` that do what the inputs of mode check ask for. */
export const buildCheckWords = (
  inputs: ActionInputs,
  { report, summary }: { readonly report: string; readonly summary: string | null },
): readonly string[] => [
  "ci",
  ...inputs.stacks.flatMap(listFileWords),
  ...word("pull-request", inputs.pullRequest),
  ...word("sha", inputs.sha),
  ...word("organisation-policy", inputs.organisationPolicy),
  ...(inputs.hasPublicFigures ? ["--public-figures"] : []),
  ...word("report", report),
  ...word("summary", summary ?? ""),
];

/** Returns the words after `tollgate` that send one workspace's files to a server. */
export const buildSendWords = (inputs: ActionInputs, stack: Stack): readonly string[] => [
  "platform",
  "import",
  ...word("url", inputs.url),
  ...listFileWords(stack),
  ...word("sha", inputs.sha),
];

const listFileWords = ({ workspace, plan = "", infracost = "" }: Stack): readonly string[] => [
  ...word("workspace", workspace),
  ...word("plan", plan),
  ...word("infracost", infracost),
];

/** With `=`, no value is taken for another option. */
const word = (option: string, value: string): readonly string[] =>
  value === "" ? [] : [`--${option}=${value}`];
