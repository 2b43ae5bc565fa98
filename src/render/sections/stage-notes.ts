import type { StageReport } from "../../report/model/report.ts";
import { createStageLabels } from "../../report/model/stage-label.ts";
import { formatName, formatSentence } from "../escape.ts";
import type { Section, SectionSource } from "./section.ts";
import { hasFigures } from "./stages.ts";

const MAX_NOTES = 8;
const MAX_PROBLEMS = 3;

/**
 * The section with one note for each stage with incomplete or unreliable figures, and one for executions that may not be shown. Where figures
 * are not shown, the estimator's messages are omitted, because they may contain amounts.
 */
export function buildStageNotesSection({ evaluation: { report, pull } }: SectionSource): Section {
  const label = createStageLabels(report.stages);
  const notes = report.stages.flatMap((stage) => {
    const kind = chooseNoteKind(stage);
    const problems = pull.figures ? [...stage.problems, ...stage.notices] : [];
    return kind === null
      ? []
      : [
          {
            label: formatName(label(stage)),
            kind,
            because: stage.because.filter((reason) => reason !== "unproven").map((reason) => ({ reason })),
            problems: problems.slice(0, MAX_PROBLEMS).map(formatSentence),
            moreProblems: Math.max(0, problems.length - MAX_PROBLEMS),
          },
        ];
  });
  const refused = report.refused.length;
  return {
    template: "stage-notes",
    rows: Math.min(MAX_NOTES, notes.length),
    view: (rows) =>
      notes.length + refused === 0
        ? null
        : {
            alone: !hasFigures(report),
            notes: notes.slice(0, rows),
            more: Math.max(0, notes.length - rows),
            refused,
          },
  };
}

/** What is wrong with the figures of a stage; null: nothing. */
function chooseNoteKind(stage: StageReport): string | null {
  if (!stage.proven) return "unproven";
  if (stage.state === "unknown" && stage.change !== null) return "unreliable";
  if (stage.state !== "known") return stage.state;
  if (stage.status === "failed" || stage.status === "pending") return stage.status;
  return stage.notices.length > 0 ? "notice" : null;
}
