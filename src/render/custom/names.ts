import { COMMENT_SECTIONS } from "../../policy/model/comment-sections.ts";
import { CHANGES, CONTEXT, type Fields, NEXT_STEP, NOTE, SAVINGS, SINCE_LAST } from "./fields.ts";

/** Something in the comment that a team may word itself. */
interface Wordable {
  /** `instead`: of the section of that name. `below`: in addition, below the section `of`; null: above the last line. */
  readonly where: { readonly kind: "instead" } | { readonly kind: "below"; readonly of: string | null };
  readonly about: string;
  readonly fields: Fields;
  /** Lists whose amounts the words must show, as list and field: money may be worded and never left out. */
  readonly amounts: readonly (readonly [list: string, field: string])[];
  /** Whether it may say nothing. */
  readonly maySilence: boolean;
}

const instead = (about: string, fields: Fields, more: Partial<Wordable> = {}): Wordable => ({
  where: { kind: "instead" },
  about,
  fields,
  amounts: [],
  maySilence: true,
  ...more,
});
const below = (of: string | null, about: string): Wordable => ({
  where: { kind: "below", of },
  about,
  fields: NOTE,
  amounts: [],
  maySilence: true,
});

const NAMES = {
  "next-step": instead("What to do next, right below the verdict.", NEXT_STEP, { maySilence: false }),
  "since-last": instead("How the cost moved since the last push.", SINCE_LAST, {
    amounts: [["changes", "change"]],
  }),
  changes: instead("Which resources change.", CHANGES, {
    amounts: [
      ["drift", "drift"],
      ["drift", "own"],
    ],
  }),
  savings: instead("What could be saved on resources that are touched.", SAVINGS, {
    amounts: [["groups", "total"]],
  }),
  context: instead("Anomalies, governance, unit costs and schedules.", CONTEXT),
  "findings-note": below("findings", "Below the rules that are not met."),
  "modules-note": below("modules", "Below the modules that drive the cost."),
  "resources-note": below("resources", "Below the resources that drive the cost."),
  "closing-note": below(null, "At the end, above the line that says where the figures come from."),
} as const satisfies Readonly<Record<string, Wordable>>;

export type WordableName = keyof typeof NAMES;

/** Everything that a team may word itself, by the name of its file without `.hbs`. */
export const WORDABLE: Readonly<Record<WordableName, Wordable>> = NAMES;

export const WORDABLE_NAMES = Object.keys(NAMES) as readonly WordableName[]; // the object above has no others

export const isWordable = (name: string): name is WordableName => Object.hasOwn(NAMES, name);

/** What a team might want to word and may not: the verdict, the money, what they rest on, and where they come from. */
export const FIXED_NAMES: readonly string[] = [
  ...["headline", "title", "verdict", "amount", "stages", "costs", "stage-notes", "total", "after-merge"],
  ...["findings", "approvals", "situation-rows", "not-judged", "unpriced", "modules", "resources"],
  ...["not-applicable", "policy-edit", "provenance", "left-out", "rounded", "wording"],
  ...COMMENT_SECTIONS.filter((name) => !Object.hasOwn(NAMES, name)),
];
