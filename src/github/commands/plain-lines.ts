import type { Element, RootContent as HastContent, Nodes as HastNodes, Root as HastRoot } from "hast";
import type { Root as MarkdownRoot } from "mdast";
import rehypeRaw from "rehype-raw";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { isDoubtful } from "./doubtful-lines.ts";

/** More lines than this are not looked at. */
const MAX_LINES = 50;

/** Marks of quotes and lists at the start of one line, and of all lines: the parser's time grows with the square of the first. */
const MAX_NESTING = 10;
const MAX_MARKS = 400;
const NESTING = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;
const MARKS = />|[-+*]|\d+[.)]/g;

/**
 * `not_plain`: a line stands as text of a paragraph, but GitHub may show it as a part of something else.
 * `too_deep`: nested deeper than the parsers can follow, or soon enough.
 */
export type PlainLines = readonly string[] | "not_plain" | "too_deep";

/**
 * The lines of a comment that begin with what `beginning` matches, as plain text of a paragraph that nothing encloses.
 *
 * Markdown decides that, so it is asked: in each candidate a word that occurs nowhere else takes the place of the beginning,
 * and the lines whose word arrives as the beginning of a line of plain text are the answer.
 */
export function extractPlainLines(body: string, beginning: RegExp): PlainLines {
  const mark = createMark(body);
  const candidates: string[] = [];
  const marked = splitLines(body).map((line) => {
    if (!beginning.test(line) || candidates.length >= MAX_LINES) return line;
    candidates.push(line.replaceAll("\u00a0", " ").trim());
    return line.replace(beginning, (found) => `${getIndent(found)}${mark}${candidates.length - 1}x`);
  });
  if (candidates.length === 0) return [];
  const nesting = marked.map(countNesting);
  if (Math.max(...nesting) > MAX_NESTING || sumCosts(nesting) > MAX_MARKS) return "too_deep";
  const text = marked.join("\n");
  const parsed = parseMarkdown(text);
  if (parsed === null) return "too_deep";
  const markAt = new RegExp(`^${mark}(\\d+)x`);
  const found = extractParagraphLines(parsed.html).flatMap((line) => markAt.exec(line)?.[1] ?? []);
  if (found.some((index) => isDoubtful(parsed.markdown, text, text.indexOf(`${mark}${index}x`))))
    return "not_plain";
  return found.flatMap((index) => candidates[Number(index)] ?? []);
}

export const splitLines = (body: string): readonly string[] => body.split(/\r\n|\r|\n/);

const countNesting = (line: string): number => NESTING.exec(line)?.[0].match(MARKS)?.length ?? 0;

const sumCosts = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const getIndent = (text: string): string => /^[ \t]*/.exec(text)?.[0] ?? "";

/** Letters only, so that Markdown gives it no meaning, and none that the text has. */
function createMark(body: string): string {
  let mark = "tollgateline";
  while (body.includes(mark)) mark += "z";
  return mark;
}

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw);

function parseMarkdown(text: string): { readonly markdown: MarkdownRoot; readonly html: HastRoot } | null {
  try {
    const tree = markdown.parse(text);
    return { markdown: tree, html: markdown.runSync(tree) as HastRoot }; // the last step makes HTML
  } catch (error) {
    if (error instanceof RangeError) return null; // the parsers call themselves for each level
    throw error;
  }
}

/** The lines of all paragraphs that nothing encloses; what is not plain text in them stands as a blank that no line begins with. */
function extractParagraphLines(root: HastRoot): readonly string[] {
  return root.children
    .filter(isParagraph)
    .flatMap(({ children }) => children.map(getNodeText).join("").split("\n"));
}

const isParagraph = (node: HastContent): node is Element => node.type === "element" && node.tagName === "p";

const getNodeText = (node: HastNodes): string => {
  if (node.type === "text") return node.value;
  return node.type === "element" && node.tagName === "br" ? "" : "\u0000";
};
