import { type Decimal, decimal, sum } from "../../../src/kernel/money.ts";
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
}

const EFFECTS: Readonly<Record<string, string>> = { violatedblock: "blocked", violatedwarn: "warned" };

function describeFinding({ outcome, enforce, approved, waiver }: Finding): string {
  if (outcome === "violated" && waiver !== null) return "waived";
  if (outcome === "violated" && approved) return "approved";
  return outcome === "violated" ? (EFFECTS[outcome + enforce] ?? "") : outcome;
}

/** Notes what a verdict says of each rule, the removed ones included. */
export function noteEvaluation(notes: Map<string, Note>, evaluation: Evaluation): void {
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
  note.open = effect === "blocked" || effect === "undecided";
  const hadBlocked = note.seen.has("blocked") || note.seen.has("undecided");
  if (note.open || !hadBlocked) note.resolution = null;
  else if (note.resolution === null || note.resolution === "closed")
    note.resolution = effect === "approved" || effect === "waived" ? effect : "changed";
}

export function noteEnd(notes: Map<string, Note>, as: string): void {
  for (const note of notes.values()) if (note.open) Object.assign(note, { open: false, resolution: as });
}

function countNotes(rule: string, notes: readonly Note[]) {
  const seen = (effect: string) => notes.filter((note) => note.seen.has(effect)).length;
  const ended = (...ways: readonly string[]) =>
    notes.filter(({ resolution }) => resolution !== null && ways.includes(resolution)).length;
  const blocked = notes.filter((note) => note.seen.has("blocked"));
  return {
    rule,
    pulls: notes.length,
    evaluations: notes.reduce((total, note) => total + note.evaluations, 0),
    violated: seen("violated"),
    blocked: blocked.length,
    undecided: seen("undecided"),
    approved: seen("approved"),
    waived: seen("waived"),
    overridden: ended("merged"),
    changed: ended("changed", "removed"),
    abandoned: ended("closed"),
    open: notes.filter(({ open }) => open).length,
    concerned: addUp(blocked.flatMap(({ lastViolated }) => (lastViolated === null ? [] : [lastViolated]))),
  };
}

/** The statistics of each rule, from the notes about it on each pull request. */
export function countAll(pulls: Iterable<ReadonlyMap<string, Note>>) {
  const all = [...pulls].flatMap((notes) => [...notes]);
  return [...Map.groupBy(all, ([rule]) => rule)].map(([rule, own]) =>
    countNotes(
      rule,
      own.map(([, note]) => note),
    ),
  );
}
