import type { Inline } from "./escape.ts";
import type { Section } from "./sections/section.ts";
import type { Fill } from "./templates.ts";

/** What a text may weigh and where its readers find what had to be left out. */
export interface Budget {
  /** In UTF-8 bytes. */
  readonly bytes: number;
  readonly details: Inline | null;
}

/**
 * Sections one after another, in at most `budget.bytes` bytes. Where they are too long, the lowest section loses rows, then
 * goes altogether, then the one above it; a last line names what went. Sections that are kept in any case are written whole.
 */
export function composeWithin(sections: readonly Section[], fill: Fill, budget: Budget): string {
  const parts = sections.map((section) => ({
    section,
    text: section.words ?? written(section, section.rows, fill),
  }));
  const dropped: Section[] = [];
  for (const part of [...parts].reverse()) {
    const text = join(parts, leftOut(dropped, fill, budget));
    if (byteLength(text) <= budget.bytes) return text;
    if (part.section.keep || part.text === "") continue;
    const others = parts.map((other) => (other === part ? { ...other, text: "" } : other));
    const room = budget.bytes - byteLength(join(others, leftOut(dropped, fill, budget))) - GAP;
    part.text = largestFitting(part.section, room, fill);
    if (part.text === "") dropped.unshift(part.section);
  }
  return join(parts, leftOut(dropped, fill, budget));
}

export const byteLength = (text: string): number => new TextEncoder().encode(text).length;

interface Part {
  readonly section: Section;
  text: string;
}

const BETWEEN = "\n\n";
const GAP = byteLength(BETWEEN);

function written(section: Section, rows: number, fill: Fill): string {
  const view = section.view(rows);
  return view === null ? "" : fill(section.template, view);
}

/** The section in our words with as many rows as fit into `room` bytes; empty when not even one fits. */
function largestFitting(section: Section, room: number, fill: Fill): string {
  let best = "";
  const { rows, words } = section;
  let [low, high] = words === undefined ? [1, rows - 1] : [Math.min(1, rows), rows]; // ours may be shorter
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const text = written(section, middle, fill);
    const fits = byteLength(text) <= room;
    if (fits) best = text;
    [low, high] = fits ? [middle + 1, high] : [low, middle - 1];
  }
  return best;
}

/** Named before the last section, which tells where everything came from. */
function join(parts: readonly Part[], notice: string): string {
  const texts = parts.map(({ text }) => text);
  const last = texts.pop() ?? "";
  return [...texts, notice, last].filter((text) => text !== "").join(BETWEEN);
}

function leftOut(dropped: readonly Section[], fill: Fill, { details }: Budget): string {
  if (dropped.length === 0) return "";
  return fill("left-out", { sections: dropped.map(({ template }) => ({ template })), details });
}
