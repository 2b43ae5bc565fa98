import { html as escapeHtml, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { showHidden } from "../../render/escape.ts";
import { formatDuration, formatUtcTime } from "../../render/format.ts";
import shapes from "./icons.json" with { type: "json" };

/** HTML that is safe to insert. */
export type Html = HtmlEscapedString;

/** What a page may contain. Texts are escaped, and their hidden characters shown; null, undefined and false are nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

/** Makes HTML: `html\`<p>${name}</p>\`` escapes the name. The value of a form's field is escaped and stays as it is: it is sent back. */
export const html = (parts: TemplateStringsArray, ...contents: readonly Content[]): Html => {
  const shown = contents.map((content, at) => (isFieldValue(parts, at) ? content : showHiddenTexts(content)));
  return escapeHtml(parts, ...shown) as Html; // a promise only where a content is one
};

const isFieldValue = (parts: TemplateStringsArray, at: number): boolean =>
  parts[at]?.endsWith(' value="') === true || parts[at + 1]?.startsWith("</textarea>") === true;

function showHiddenTexts(content: Content): Content {
  if (typeof content === "string") return showHidden(content); // HTML is an object at run time
  return Array.isArray(content) ? content.map(showHiddenTexts) : content;
}

/** The icons that pages use, by their names in Octicons. A new one is a name in `icons.json`, then `npm run generate:pages`. */
export type IconName = keyof typeof shapes;

/** An icon; without a label it is hidden from screen readers. Its shape is raw: it comes from Octicons. */
export const icon = (name: IconName, label?: string): Html =>
  html`<svg class="icon ${name}" width="16" height="16" viewBox="0 0 16 16" fill="currentColor" ${label === undefined ? html`aria-hidden="true"` : html`role="img" aria-label="${label}"`}>${raw(shapes[name])}</svg>`;

/** What a state is called, and how it looks. */
export interface Label {
  readonly text: string;
  readonly icon: IconName;
  readonly tone: "success" | "danger" | "attention" | "done" | "accent" | "muted";
}

export const renderLabel = ({ text, icon: mark, tone }: Label): Html =>
  html`<span class="label ${tone}">${icon(mark)}${text}</span>`;

/** A framed part of a page below its heading. `count`: beside the heading. */
export const renderBox = (
  mark: IconName,
  title: Content,
  content: Content,
  { count = "", id }: { readonly count?: Content; readonly id?: string } = {},
): Html => html`<section class="box"${id && html` id="${id}"`}>
<h2 class="box-title">${icon(mark)}${title}${count !== "" && html`<span class="counter">${count}</span>`}</h2>
${content}
</section>
`;

export const renderOption = (value: string, label: string, isSelected: boolean): Html =>
  html`<option value="${value}"${isSelected && html` selected`}>${label}</option>`;

/** Chooses the form of a word for a count. */
export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);

/** The age of a time: "3 hours ago". Both in ms since 1970 UTC. */
export const formatAge = (ms: number, nowMs: number): string =>
  nowMs - ms < MINUTE_MS ? "just now" : `${formatDuration(nowMs - ms)} ago`;

/** A time as its age; the time itself is shown when a pointer is above it. */
export const renderTime = (ms: number, nowMs: number): Html =>
  html`<time datetime="${new Date(ms).toISOString()}" title="${formatUtcTime(ms)}">${formatAge(ms, nowMs)}</time>`;
