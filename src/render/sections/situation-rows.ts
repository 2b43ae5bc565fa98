import type { Situation } from "../../policy/model/situation.ts";
import type { ContextName } from "../../report/model/context.ts";
import { findExecutionAddress, findLineAddress } from "../addresses.ts";
import { formatLink, formatName, formatSentence } from "../escape.ts";
import { formatCount, shortenId } from "../format.ts";
import type { Section, SectionSource } from "./section.ts";

const MAX_ROWS = 20;

/** The section about the single items of a situation: awaited executions, problems of a policy file, unreadable stages. */
export function buildSituationRowsSection(source: SectionSource): Section {
  const all = countSituationRows(source.evaluation.situation);
  return {
    template: "situation-rows",
    rows: Math.min(MAX_ROWS, all),
    view: (rows) => {
      if (all === 0) return null;
      const visible = listSituationRows(source).slice(0, Math.max(0, rows));
      return { rows: visible.map((row) => ({ ...EMPTY_ROW, ...row })), more: all - visible.length };
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

function listSituationRows({ evaluation, links }: SectionSource): readonly object[] {
  const { situation, policySources, report } = evaluation;
  if ("missing" in situation)
    return [
      ...situation.missing.map(({ workspace, state }) => ({
        what: workspace === null ? null : formatName(workspace), // null: an execution of any workspace
        state,
      })),
      ...listUnreadFacts(situation).map((fact) => ({ state: "fact", fact })),
    ];
  if ("problems" in situation)
    return situation.problems.map(({ file, line, column, path, message }) => ({
      what: formatLink(formatName(file), findLineAddress({ policySources }, links, { file, line })),
      state: "problem",
      line: formatCount(line),
      column: formatCount(column),
      path: path === "" ? null : formatName(path),
      message: formatSentence(message),
    }));
  if ("executions" in situation)
    return situation.executions.map(({ executionId, reason }) => ({
      what: formatLink(formatName(shortenId(executionId)), findExecutionAddress(report, executionId)),
      state: "lost",
      reason,
    }));
  if ("below" in situation)
    return situation.below.map(({ number, state }) => ({ pull: `#${number}`, state }));
  return "workspaces" in situation
    ? situation.workspaces.map((workspace) => ({ what: formatName(workspace), state: "unreadable" }))
    : [];
}
