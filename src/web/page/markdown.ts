import type { Element, Root, RootContent } from "hast";
import { raw } from "hono/html";
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { type Html, html, type IconName, icon } from "./html.ts";

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

/** Adapts the elements, and replaces marks by icons in texts only: an attribute holds no icon. */
function adaptNodes(nodes: readonly RootContent[]): RootContent[] {
  return nodes.flatMap((node): RootContent[] => {
    if (node.type === "text") return replaceMarks(node.value);
    if (node.type !== "element") return [node];
    const tagName = LEVELS[node.tagName] ?? node.tagName;
    // A table scrolls sideways.
    const properties = node.tagName === "table" ? { ...node.properties, tabIndex: 0 } : node.properties;
    // Children of an element are contents of a root, but for the document type.
    const children = adaptNodes(node.children) as Element["children"];
    return [{ ...node, tagName, properties, children }];
  });
}

function replaceMarks(text: string): RootContent[] {
  return text.split(MARK_PATTERN).map((part): RootContent => {
    const [name, tone] = MARKS[part] ?? [];
    return name === undefined || tone === undefined
      ? { type: "text", value: part }
      : { type: "raw", value: String(html`<span class="mark ${tone}">${icon(name)}</span>`) };
  });
}

const MARK_PATTERN = new RegExp(`(${Object.keys(MARKS).join("|")})`, "u");

const reader = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize);
/** After sanitising, only the icons are raw. */
const writer = unified().use(rehypeStringify, { allowDangerousHtml: true });

/** Renders Markdown of the comment, in which names from outside are escaped already. Raw: the result is sanitized. */
export function renderMarkdown(text: string): Html {
  const tree: Root = reader.runSync(reader.parse(text));
  return raw(writer.stringify({ ...tree, children: adaptNodes(tree.children) }));
}
