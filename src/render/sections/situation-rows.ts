import type { MissingExecution, Situation, StackedBelow } from "../../policy/model/situation.ts";
import type { ContextName } from "../../report/model/context.ts";
import type { UnknownReason } from "../../report/model/facts.ts";
import { formatLink, formatName, formatSentence, type Inline } from "../escape.ts";
import { formatCount } from "../format.ts";
import { findExecutionAddress, findLineAddress } from "./resources.ts";
import type { Section, Subject } from "./section.ts";

interface SituationRow {
  /** The subject of the row; null: an execution of any workspace. */
  readonly what: Inline | null;
  /** A pull request as `#41`; null: the row is about something else. */
  readonly pull: string | null;
  readonly state:
    | MissingExecution["state"]
    | StackedBelow["state"]
    | "fact"
    | "problem"
    | "unreadable"
    | "lost";
  /** Why an execution could not be read. */
  readonly reason: UnknownReason | null;
  /** A context fact that is read again. */
  readonly fact: ContextName | null;
  readonly line: Inline | null;
  readonly column: Inline | null;
  readonly path: Inline | null;
  readonly message: Inline | null;
}

const MAX_ROWS = 20;
const EMPTY_ROW = {
  what: null,
  pull: null,
  fact: null,
  reason: null,
  line: null,
  column: null,
  path: null,
  message: null,
};

/**
 * The section about the single items of a situation: awaited executions, problems of a policy file,
 * unreadable stages.
 */
export function buildSituationRowsSection(subject: Subject): Section {
  const { situation } = subject.evaluation;
  const all = countSituationRows(situation);
  return {
    template: "situation-rows",
    rows: Math.min(MAX_ROWS, all),
    isRequired: false,
    view: (rows) => {
      if (all === 0) return null;
      const visible = buildSituationRows(subject, Math.max(0, rows));
      return { rows: visible, more: all - visible.length };
    },
  };
}

export function countSituationRows(situation: Situation): number {
  if ("missing" in situation) return situation.missing.length + listUnreadFacts(situation).length;
  if ("problems" in situation) return situation.problems.length;
  if ("executions" in situation) return situation.executions.length;
  if ("below" in situation) return situation.below.length;
  return "workspaces" in situation ? situation.workspaces.length : 0;
}

/** The context facts that are read again. */
export const listUnreadFacts = (situation: Situation): readonly ContextName[] =>
  situation.kind === "waiting" ? (situation.unread ?? []) : [];

function buildSituationRows(subject: Subject, rows: number): SituationRow[] {
  const { situation } = subject.evaluation;
  if ("missing" in situation) {
    const runs = situation.missing.map(
      ({ workspace, state }): SituationRow => ({
        ...EMPTY_ROW,
        what: workspace === null ? null : formatName(workspace),
        state,
      }),
    );
    const facts = listUnreadFacts(situation).map(
      (fact): SituationRow => ({ ...EMPTY_ROW, state: "fact", fact }),
    );
    return [...runs, ...facts].slice(0, rows);
  }
  if ("problems" in situation) {
    return situation.problems.slice(0, rows).map(({ file, line, column, path, message }) => ({
      ...EMPTY_ROW,
      what: formatLink(formatName(file), findLineAddress(subject, { file, line })),
      state: "problem",
      line: formatCount(line),
      column: formatCount(column),
      path: path === "" ? null : formatName(path),
      message: formatSentence(message),
    }));
  }
  if ("executions" in situation)
    return situation.executions.slice(0, rows).map(({ executionId, reason }) => {
      const what = formatLink(formatName(executionId), findExecutionAddress(subject, executionId));
      return { ...EMPTY_ROW, what, state: "lost", reason };
    });
  if ("below" in situation)
    return situation.below
      .slice(0, rows)
      .map(({ number, state }) => ({ ...EMPTY_ROW, pull: `#${number}`, state }));
  if (!("workspaces" in situation)) return [];
  return situation.workspaces
    .slice(0, rows)
    .map((workspace) => ({ ...EMPTY_ROW, what: formatName(workspace), state: "unreadable" }));
}
