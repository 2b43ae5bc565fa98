import type { PolicyText } from "../../policy/file/parse.ts";
import { readText } from "../input-file.ts";

/** The text of a policy file named on the command line; null: none is named. */
export const policyText = async (path: string | null): Promise<PolicyText | null> =>
  path === null ? null : { file: path === "-" ? "standard input" : path, text: await readText(path) };
