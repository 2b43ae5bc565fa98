import type { Evaluation } from "../../policy/model/evaluation.ts";
import type { PolicyProblem } from "../../policy/model/policy.ts";
import type { CustomPartial } from "../../policy/model/wording.ts";
import { stageLabels } from "../../report/model/stage-label.ts";
import { name as inline } from "../markup/escape.ts";
import { headlineKind, ruleCounts } from "../sections/headline.ts";
import type { Section } from "../sections/section.ts";
import { wordingSection } from "../sections/wording.ts";
import type { Filled, WordingTask } from "./fill.ts";
import { viewFor } from "./markup-value.ts";
import { isWordable, WORDABLE, WORDABLE_NAMES, type WordableName } from "./names.ts";

/** What a team says in its own words. */
export interface Told {
  readonly texts: ReadonlyMap<string, string>;
  /** Why other words of its own are not used. */
  readonly problems: readonly PolicyProblem[];
}

/** What is to be filled for an evaluation, and by which file. */
export interface FileTask extends WordingTask {
  readonly file: string;
}

/** One for each partial that is in force. What is not shown now is checked all the same. */
export function wordingTasks(evaluation: Evaluation, sections: readonly Section[]): readonly FileTask[] {
  return (evaluation.wording?.partials ?? []).flatMap((partial) =>
    isWordable(partial.name) ? [taskOf(partial, partial.name, { evaluation, sections })] : [],
  );
}

interface Shown {
  readonly evaluation: Evaluation;
  readonly sections: readonly Section[];
}

function taskOf({ file, text }: CustomPartial, name: WordableName, shown: Shown): FileTask {
  const { fields, amounts } = WORDABLE[name];
  const own = viewOf(name, shown);
  const view = own === null ? null : viewFor(fields, own);
  const texts = view === null ? [] : amounts.flatMap(([list, field]) => textsIn(view[list], field));
  return { name, file, text, view, amounts: texts };
}

/** What Tollgate's own words would be given here; null: there is nothing to say. */
function viewOf(name: WordableName, { evaluation, sections }: Shown): object | null {
  const { where } = WORDABLE[name];
  if (where.kind === "below" && where.of === null) return noteView(evaluation);
  const template = where.kind === "instead" ? name : where.of;
  const section = sections.find((one) => one.template === template);
  const view = section?.view(section.rows) ?? null;
  return view !== null && where.kind === "below" ? noteView(evaluation) : view;
}

function noteView({ pull, situation, report }: Evaluation): object {
  const label = stageLabels(report.stages);
  return {
    kind: headlineKind(situation),
    repository: inline(pull.repository),
    pull: pull.number,
    base: inline(pull.baseRef),
    stages: report.stages.slice(0, STAGES).map((stage) => ({ stage: inline(label(stage)) })),
    ...ruleCounts(situation),
  };
}

const STAGES = 50;

function textsIn(items: unknown, field: string): readonly string[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: Readonly<Record<string, unknown>>) => {
    const text = item[field];
    return typeof text === "string" ? [text] : [];
  });
}

/** What came of filling `tasks`, beside what was wrong with the files before. */
export function toldBy(evaluation: Evaluation, tasks: readonly FileTask[], filled: readonly Filled[]): Told {
  const done = tasks.flatMap((task, index) => {
    const own = filled[index];
    return own === undefined ? [] : [{ task, own }];
  });
  return {
    texts: new Map(
      done.flatMap(({ task, own }) =>
        own.state === "filled" && task.view !== null ? [[task.name, own.text] as const] : [],
      ),
    ),
    problems: [
      ...(evaluation.wording?.problems ?? []),
      ...done.flatMap(({ task: { file }, own }) =>
        own.state === "filled" ? [] : own.problems.map((problem) => ({ file, path: "", ...problem })),
      ),
    ],
  };
}

/** The sections in a team's own words where it has some, with its notes, and with what is wrong with them. */
export function withWording(sections: readonly Section[], { texts, problems }: Told): readonly Section[] {
  const last = sections.at(-1);
  const worded = sections.flatMap((section) => {
    const words = texts.get(section.template);
    const own = words === undefined ? section : { ...section, words };
    return [...(section === last ? closing(texts) : []), own, ...notesBelow(section.template, texts)];
  });
  if (problems.length === 0) return worded;
  return worded.flatMap((section) =>
    section === worded.at(-1) ? [wordingSection(problems), section] : [section],
  );
}

const notesBelow = (template: string, texts: Told["texts"]): readonly Section[] =>
  notes(texts, (of) => of === template);
const closing = (texts: Told["texts"]): readonly Section[] => notes(texts, (of) => of === null);

const notes = (texts: Told["texts"], isMeant: (of: string | null) => boolean): readonly Section[] =>
  WORDABLE_NAMES.flatMap((name) => {
    const { where } = WORDABLE[name];
    const words = texts.get(name);
    return where.kind === "below" && isMeant(where.of) && words !== undefined
      ? [{ template: name, rows: 0, keep: false, view: () => null, words }]
      : [];
  });
