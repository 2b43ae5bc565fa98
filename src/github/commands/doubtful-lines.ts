import type { Nodes, Paragraph, Root } from "mdast";

/**
 * Whether GitHub may show the line at `at`, which Markdown's tree has as text of a paragraph, as a part of something else:
 * its renderer knows formulas, filters tags and reads a comment's HTML in one piece. In doubt the
 * answer asks for the command in plain text, which costs one more comment.
 */
export function isDoubtful(root: Root, text: string, at: number): boolean {
  const paragraph = root.children.find((node) => getStart(node) <= at && at < getEnd(node));
  if (paragraph?.type !== "paragraph") return true;
  const nodes = [...walkNodes(root)];
  const lineEnd = text.indexOf("\n", at);
  return (
    nodes.some(
      (node) =>
        getStart(node) < at && canOpenHtml(node, text.slice(getStart(node), Math.min(at, getEnd(node)))),
    ) ||
    !isPlainLine(paragraph, { from: at, to: lineEnd < 0 ? text.length : lineEnd }) ||
    isBetweenMarks(withoutCode(text, nodes), { at, from: getStart(paragraph), to: getEnd(paragraph) })
  );
}

const getStart = ({ position }: Nodes): number => position?.start.offset ?? 0;
const getEnd = ({ position }: Nodes): number => position?.end.offset ?? 0;

function* walkNodes(node: Nodes): Generator<Nodes> {
  yield node;
  if ("children" in node) for (const child of node.children) yield* walkNodes(child);
}

/** The nodes that a line with a command may contain. Crossed-out, hidden or quoted text is not the author's statement. */
const PLAIN: ReadonlySet<Nodes["type"]> = new Set([
  "text",
  "break",
  "inlineCode",
  "emphasis",
  "strong",
  "link",
]);

const isPlainLine = (paragraph: Paragraph, line: { readonly from: number; readonly to: number }): boolean =>
  paragraph.children
    .filter((child) => getStart(child) < line.to && getEnd(child) > line.from)
    .every((child) => [...walkNodes(child)].every(({ type }) => PLAIN.has(type)));

const TAG =
  /<\/?(?:a|b|br|code|details|em|hr|i|img|kbd|strong|sub|summary|sup)(?:\s+[a-z][a-z0-9-]*(?:="[^"<>]*")?)*\s*\/?>/;
const COMMENT = /<!--(?!-?>)(?:(?!--)[\s\S])*-->/;
const HARMLESS_HTML = new RegExp(`^(?:[^<]|${TAG.source}|${COMMENT.source})*$`, "i");

/**
 * Harmless is what every reader of HTML takes apart in the same way: whole tags that are known, with whole values, and whole
 * remarks. `before`: what stands of the node before the line.
 */
function canOpenHtml(node: Nodes, before: string): boolean {
  if (node.type === "html") return !HARMLESS_HTML.test(node.value);
  return node.type === "text" && /<[a-z!?/]/i.test(before);
}

interface TextRange {
  readonly at: number;
  /** Of the paragraph. */
  readonly from: number;
  readonly to: number;
}

/** A formula, or what looks crossed out, begins before the place and goes on after it. */
function isBetweenMarks(text: string, { at, from, to }: TextRange): boolean {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const inParagraph = text.slice(from, at).includes("$") && text.slice(at, to).includes("$");
  return inParagraph || ["$$", "~~"].some((mark) => before.includes(mark) && after.includes(mark));
}

/** The text with blanks in the place of code, in which nothing begins. */
function withoutCode(text: string, nodes: readonly Nodes[]): string {
  let blanked = text;
  for (const node of nodes) {
    if (node.type !== "code" && node.type !== "inlineCode") continue;
    const [from, to] = [getStart(node), getEnd(node)];
    blanked = blanked.slice(0, from) + " ".repeat(to - from) + blanked.slice(to);
  }
  return blanked;
}
