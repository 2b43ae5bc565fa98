import { readObjectors } from "../github/people/objectors.ts";
import {
  allowsObjections,
  findObjection,
  type Objections,
  selectObjectionRules,
} from "../policy/approvals/apply-objections.ts";
import type { RuleFindings } from "../policy/approvals/lapse.ts";
import type { Objection } from "../policy/model/finding.ts";
import type { LoadedPolicy } from "../policy/model/loaded-policy.ts";
import { listApproverGroups, readPersonRights } from "./consent-rights.ts";
import type { CurrentHead } from "./run/deps.ts";

/** People whose newest review requests changes; null: more than are read may do so. */
export type Objectors = Awaited<ReturnType<typeof readObjectors>>;

/**
 * Reads who requests changes, where a rule lets that hold the check; nobody requests changes to their own pull request.
 *
 * @throws GitHubError
 */
export async function readPullObjectors(
  { client, key, head }: CurrentHead,
  policy: LoadedPolicy,
): Promise<Objectors> {
  if (policy.state !== "found" || !policy.policy.rules.some(allowsObjections)) return [];
  const { owner, name } = head.repository;
  const objectors = await readObjectors(client, { owner, name, ...key });
  return objectors?.filter(({ id }) => id !== head.pull.author?.id) ?? null;
}

/**
 * Finds who objects to which rule: everybody who requests changes and may approve it now, as GitHub says, also who worked on the pull request.
 * Where GitHub does not answer about somebody, they object.
 *
 * @throws GitHubError while GitHub asks us to wait
 */
export async function findObjections(
  current: CurrentHead,
  { rules, findings }: Pick<RuleFindings, "rules" | "findings">,
  objectors: Objectors,
): Promise<Objections> {
  const objectable = selectObjectionRules(rules, findings);
  if (objectable.length === 0 || objectors?.length === 0) return new Map();
  if (objectors === null) return new Map(objectable.map(({ id }) => [id, [{ by: null }]]));
  const found = new Map<string, Objection[]>();
  for (const by of objectors) {
    const rights = await readPersonRights(current, by, listApproverGroups(objectable));
    if (rights === "denied") continue;
    for (const rule of objectable) {
      const objection = findObjection(rule, by, rights === "unknown" ? () => "unclear" : rights);
      if (objection !== null) found.set(rule.id, [...(found.get(rule.id) ?? []), objection]);
    }
  }
  return found;
}
