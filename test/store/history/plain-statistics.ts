import { type Decimal, decimal, minus, sum } from "../../../src/kernel/money.ts";
import type { Evaluation } from "../../../src/policy/model/evaluation.ts";
import type { Finding } from "../../../src/policy/model/finding.ts";
import { storedEvaluation } from "../../../src/store/json/stored-values.ts";
import type { Database } from "../../../src/wiring/database/schema.ts";

/** Every stored evaluation of a repository, by its head, from its JSON alone. */
export async function readStored(
  db: Database["db"],
  repositoryId: number,
): Promise<ReadonlyMap<string, Evaluation>> {
  const newest = await db
    .selectFrom("evaluations")
    .select("evaluation")
    .where("repository_id", "=", repositoryId)
    .execute();
  const past = await db
    .selectFrom("past_evaluations")
    .select("evaluation")
    .where("repository_id", "=", repositoryId)
    .execute();
  const all = [...newest, ...past].map(({ evaluation }) => storedEvaluation.require(evaluation, ""));
  return new Map(all.map((one) => [one.pull.headSha, one]));
}

/** The known monthly changes of an evaluation whose figures may be shown. */
const listChanges = ({ pull, report }: Evaluation) =>
  pull.figures
    ? report.totals.flatMap(({ state, change, currency }) =>
        state === "known" && change !== null ? [{ currency, change }] : [],
      )
    : [];

/** The sums that a person would make of these evaluations, one per currency. */
export function addUp(evaluations: readonly Evaluation[]) {
  const changes = evaluations.flatMap(listChanges);
  return [...Map.groupBy(changes, ({ currency }) => currency)]
    .map(([currency, own]) => ({
      currency,
      change: sum(own.map((one): Decimal => decimal(one.change))),
      pulls: own.length,
    }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

/** What happened to one rule of one pull request, as a person would note it down. */
export interface Note {
  evaluations: number;
  readonly seen: Set<string>;
  open: boolean;
  resolution: string | null;
  lastViolated: Evaluation | null;
  /** The evaluations in which it blocked. */
  readonly blockedIn: Evaluation[];
}

/** What a person notes down about one pull request. */
export interface PullNotes {
  readonly rules: Map<string, Note>;
  state: "open" | "merged" | "closed";
  /** What was merged first; null: nothing was. */
  merged: Evaluation | null;
}

const EFFECTS: Readonly<Record<string, string>> = { violatedblock: "blocked", violatedwarn: "warned" };

function describeFinding({ outcome, enforce, approved, waiver }: Finding): string {
  if (outcome === "violated" && waiver !== null) return "waived";
  if (outcome === "violated" && approved) return "approved";
  return outcome === "violated" ? (EFFECTS[outcome + enforce] ?? "") : outcome;
}

/** Notes what a verdict says of each rule, the removed ones included. */
export function noteEvaluation(pull: PullNotes, evaluation: Evaluation): void {
  pull.state = "open";
  const notes = pull.rules;
  const { situation } = evaluation;
  const findings = situation.kind === "evaluated" ? situation.verdict.findings : [];
  for (const [rule, note] of notes)
    if (note.open && !findings.some((one) => one.rule === rule))
      Object.assign(note, { open: false, resolution: "removed" });
  for (const one of findings) {
    const fresh = {
      evaluations: 0,
      seen: new Set<string>(),
      open: false,
      resolution: null,
      lastViolated: null,
      blockedIn: [],
    };
    const note: Note = notes.get(one.rule) ?? fresh;
    notes.set(one.rule, note);
    noteFinding(note, one, evaluation);
  }
}

function noteFinding(note: Note, finding: Finding, evaluation: Evaluation): void {
  const effect = describeFinding(finding);
  note.evaluations += 1;
  note.seen.add(effect);
  if (finding.outcome === "violated") {
    note.lastViolated = evaluation;
    note.seen.add("violated");
  }
  if (effect === "blocked") note.blockedIn.push(evaluation);
  note.open = effect === "blocked" || effect === "undecided";
  const hadBlocked = note.seen.has("blocked") || note.seen.has("undecided");
  if (note.open || !hadBlocked) note.resolution = null;
  else if (note.resolution === null || note.resolution === "closed")
    note.resolution = effect === "approved" || effect === "waived" ? effect : "changed";
}

export function noteEnd(pull: PullNotes, as: "merged" | "closed", newest: Evaluation | null): void {
  pull.state = as;
  if (as === "merged") pull.merged ??= newest;
  for (const note of pull.rules.values()) if (note.open) Object.assign(note, { open: false, resolution: as });
}

function countNotes(rule: string, notes: readonly Note[]) {
  const seen = (effect: string) => notes.filter((note) => note.seen.has(effect)).length;
  const blocked = notes.filter((note) => note.seen.has("blocked"));
  return {
    rule,
    pulls: notes.length,
    evaluations: notes.reduce((total, note) => total + note.evaluations, 0),
    violated: seen("violated"),
    blocked: blocked.length,
    warned: seen("warned"),
    undecided: seen("undecided"),
    approved: seen("approved"),
    waived: seen("waived"),
    overridden: notes.filter(({ resolution }) => resolution === "merged").length,
    open: notes.filter(({ open }) => open).length,
  };
}

/** What rules prevented on these pull requests; null: all rules together. */
export function countPrevented(rule: string | null, pulls: readonly PullNotes[]) {
  const parts = pulls.flatMap((pull) => {
    const own = [...pull.rules].flatMap(([name, { blockedIn }]) =>
      rule === null || rule === name ? blockedIn : [],
    );
    return pull.state === "open" || own.length === 0 ? [] : [comparePull(pull, own)];
  });
  const found = parts.flatMap(({ differences }) => differences);
  const amounts = [...Map.groupBy(found, ({ currency }) => currency)]
    .map(([currency, own]) => ({ currency, change: sum(own.map(({ change }) => change)), pulls: own.length }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return { amounts, unknown: parts.filter(({ isUnknown }) => isUnknown).length, hidden: 0 };
}

const isIncomplete = ({ pull, report }: Evaluation): boolean =>
  !pull.figures || [...report.stages, ...report.totals].some(({ state }) => state !== "known");

/** By how much each currency was more while it was blocked than what was merged. */
function comparePull({ state, merged }: PullNotes, blockedIn: readonly Evaluation[]) {
  const stages = state === "merged" ? (merged?.report.stages ?? []) : [];
  if (stages.some((one) => one.state !== "known")) return { isUnknown: true, differences: [] };
  const changes = blockedIn.flatMap(({ pull, report }) => (pull.figures ? report.totals : []));
  const differences = [...Map.groupBy(changes, ({ currency }) => currency)].flatMap(([currency, own]) => {
    const [largest] = own.flatMap(({ change }) => change ?? []).sort((a, b) => Number(b) - Number(a));
    const rest = sum(stages.flatMap((one) => (one.currency === currency ? (one.change ?? []) : [])));
    const isMore = largest !== undefined && Number(largest) > Number(rest);
    return isMore ? [{ currency, change: minus(largest, rest) }] : [];
  });
  return { isUnknown: blockedIn.some(isIncomplete), differences };
}

/** The statistics of each rule, from the notes about it on each pull request. */
export function countAll(pulls: readonly PullNotes[]) {
  const all = pulls.flatMap(({ rules }) => [...rules]);
  return [...Map.groupBy(all, ([rule]) => rule)].map(([rule, own]) => ({
    ...countNotes(
      rule,
      own.map(([, note]) => note),
    ),
    prevented: countPrevented(rule, pulls),
  }));
}
