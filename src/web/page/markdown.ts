import type { Element, Root, RootContent } from "hast";
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import type { IconName } from "./icon-names.ts";

/** Markdown in a view of a page, as the comment has it: names from outside are escaped in it already. */
export class Markdown {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The comment's marks and what pages show instead: an icon and its tone. */
const MARKS: Readonly<Record<string, readonly [IconName, string]>> = {
  "⛔": ["x-circle-fill", "danger"],
  "⚠️": ["alert-fill", "attention"],
  "☑️": ["check-circle", "success"],
  "✅": ["check-circle-fill", "success"],
  "❓": ["question", "attention"],
  "✍️": ["pencil", "attention"],
  "✖️": ["x", "muted"],
  "➖": ["skip", "muted"],
};

/** The comment's headings are of level 4; those of pages follow the title. */
const LEVELS: Readonly<Record<string, string>> = { h3: "h2", h4: "h2", h5: "h3", h6: "h3" };

const adaptElements = () => (tree: Root) => visitElements(tree.children);

function visitElements(nodes: readonly RootContent[]): void {
  for (const node of nodes) {
    if (node.type !== "element") continue;
    adaptElement(node);
    visitElements(node.children);
  }
}

function adaptElement(element: Element): void {
  element.tagName = LEVELS[element.tagName] ?? element.tagName;
  if (element.tagName === "table") element.properties = { ...element.properties, tabIndex: 0 }; // it scrolls sideways
}

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize)
  .use(adaptElements)
  .use(rehypeStringify);

/** Renders Markdown as sanitized HTML; `renderIcon` returns an icon in a tone as HTML. */
export function renderMarkdown(
  { text }: Markdown,
  renderIcon: (name: IconName, tone: string) => string,
): string {
  const html = processor.processSync(text).toString();
  return html.replaceAll(MARK_PATTERN, (mark) => {
    const [name, tone] = MARKS[mark] ?? [];
    return name === undefined || tone === undefined ? mark : renderIcon(name, tone);
  });
}

const MARK_PATTERN = new RegExp(Object.keys(MARKS).join("|"), "gu");
