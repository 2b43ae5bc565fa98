import type { Element, Nodes, Root, RootContent } from "hast";
import rehypeRaw from "rehype-raw";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

/** A line that begins with our word, as it is typed. Some keyboards make a blank that does not break, which is none to Markdown. */
const OURS = /^([ \t]*)\/tollgate(?=[ \t\u00a0]|$)/i;
/** Lines of our word that are looked at; more is nobody's way of asking. */
const MAX_LINES = 50;

/** Whether anything in the text looks like a command at all: cheap, and true for commands that are only quoted, too. */
export const mentionsCommand = (body: string): boolean => linesOf(body).some((line) => OURS.test(line));

/**
 * The lines of a comment that speak to us: they begin with `/tollgate` and are plain text of a paragraph of their own.
 * What is quoted, listed, emphasised, code, hidden or folded away by any element is not said but shown.
 *
 * Markdown decides that, so it is asked: each candidate gets a word in the place of ours that occurs nowhere else, and the
 * lines whose word arrives as the beginning of a line of plain text are the answer. What is nested deeper than Markdown can be
 * followed is no answer.
 */
export function commandLines(body: string): readonly string[] | "too_deep" {
  const lines = linesOf(body);
  const mark = markFor(body);
  const candidates: string[] = [];
  const marked = lines.map((line) => {
    if (!OURS.test(line) || candidates.length >= MAX_LINES) return line;
    candidates.push(line.replaceAll("\u00a0", " ").trim());
    return line.replace(OURS, `$1${mark}${candidates.length - 1}x`);
  });
  if (candidates.length === 0) return [];
  const spoken = new RegExp(`^${mark}(\\d+)x`);
  const html = htmlOf(marked.join("\n"));
  if (html === null) return "too_deep";
  return plainLines(html).flatMap((line) => {
    const index = spoken.exec(line)?.[1];
    return index === undefined ? [] : (candidates[Number(index)] ?? []);
  });
}

const linesOf = (body: string): readonly string[] => body.split(/\r\n|\r|\n/);

/** Letters only, so that Markdown gives it no meaning, and none that the text has. */
function markFor(body: string): string {
  let mark = "tollgateline";
  while (body.includes(mark)) mark += "z";
  return mark;
}

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw);

function htmlOf(text: string): Root | null {
  try {
    return markdown.runSync(markdown.parse(text)) as Root; // the last step makes HTML
  } catch (error) {
    if (error instanceof RangeError) return null; // the parsers call themselves for each level
    throw error;
  }
}

/** The lines of all paragraphs that nothing encloses; what is not plain text in them stands as a blank that no line begins with. */
function plainLines(root: Root): readonly string[] {
  return root.children
    .filter(isParagraph)
    .flatMap(({ children }) => children.map(textOf).join("").split("\n"));
}

const isParagraph = (node: RootContent): node is Element => node.type === "element" && node.tagName === "p";

const textOf = (node: Nodes): string => {
  if (node.type === "text") return node.value;
  return node.type === "element" && node.tagName === "br" ? "" : "\u0000";
};
