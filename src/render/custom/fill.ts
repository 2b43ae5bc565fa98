import { byteLength } from "../budget.ts";
import { countText } from "../format/count.ts";
import { bareHandlebars, evenOut, HELPERS } from "../handlebars/templates.ts";
import { guard } from "./guard.ts";
import { showsAmount, unwantedInOutput } from "./markup.ts";
import { WORDABLE, type WordableName } from "./names.ts";
import { type PartialProblem, START } from "./problem.ts";

/** One partial to be filled. */
export interface WordingTask {
  readonly name: WordableName;
  readonly text: string;
  /** What it is filled with, as plain data; null: it is only checked. */
  readonly view: object | null;
  /** Amounts that its words must show. */
  readonly amounts: readonly string[];
}

/** What came of it. */
export type Filled =
  | { readonly state: "filled"; readonly text: string }
  | { readonly state: "refused"; readonly problems: readonly PartialProblem[] };

/** Fills partials one after the other, where it can do no harm. One answer for each, in their order. */
export type FillWording = (tasks: readonly WordingTask[]) => Promise<readonly Filled[]>;

/** What the words of one partial may weigh, in UTF-8 bytes. */
const OUTPUT_BYTES = 8_000;

/** Fills one partial. It may take long: nobody who is waited for should call this. */
export function fillPartial({ name, text, view, amounts }: WordingTask): Filled {
  const { fields, maySilence } = WORDABLE[name];
  const problems = guard(text, fields);
  if (problems.length > 0) return { state: "refused", problems };
  if (view === null) return { state: "filled", text: "" };
  const told = run(text, view);
  if (typeof told !== "string") return refused(told);
  if (byteLength(told) > OUTPUT_BYTES)
    return refused({ ...START, message: `writes more than ${OUTPUT_BYTES} bytes; write less for each row` });
  if (told === "" && !maySilence)
    return refused({ ...START, message: "says nothing; remove the file to have Tollgate's own words" });
  const unwanted = unwantedInOutput(told);
  if (unwanted !== null) return refused({ ...START, message: `in what it writes, ${unwanted}` });
  const lacking = amounts.find((amount) => !showsAmount(told, amount));
  if (lacking !== undefined)
    return refused({
      ...START,
      message: `leaves out ${lacking}, or shows it where nobody sees it as it is; money may be worded and not left out`,
    });
  return { state: "filled", text: told };
}

const refused = (problem: PartialProblem): Filled => ({ state: "refused", problems: [problem] });

/** Our helpers; here values may be missing, and what is unknown is not zero. */
const CUSTOM_HELPERS = {
  ...HELPERS,
  number: (count: unknown): string =>
    typeof count === "number" ? countText(count) : String(count ?? "unknown"),
};

function run(text: string, view: object): string | PartialProblem {
  try {
    const handlebars = bareHandlebars();
    handlebars.registerHelper(CUSTOM_HELPERS);
    const knownHelpers = Object.fromEntries(Object.keys(CUSTOM_HELPERS).map((helper) => [helper, true]));
    return evenOut(handlebars.compile(text, { knownHelpers, knownHelpersOnly: true, noEscape: true })(view));
  } catch (error) {
    return { ...START, message: `cannot be filled: ${String(error).slice(0, 200)}` };
  }
}
