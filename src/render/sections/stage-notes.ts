import type { UnknownReason } from "../../report/model/facts.ts";
import type { Report, StageReport } from "../../report/model/report.ts";
import { createStageLabels } from "../../report/model/stage-label.ts";
import { formatName, formatSentence, type Inline } from "../escape.ts";
import type { Section, Subject } from "./section.ts";
import { hasFigures } from "./stages.ts";

/** Why a stage's figures are incomplete or unreliable. */
interface StageNoteView {
  readonly label: Inline;
  readonly kind:
    | "notice"
    | "unproven"
    | "unknown"
    | "unreliable"
    | "partial"
    | "inconsistent"
    | "failed"
    | "pending";
  readonly because: readonly { readonly reason: UnknownReason }[];
  /** What is wrong with the estimate, and what else a reader should know of it. */
  readonly problems: readonly Inline[];
  readonly moreProblems: number;
}

const MAX_NOTES = 8;
const MAX_PROBLEMS = 3;

/**
 * The section with one note for each stage with incomplete or unreliable figures, and one for executions that
 * may not be shown.
 */
export function buildStageNotesSection({ evaluation }: Subject): Section {
  const { report, pull } = evaluation;
  const noted = report.stages.filter((stage) => chooseNoteKind(stage) !== null);
  const silent = noted.length === 0 && report.refused.length === 0;
  const note = createNoteBuilder(report, pull.figures);
  return {
    template: "stage-notes",
    rows: Math.min(MAX_NOTES, noted.length),
    isRequired: false,
    view: (rows) => {
      if (silent) return null;
      const notes = noted.slice(0, rows).map(note);
      const more = noted.length - notes.length;
      return { alone: !hasFigures(report), notes, more, refused: report.refused.length };
    },
  };
}

/**
 * Creates notes. With `figures` false, the estimator's messages are omitted, because they may contain
 * amounts.
 */
function createNoteBuilder(report: Report, figures: boolean): (stage: StageReport) => StageNoteView {
  const label = createStageLabels(report.stages);
  return (stage) => ({
    label: formatName(label(stage)),
    kind: chooseNoteKind(stage) ?? "unknown",
    because: stage.because.filter((reason) => reason !== "unproven").map((reason) => ({ reason })),
    ...listProblems(figures ? [...stage.problems, ...stage.notices] : []),
  });
}

const listProblems = (all: readonly string[]): Pick<StageNoteView, "problems" | "moreProblems"> => ({
  problems: all.slice(0, MAX_PROBLEMS).map(formatSentence),
  moreProblems: Math.max(0, all.length - MAX_PROBLEMS),
});

function chooseNoteKind(stage: StageReport): StageNoteView["kind"] | null {
  if (!stage.proven) return "unproven";
  if (stage.state === "unknown" && stage.change !== null) return "unreliable";
  if (stage.state !== "known") return stage.state;
  if (stage.status === "failed" || stage.status === "pending") return stage.status;
  return stage.notices.length > 0 ? "notice" : null;
}
