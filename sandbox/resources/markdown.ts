import type { Element, ElementContent, Root, Text } from "hast";
import type { Text as MarkdownText } from "mdast";
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

/**
 * Renders text as GitHub does: GitHub's Markdown, sanitised by GitHub's allow-list, with alerts, mentions and references.
 * In comments a line break is a line break; in the output of a check it is a space.
 */
export function renderMarkdown(text: string, as: { references: References; breaks: boolean }): string {
  const file = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype, { allowDangerousHtml: true, handlers: as.breaks ? { text: breakLines } : {} })
    .use(rehypeRaw)
    .use(rehypeSanitize)
    .use(() => (tree: Root) => {
      addAlerts(tree);
      linkReferences(tree, as.references);
    })
    .use(rehypeStringify)
    .processSync(text);
  return String(file);
}

/** Returns the target of a mention or an issue number; null when it does not exist. */
export interface References {
  person(login: string): string | null;
  team(organisation: string, slug: string): string | null;
  pull(number: number): string | null;
}

/** Text inside these elements stays unchanged. */
const OPAQUE_ELEMENTS = ["a", "code", "pre"];

/** Links "@login", "@organisation/team" and "#1" as GitHub does, unintended ones included, so that tests find them. */
function linkReferences(node: Root | Element, references: References): void {
  // Below a root and below an element there is the same kind of content, except that a root may hold a doctype.
  const children = node.children as ElementContent[];
  node.children = children.flatMap((child) => {
    if (child.type === "text") return linkText(child, references);
    if (child.type === "element" && !OPAQUE_ELEMENTS.includes(child.tagName))
      linkReferences(child, references);
    return [child];
  });
}

function linkText(text: Text, references: References): ElementContent[] {
  const parts: ElementContent[] = [];
  let end = 0;
  for (const match of text.value.matchAll(
    /(?<![\w@#/&])(?:@([a-z\d][a-z\d-]{0,38})(?:\/([a-z\d][\w-]*))?|#(\d{1,9}))(?![\w/-])/gi,
  )) {
    const [word, login, slug, number] = match;
    const href = findHref(references, { login, slug, number });
    if (href === null) continue;
    parts.push({ type: "text", value: text.value.slice(end, match.index) }, createLink(href, word));
    end = match.index + word.length;
  }
  return [...parts, { type: "text", value: text.value.slice(end) }];
}

interface ReferenceMatch {
  readonly login: string | undefined;
  readonly slug: string | undefined;
  readonly number: string | undefined;
}

function findHref(references: References, { login, slug, number }: ReferenceMatch): string | null {
  if (login === undefined) return references.pull(Number(number));
  return slug === undefined ? references.person(login) : references.team(login, slug);
}

const createLink = (href: string, words: string): Element => ({
  type: "element",
  tagName: "a",
  properties: { href, className: [words.startsWith("@") ? "user-mention" : "issue-link"] },
  children: [{ type: "text", value: words }],
});

const TITLES: Readonly<Record<string, string>> = {
  NOTE: "Note",
  TIP: "Tip",
  IMPORTANT: "Important",
  WARNING: "Warning",
  CAUTION: "Caution",
};

/** Turns top-level quotes that begin with a marker such as "[!NOTE]" into GitHub's coloured alerts. */
function addAlerts(tree: Root): void {
  tree.children = tree.children.map((child) => (child.type === "element" ? toAlert(child) : child));
}

function toAlert(quote: Element): Element {
  const paragraph = quote.tagName === "blockquote" ? quote.children.find(isElement) : undefined;
  const first = paragraph?.children[0];
  if (paragraph === undefined || first?.type !== "text") return quote;
  const match = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*(?:\n|$)/.exec(first.value);
  const kind = match?.[1];
  if (match === null || kind === undefined) return quote;
  const rest = removeMarker(paragraph.children, first, match[0].length);
  const title = createElement("p", ["markdown-alert-title"], [{ type: "text", value: TITLES[kind] ?? kind }]);
  const others = quote.children.filter((child) => child !== paragraph);
  const body: ElementContent[] = rest.length === 0 ? others : [createElement("p", [], rest), ...others];
  return createElement("div", ["markdown-alert", `markdown-alert-${kind.toLowerCase()}`], [title, ...body]);
}

/** Returns the text after the marker and its line break. */
function removeMarker(children: readonly ElementContent[], marker: Text, length: number): ElementContent[] {
  const left = marker.value.slice(length);
  const tail = children.slice(1);
  if (left !== "") return [{ type: "text", value: left }, ...tail];
  const afterBreak = tail[0] !== undefined && isElement(tail[0]) && tail[0].tagName === "br";
  return afterBreak ? tail.slice(1) : [...tail];
}

const isElement = (node: ElementContent): node is Element => node.type === "element";

const createElement = (tagName: string, classes: readonly string[], children: ElementContent[]): Element => ({
  type: "element",
  tagName,
  properties: classes.length === 0 ? {} : { className: [...classes] },
  children,
});

/** Turns every line break inside a paragraph into a break, as GitHub does in comments. */
const breakLines = (_state: unknown, { value }: MarkdownText): ElementContent[] =>
  value
    .split(/\r?\n/)
    .flatMap((line, index): ElementContent[] => [
      ...(index === 0 ? [] : [createElement("br", [], []), { type: "text", value: "\n" } as const]),
      { type: "text", value: line },
    ]);
