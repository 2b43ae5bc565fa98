import { systemClock } from "../../kernel/clock.ts";
import { oneLine } from "../../kernel/terminal-text.ts";
import type { Evaluation } from "../../policy/model/evaluation.ts";
import { createRenderer } from "../../render/renderer.ts";
import { withPolicyThread } from "../../wiring/evaluation/policy-tasks.ts";
import { previewJson } from "../../wiring/preview/json.ts";
import { preview } from "../../wiring/preview/preview.ts";
import { loadTemplates } from "../../wiring/process/templates.ts";
import { wrong } from "../arguments.ts";
import type { Command, CommandArguments, ExitCode, Output } from "../command.ts";
import { readText } from "../input-file.ts";
import { LOCAL_FILES, LOCAL_PULL, LOCAL_PULL_DETAILS, localPull } from "../local-pull.ts";
import { problemLines } from "../policy/problem-lines.ts";

const FORMATS = ["comment", "check", "json"] as const;

export const previewCommand: Command = {
  options: {
    ...LOCAL_FILES,
    policy: { value: "FILE", about: "a policy file to judge by, such as .github/tollgate.yml" },
    ...LOCAL_PULL,
    format: { value: "FORMAT", choices: FORMATS, about: "what to print (comment)" },
    json: { about: "the same as --format json" },
  },
  details: [
    "Needs no server, no network and no credentials.",
    LOCAL_PULL_DETAILS,
    "Exits 0 when the policy passes or warns, or when there is none; 1 when it blocks; 2 when a file cannot be read; 3 when a " +
      "rule cannot be judged.",
  ],
  run: runPreview,
};

async function runPreview(given: CommandArguments, output: Output): Promise<ExitCode> {
  if (!given.has("infracost") && !given.has("plan"))
    throw wrong("preview", "There is nothing to preview: give --infracost FILE, --plan FILE or both.");
  const local = localPull("preview", given);
  const policy = given.value("policy");
  const input = {
    ...local,
    policy: policy === null ? null : { file: policy, text: await readText(policy) },
    nowMs: systemClock.now(),
  };
  const previewed = await withPolicyThread((perform) => preview(input, perform));
  if (previewed.state === "policy_invalid") {
    for (const line of problemLines(previewed.problems)) output.message(line);
    return 2;
  }
  for (const note of previewed.notes) output.message(`note: ${note}`);
  const { evaluation } = previewed;
  output.result(PRINTED[given.has("json") ? "json" : formatOf(given)](evaluation));
  return exitCodeOf(evaluation);
}

type Format = (typeof FORMATS)[number];

function formatOf(given: CommandArguments): Format {
  return FORMATS.find((format) => format === given.value("format")) ?? "comment";
}

const LINKS = { details: null, recheckHint: false };

const PRINTED: { readonly [F in Format]: (evaluation: Evaluation) => string } = {
  json: (evaluation) => JSON.stringify(previewJson(evaluation), null, 2),
  comment: (evaluation) => createRenderer(loadTemplates()).comment(evaluation, LINKS),
  check: (evaluation) => {
    const { title, summary, text } = createRenderer(loadTemplates()).check(evaluation, LINKS);
    return [oneLine(`${evaluation.checkName}  ${outcomeOf(evaluation)}`), title, summary, text]
      .filter((part) => part)
      .join("\n\n");
  },
};

function outcomeOf({ check }: Evaluation): string {
  return check.status === "completed" ? check.conclusion : "no check without a policy";
}

function exitCodeOf({ situation }: Evaluation): ExitCode {
  if (situation.kind !== "judged") return 0;
  return EXIT_CODES[situation.verdict.kind];
}

const EXIT_CODES = { pass: 0, warn: 0, block: 1, undecided: 3 } as const;
