import { DECISION_KINDS, type DecisionFilter } from "../../../store/audit/decisions.ts";
import type { Query } from "../../page/address.ts";

/** The filters of a query as the form shows them; empty: no condition. */
export interface DecisionForm {
  readonly kind: string;
  readonly person: string;
  readonly rule: string;
  readonly pull: string;
  /** Days as `2026-11-23`, in UTC. Both are included. */
  readonly from: string;
  readonly to: string;
}

/** Longest text that is searched, in characters. */
const MAX_TEXT = 200;
const DAY_MS = 86_400_000;

/** Reads the filters of a query. What is no filter is left out, also from the form. */
export function readDecisionForm(query: Query): DecisionForm {
  const text = (name: string): string => (query[name] ?? "").trim().slice(0, MAX_TEXT);
  const kind = DECISION_KINDS.find((known) => known === query["kind"]) ?? "";
  const pull = /^#?([1-9]\d{0,8})$/.exec(text("pull"))?.[1] ?? "";
  const day = (name: string): string => (readDay(text(name)) === null ? "" : text(name));
  return {
    kind,
    person: text("person").replace(/^@/, ""),
    rule: text("rule"),
    pull,
    from: day("from"),
    to: day("to"),
  };
}

const LABELS: Readonly<Record<keyof DecisionForm, string>> = {
  kind: "Kind",
  person: "Person",
  rule: "Rule",
  pull: "Pull request",
  from: "From",
  to: "To",
};

/** Returns the labels of the filters that the query has and that were left out of the form, because they are none. */
export const listIgnoredFilters = (query: Query, form: DecisionForm): readonly string[] =>
  Object.entries(LABELS).flatMap(([name, label]) => {
    const isIgnored = (query[name] ?? "").trim() !== "" && form[name as keyof DecisionForm] === ""; // keys of LABELS
    return isIgnored ? [label] : [];
  });

/** Returns the conditions of a form. */
export function toDecisionFilter(
  { kind, person, rule, pull, from, to }: DecisionForm,
  repositoryIds: readonly number[],
): DecisionFilter {
  const lastDay = readDay(to);
  return {
    repositoryIds,
    kind: DECISION_KINDS.find((known) => known === kind) ?? null,
    person: person || null,
    rule: rule || null,
    number: pull === "" ? null : Number(pull),
    fromMs: readDay(from),
    toMs: lastDay === null ? null : lastDay + DAY_MS,
  };
}

/** Returns the start of a day in UTC, in ms since 1970; null: it is no day that a database surely knows. */
function readDay(text: string): number | null {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** Reads `before` of a query: the id of a decision; null: the newest come first. */
export const readBefore = (text: string | undefined): string | null =>
  text !== undefined && /^[0-9a-f-]{36}$/.test(text) ? text : null;
