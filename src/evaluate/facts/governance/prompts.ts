import type { PlatformClient } from "../../../platform/client.ts";
import { governance } from "../../../platform/contract/governance.ts";
import type { GovernancePrompt } from "../../../report/model/context.ts";
import type { ChangeKind, Fact, StageFacts, UnknownReason } from "../../../report/model/facts.ts";
import { toUnknownReason, unknown } from "../platform/platform-facts.ts";
import { findDoubt } from "../rows/row-doubt.ts";
import { type Cloud, findCloud, isGovernedAs } from "./governed-types.ts";

/** Most resource types for which rules are read: one call each. */
const MAX_ASKED = 20;
/** Changes after which the resource exists: only then a rule can apply. */
const REMAINING_CHANGES: readonly ChangeKind[] = ["added", "changed", "replaced", "imported"];

interface PromptQuery {
  readonly clouds: readonly Cloud[];
  /** Stages whose facts are read at the same time. */
  readonly stages: Promise<readonly StageFacts[]>;
}

/**
 * Reads the rules that governance suggests for the resource types that a pull request changes, in the clouds
 * that the repository may see.
 */
export async function readPrompts(
  platform: PlatformClient,
  { clouds, stages }: PromptQuery,
): Promise<Fact<readonly GovernancePrompt[]>> {
  const [touched, ...listed] = await Promise.all([
    stages.then(selectTouchedTypes),
    ...clouds.map(async (cloud) => ({
      cloud,
      answer: await platform.call(governance.listPromptResources, { query: { cloudProvider: cloud } }),
    })),
  ]);
  if (typeof touched === "string") return unknown(touched);
  const governed: GovernedType[] = [];
  for (const { cloud, answer } of listed) {
    if (!answer.ok) return unknown(toUnknownReason(answer.failure));
    governed.push(...selectGovernedTypes(cloud, answer.value.data, touched));
  }
  return governed.length > MAX_ASKED ? unknown("too_large") : readSuggestedPrompts(platform, governed);
}

/** A resource type by governance's name, and the changed Terraform types that it matches. */
interface GovernedType {
  readonly cloud: Cloud;
  readonly resource: string;
  readonly types: readonly string[];
}

function selectGovernedTypes(
  cloud: Cloud,
  resources: readonly string[],
  touched: ReadonlySet<string>,
): readonly GovernedType[] {
  const own = [...touched].filter((type) => findCloud(type) === cloud).sort();
  return [...new Set(resources)]
    .map((resource) => ({ cloud, resource, types: own.filter((type) => isGovernedAs(type, resource)) }))
    .filter(({ types }) => types.length > 0);
}

async function readSuggestedPrompts(
  platform: PlatformClient,
  governed: readonly GovernedType[],
): Promise<Fact<readonly GovernancePrompt[]>> {
  const read = await Promise.all(
    governed.map(async ({ cloud: cloudProvider, resource, types }) => {
      const query = { cloudProvider, resourceType: resource };
      const answer = await platform.call(governance.listPromptRules, { query });
      if (!answer.ok) return toUnknownReason(answer.failure);
      const descriptions = answer.value.data.map(({ description }) => description.trim());
      return [...new Set(descriptions)]
        .filter((description) => description !== "")
        .map((description): GovernancePrompt => ({ description, resource, types }));
    }),
  );
  const failed = read.find((one) => typeof one === "string");
  if (failed !== undefined) return unknown(failed);
  return { state: "known", value: read.flatMap((one) => (typeof one === "string" ? [] : one)) };
}

/**
 * Returns the changed types of resources that exist after the merge; a text: the reason why they are unknown.
 */
function selectTouchedTypes(stages: readonly StageFacts[]): ReadonlySet<string> | UnknownReason {
  const doubt = stages.length === 0 ? "not_read" : stages.map(findDoubt).find((because) => because !== null);
  if (doubt !== undefined && doubt !== null) return doubt;
  const rows = stages.flatMap((stage) => (stage.rows.state === "known" ? stage.rows.value.rows : []));
  return new Set(rows.filter(({ change }) => REMAINING_CHANGES.includes(change)).map(({ type }) => type));
}
