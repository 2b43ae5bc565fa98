import type { Inline } from "../escape.ts";
import { keepSignsTogether } from "../sign-joiners.ts";
import type { FillTemplate } from "../templates.ts";
import type { Section } from "./section.ts";

/** The size limit of a text, and where its readers find omitted parts. */
export interface TextBudget {
  /** Size limit in UTF-8 bytes, also after `keepSignsTogether`. */
  readonly bytes: number;
  readonly details: Inline | null;
}

/**
 * Joins sections in at most `budget.bytes` bytes. If they are too long, the lowest section loses rows, then
 * is removed, then the one above it; a last line names the omitted sections. Sections with `isRequired` are always
 * included in full.
 */
export function composeSections(
  sections: readonly Section[],
  fill: FillTemplate,
  budget: TextBudget,
): string {
  const { bytes } = budget;
  const parts = sections.map(
    (section): SectionSlot => ({
      section,
      ...renderSection(section, section.rows ?? 0, fill),
      isDropped: false,
    }),
  );
  const whole = (): string => joinSections(parts, fill, budget);
  const isRoom = (): boolean => countBytes(whole()) <= bytes;
  const isRoomFor = (part: SectionSlot) => (own: SectionText) => {
    const replaced = parts.map((one) => (one === part ? { ...one, ...own } : one));
    return countBytes(joinSections(replaced, fill, budget)) <= bytes;
  };
  const upwards = parts.toReversed();
  for (const part of upwards) {
    const { rows = 0, firstRows = rows } = part.section;
    if (rows <= firstRows || isRoom()) continue;
    const fitting = renderLargestFitting(
      part.section,
      { least: firstRows, isRoomFor: isRoomFor(part) },
      fill,
    );
    Object.assign(part, fitting ?? renderSection(part.section, firstRows, fill));
  }
  for (const part of upwards.filter(({ section }) => section.isRequired !== true)) {
    if (part.text === "" || isRoom()) continue;
    const fitting = renderLargestFitting(part.section, { least: 1, isRoomFor: isRoomFor(part) }, fill);
    const { text, rounded } = fitting ?? { text: "", rounded: false };
    Object.assign(part, { text, rounded, isDropped: text === "" });
  }
  return whole();
}

const countBytes = (text: string): number => Buffer.byteLength(keepSignsTogether(text));

interface SectionText {
  readonly text: string;
  /** See `SectionView`. */
  readonly rounded: boolean;
}

interface SectionSlot {
  readonly section: Section;
  text: string;
  rounded: boolean;
  /** True: the section has content, but there is no space for it. */
  isDropped: boolean;
}

const SEPARATOR = "\n\n";

function renderSection(section: Section, rows: number, fill: FillTemplate): SectionText {
  const view = section.view(rows);
  if (view === null) return { text: "", rounded: false };
  return { text: fill(section.template, view), rounded: view.rounded ?? false };
}

/** Returns the section with as many rows as fit; null when not even `least` rows fit. */
function renderLargestFitting(
  section: Section,
  { least, isRoomFor }: { readonly least: number; readonly isRoomFor: (own: SectionText) => boolean },
  fill: FillTemplate,
): SectionText | null {
  let best: SectionText | null = null;
  let [low, high] = [least, (section.rows ?? 0) - 1];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const own = renderSection(section, middle, fill);
    const fits = isRoomFor(own);
    if (fits) best = own;
    [low, high] = fits ? [middle + 1, high] : [low, middle - 1];
  }
  return best;
}

/** Joins the parts. The names of omitted sections precede the last section, which states the provenance. */
function joinSections(parts: readonly SectionSlot[], fill: FillTemplate, budget: TextBudget): string {
  const first = parts.find(({ text, rounded }) => rounded && text !== "");
  const texts = parts.flatMap((part) => (part === first ? [part.text, fill("rounded", {})] : [part.text]));
  const last = texts.pop() ?? "";
  return [...texts, renderLeftOut(parts, fill, budget), last].filter((text) => text !== "").join(SEPARATOR);
}

function renderLeftOut(parts: readonly SectionSlot[], fill: FillTemplate, { details }: TextBudget): string {
  const dropped = parts.filter(({ isDropped }) => isDropped);
  if (dropped.length === 0) return "";
  return fill("left-out", { sections: dropped.map(({ section: { template } }) => ({ template })), details });
}
