import type { Root } from "hast";
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { addAlerts } from "./alerts.ts";
import { createHardBreaks } from "./hard-breaks.ts";
import { linkReferences, type References } from "./references.ts";

/**
 * Renders text as GitHub does: GitHub's Markdown, sanitised by GitHub's allow-list, with alerts, mentions and references.
 * In comments a line break is a line break; in the output of a check it is a space.
 */
export function renderMarkdown(text: string, as: { references: References; breaks: boolean }): string {
  const file = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(as.breaks ? [createHardBreaks] : [])
    .use(remarkRehype, { allowDangerousHtml: true })
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
