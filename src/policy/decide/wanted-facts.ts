import type { ContextName } from "../../report/model/context.ts";
import type { LoadedPolicy } from "../model/loaded-policy.ts";
import { type CommentSection, chooseReportOptions, type FactName, type Limit } from "../model/policy.ts";

/** The context facts to read: those that a rule needs or a section of the comment shows. */
export interface WantedFacts {
  /** The verdict waits for these. */
  readonly required: readonly ContextName[];
  /** These are shown in addition, if they arrive soon. */
  readonly shown: readonly ContextName[];
  /** Whether the comment names the attributes that change. */
  readonly attributes: boolean;
  /** Whether a rule reads attributes of rows, and whether the policy names tags. */
  readonly needsAttributes: boolean;
  readonly needsTags: boolean;
}

const CONTEXT_BY_FACT: { readonly [name in FactName]?: ContextName } = {
  savings: "savings",
  anomalies: "anomalies",
  anomaly_cost: "anomalies",
  governance: "governance",
  unit_costs: "unitCosts",
  governance_prompts: "prompts",
  lifetimes: "schedules",
};

const CONTEXT_BY_LIMIT: { readonly [kind in Limit["kind"]]?: ContextName } = {
  "missed-savings": "savings",
  anomalies: "anomalies",
  "anomaly-cost": "anomalies",
  "governance-failures": "governance",
  "unit-cost": "unitCosts",
};

const SECTION_BY_CONTEXT: { readonly [name in ContextName]: CommentSection } = {
  schedules: "context",
  savings: "savings",
  anomalies: "context",
  governance: "context",
  unitCosts: "context",
  prompts: "context",
};
const NAMES = Object.keys(SECTION_BY_CONTEXT) as readonly ContextName[]; // its own keys

/** An unreadable policy selects no sections; the comment reports it first. */
export function selectWantedFacts(policy: LoadedPolicy): WantedFacts {
  if (policy.state === "invalid" || policy.state === "unreadable")
    return { required: [], shown: [], attributes: false, needsAttributes: false, needsTags: false };
  const { rules, sections } =
    policy.state === "found"
      ? { rules: policy.policy.rules, sections: policy.policy.comment.sections }
      : { rules: [], sections: null };
  const needed = new Set(rules.flatMap(({ limit }) => listNeeds(limit)));
  const shows = (section: CommentSection) => sections === null || sections.includes(section);
  return {
    required: NAMES.filter((name) => needed.has(name)),
    shown: NAMES.filter((name) => !needed.has(name) && shows(SECTION_BY_CONTEXT[name])),
    attributes: shows("changes") || shows("resources"),
    needsAttributes: rules.some(({ limit }) => readsFact(limit, "attributes")),
    needsTags:
      rules.some(({ limit }) => readsFact(limit, "tags")) ||
      (policy.state === "found" && chooseReportOptions(policy.policy).tagKeys.length > 0),
  };
}

/** Whether a condition reads a fact. */
export const readsFact = (limit: Limit, fact: FactName): boolean =>
  limit.kind === "when" && limit.needs.includes(fact);

function listNeeds(limit: Limit): readonly ContextName[] {
  if (limit.kind === "when") return limit.needs.flatMap((need) => CONTEXT_BY_FACT[need] ?? []);
  const context = CONTEXT_BY_LIMIT[limit.kind];
  return context === undefined ? [] : [context];
}
