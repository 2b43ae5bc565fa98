import { suggest } from "../../kernel/suggest.ts";
import type { PolicyProblem } from "../../policy/model/policy.ts";
import type { CustomPartial, Wording } from "../../policy/model/wording.ts";
import { byteLength } from "../budget.ts";
import { hiddenIn } from "./markup.ts";
import { FIXED_NAMES, isWordable, WORDABLE_NAMES } from "./names.ts";
import { type PartialProblem, placeIn, START } from "./problem.ts";

/** A file of a folder of partials as it was found. */
export interface FoundFile {
  /** With its ending. */
  readonly name: string;
  readonly content:
    | { readonly state: "text"; readonly text: string; readonly blob: string }
    | { readonly state: "unreadable"; readonly reason: Unreadable };
}

type Unreadable = "symlink" | "submodule" | "directory" | "binary" | "too_large" | "malformed";

/** A folder of partials; null: there is none. */
export type FoundFolder =
  | { readonly state: "found"; readonly label: string; readonly files: readonly FoundFile[] }
  | { readonly state: "unreadable"; readonly label: string; readonly reason: Unreadable }
  | null;

/** Largest partial, in UTF-8 bytes. */
export const PARTIAL_BYTES = 8_000;
/** Problems that are kept: those of a folder full of other things are all alike. */
const PROBLEMS = 20;
const ENDING = ".hbs";

/** Of the folders the first one's partial of a name counts; null: nobody words anything. Partials are not read here, only chosen. */
export function chooseWording(folders: readonly FoundFolder[]): Wording | null {
  const judged = folders.flatMap((folder) => judgedFiles(folder));
  const partials = new Map<string, CustomPartial>();
  for (const { partial } of judged)
    if (partial !== null && !partials.has(partial.name)) partials.set(partial.name, partial);
  const problems = judged.flatMap(({ problem }) => (problem === null ? [] : [problem])).slice(0, PROBLEMS);
  return partials.size === 0 && problems.length === 0 ? null : { partials: [...partials.values()], problems };
}

interface JudgedFile {
  readonly partial: CustomPartial | null;
  readonly problem: PolicyProblem | null;
}

function judgedFiles(folder: FoundFolder): readonly JudgedFile[] {
  if (folder === null) return [];
  if (folder.state === "unreadable") return [wrong(folder.label, `is not used: ${WHY[folder.reason]}`)];
  return folder.files.filter(isMeant).map((file) => judgedFile(`${folder.label}/${file.name}`, file));
}

/** A folder may tell about itself, and hold hidden files and folders of other things. */
const isMeant = ({ name, content }: FoundFile): boolean =>
  name.endsWith(ENDING) ||
  !(/^(\.|readme)/i.test(name) || (content.state === "unreadable" && content.reason === "directory"));

const WHY: Readonly<Record<Unreadable, string>> = {
  symlink: "it is a symbolic link; commit the file itself",
  submodule: "it is a submodule; commit the file itself",
  directory: "it is a directory; commit a file of that name",
  binary: "it is not text; save it as UTF-8",
  too_large: `it is larger than ${PARTIAL_BYTES} bytes; make it shorter`,
  malformed: "GitHub did not show it as it is",
};

const wrong = (
  file: string,
  message: string,
  place: Pick<PartialProblem, "line" | "column"> = START,
): JudgedFile => ({
  partial: null,
  problem: { file, ...place, path: "", message },
});

function judgedFile(file: string, { name: fileName, content }: FoundFile): JudgedFile {
  if (!fileName.endsWith(ENDING)) return wrong(file, `is not used: names of such files end in ${ENDING}`);
  const name = fileName.slice(0, -ENDING.length);
  if (!isWordable(name)) return wrong(file, nameProblem(name));
  if (content.state === "unreadable") return wrong(file, `is not used: ${WHY[content.reason]}`);
  const text = content.text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  if (byteLength(text) > PARTIAL_BYTES) return wrong(file, `is not used: ${WHY.too_large}`);
  const hidden = hiddenIn(text);
  if (hidden !== null) return wrong(file, HIDDEN, placeIn(text, hidden));
  return { partial: { name, file, text, blob: content.blob }, problem: null };
}

const HIDDEN = "is not used: here is a character that nobody can see; take it out";

function nameProblem(name: string): string {
  if (FIXED_NAMES.includes(name))
    return `cannot be replaced: the verdict, the money, what they rest on and where they come from are always told by Tollgate`;
  const meant = suggest(name, WORDABLE_NAMES);
  return `there is nothing called ${JSON.stringify(name)} to word; ${
    meant === null ? `there are ${WORDABLE_NAMES.join(", ")}` : `did you mean ${meant}${ENDING}?`
  }`;
}
