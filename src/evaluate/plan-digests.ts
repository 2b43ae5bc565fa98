import { createHash } from "node:crypto";
import { canonicalJson } from "../kernel/canonical-json.ts";
import type { WorkspacePlan } from "../policy/model/apply.ts";

/** What identifies a plan: SHA-256 in hex. `amounts`: null where its amounts are hidden or not known. */
export interface PlanDigests {
  readonly workspace: string;
  readonly actions: string;
  readonly amounts: string | null;
}

/** Returns the digests of a plan, equal for equal plans in whichever order their changes are; null: it is incomplete, so nothing is equal to it. */
export function computePlanDigests({
  workspace,
  changes,
  cost,
  isComplete,
}: WorkspacePlan): PlanDigests | null {
  if (!isComplete) return null;
  const actions = listTexts(changes.map(({ address, action }) => [address, action]));
  const amounts = listTexts(changes.map(({ address, before, after }) => [address, before, after]));
  return {
    workspace,
    actions: computeSha256({ workspace, actions }),
    amounts: cost.state === "known" ? computeSha256({ workspace, actions, amounts, cost }) : null,
  };
}

const listTexts = (values: readonly unknown[]): readonly string[] =>
  [...new Set(values.map((value) => JSON.stringify(value)))].sort();

const computeSha256 = (value: object): string =>
  createHash("sha256").update(canonicalJson(value)).digest("hex");

/** Most digests, and most characters of them, that a check states: its text has room for 65,535 bytes. */
const MAX_PLANS = 100;
const MAX_LENGTH = 20_000;
const BEGIN = "<!-- tollgate-plans v1";
const END = "-->";

/**
 * Formats the digests of the plans that a check let pass, as an invisible comment of its text; empty: there are none. Names are
 * percent-encoded, so they cannot end the comment. Plans beyond the limits are left out: they have no digest then.
 */
export function formatPlanDigests(plans: readonly WorkspacePlan[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const plan of plans) {
    const digests = computePlanDigests(plan);
    if (digests === null || lines.length === MAX_PLANS) continue;
    const line = `${encodeURIComponent(digests.workspace.toWellFormed())} ${digests.actions} ${digests.amounts ?? "-"}`;
    length += line.length + 1;
    if (length <= MAX_LENGTH) lines.push(line);
  }
  return lines.length === 0 ? "" : [BEGIN, ...lines, END].join("\n");
}

const COMMENT = new RegExp(`^${BEGIN}\\n((?:\\S+ [0-9a-f]{64} (?:[0-9a-f]{64}|-)\\n)+)${END}$`, "gm");

/** Reads the digests that the text of a check states. Null: it states none, or more than one list, so that none can be relied on. */
export function parsePlanDigests(text: string): readonly PlanDigests[] | null {
  const [found, ...others] = [...text.replaceAll("\r\n", "\n").matchAll(COMMENT)];
  if (found?.[1] === undefined || others.length > 0) return null;
  return found[1]
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [name = "", actions = "", amounts = ""] = line.split(" ");
      const workspace = decodeWorkspace(name);
      return workspace === null ? [] : [{ workspace, actions, amounts: amounts === "-" ? null : amounts }];
    });
}

/** Null: the text is not what `formatPlanDigests` writes. */
function decodeWorkspace(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
