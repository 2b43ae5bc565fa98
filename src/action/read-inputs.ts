import { parse, YAMLError } from "yaml";
import { z } from "zod";
import { TollgateError } from "../kernel/errors.ts";
import { PARSE_OPTIONS } from "../kernel/parse-options.ts";
import type { Environment } from "../settings/read.ts";

/** The files of one workspace. */
export interface Stack {
  readonly workspace: string;
  readonly plan?: string | undefined;
  readonly infracost?: string | undefined;
}

/** The inputs of the Action, as action.yml describes them. Empty texts: not set. */
export interface ActionInputs {
  readonly mode: "check" | "send";
  readonly stacks: readonly Stack[];
  readonly pullRequest: string;
  readonly sha: string;
  readonly organisationPolicy: string;
  readonly hasPublicFigures: boolean;
  readonly token: string;
  readonly url: string;
  readonly workingDirectory: string;
}

const Stacks = z
  .array(
    z.strictObject({
      workspace: z.string().min(1),
      plan: z.string().optional(),
      infracost: z.string().optional(),
    }),
  )
  .min(1);

/**
 * Reads the inputs by the runner's convention: `INPUT_` and the name in capitals.
 *
 * @throws TollgateError `usage`
 */
export function readInputs(environment: Environment): ActionInputs {
  const get = (name: string): string => (environment[`INPUT_${name.toUpperCase()}`] ?? "").trim();
  const mode = get("mode") || "check";
  if (mode !== "check" && mode !== "send")
    throw createInputError("mode", `is ${JSON.stringify(mode)}, must be check or send`);
  if (mode === "check" && Number(get("job-total") || "1") > 1) throw createMatrixError();
  return {
    mode,
    stacks: readStacks(get),
    pullRequest: get("pull-request"),
    sha: get("sha"),
    organisationPolicy: get("organisation-policy"),
    hasPublicFigures: readFlag("public-figures", get("public-figures")),
    token: get("github-token"),
    url: get("url"),
    workingDirectory: get("working-directory") || ".",
  };
}

function readFlag(name: string, text: string): boolean {
  if (/^(true|false)?$/i.test(text)) return text.toLowerCase() === "true";
  throw createInputError(name, `is ${JSON.stringify(text)}, must be true or false`);
}

function readStacks(get: (name: string) => string): readonly Stack[] {
  const text = get("stacks");
  const single = { plan: get("plan") || undefined, infracost: get("infracost") || undefined };
  if (text === "") return [{ workspace: get("workspace") || "default", ...single }];
  if (single.plan !== undefined || single.infracost !== undefined)
    throw createInputError("stacks", "does not go with plan and infracost: write their files into the list");
  const parsed = Stacks.safeParse(parseYaml(text), PARSE_OPTIONS);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw createInputError("stacks", `${issue?.path.join(".") || "the list"}: ${issue?.message}`);
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof YAMLError)
      throw createInputError("stacks", `is no YAML: ${error.message.split("\n")[0]}`);
    throw error;
  }
}

const createInputError = (input: string, problem: string): TollgateError =>
  new TollgateError("usage", `with.${input}: ${problem}`, {
    hint: "docs/ci/README.md describes the inputs, with complete workflows.",
  });

/** Each job of a matrix would write the verdict on its own workspace over that of the others. */
const createMatrixError = (): TollgateError =>
  new TollgateError(
    "usage",
    "mode check in a matrix: the verdict is about all workspaces, and this job has one of them",
    {
      hint: "Let the matrix upload its files, and evaluate them in one job after it: docs/ci/matrix.md.",
    },
  );
