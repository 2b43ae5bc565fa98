import type { InstallationClient } from "../../github/client/installation-client.ts";
import type { HeadState } from "../../github/head/head-state.ts";
import { selectWantedFacts } from "../../policy/decide/wanted-facts.ts";
import type { LoadedPolicy } from "../../policy/model/loaded-policy.ts";
import type { StageFacts } from "../../report/model/facts.ts";
import type { PullFacts } from "../../report/model/pull-facts.ts";
import type { JobDeps } from "../run/deps.ts";
import { computeContextGrant } from "./context/grant.ts";
import { buildContextFacts, type ContextQuery, readContext } from "./context/read-context.ts";
import { readShownFacts } from "./context/read-shown-facts.ts";
import { findStages } from "./executions/find-stages.ts";
import type { Grantee } from "./platform/grants.ts";
import { readStages, toStageRef } from "./stages.ts";

/** The facts of a head. */
export interface HeadFacts {
  /** The facts that the verdict depends on. */
  readonly facts: PullFacts;
  /** The facts including those that are only shown; settles within seconds. Null: there are none of these. */
  readonly shownFacts: Promise<PullFacts> | null;
}

/** Finds the executions that belong to this head and reads the facts that the policy wants. */
export async function readFacts(
  deps: JobDeps,
  client: InstallationClient,
  { head, policy }: { readonly head: HeadState; readonly policy: LoadedPolicy },
): Promise<HeadFacts> {
  const grantee = buildGrantee(head, policy);
  const { selected, placeholders, refused } = await findStages(deps, client, { head, grantee });
  const wanted = selectWantedFacts(policy);
  const stages = readStages(deps, selected).then((read) => [...read, ...placeholders].sort(byName));
  const ended = selected.filter(({ stage }) => stage.status !== "pending");
  const query: ContextQuery = {
    grant: computeContextGrant(deps.operator, grantee),
    refs: ended.map(({ stage }) => toStageRef(stage)),
    stages,
    hasRefused: refused.length > 0,
  };
  const [read, context] = await Promise.all([
    stages,
    ended.length === 0 ? {} : readContext(deps.platform, wanted.required, { query, tools: deps }),
  ]);
  const facts: PullFacts = { stages: read, refused, context: buildContextFacts(context) };
  return { facts, shownFacts: ended.length === 0 ? null : readShownFacts(deps, { facts, query, wanted }) };
}

function buildGrantee({ repository }: HeadState, policy: LoadedPolicy): Grantee {
  return {
    ownerId: repository.ownerId,
    repositoryId: repository.id,
    owner: repository.owner,
    name: repository.name,
    restriction: policy.state === "found" ? policy.policy.platform : { org: null, project: null },
  };
}

function byName(a: StageFacts, b: StageFacts): number {
  const key = ({ org, project, workspace }: StageFacts) => `${org}/${project}/${workspace}`;
  return key(a) < key(b) ? -1 : 1;
}
