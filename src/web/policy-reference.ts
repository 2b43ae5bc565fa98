import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { raw } from "hono/html";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { renderDocument, setPageHeaders } from "./page/frame.ts";
import { html } from "./page/html.ts";

export const POLICY_REFERENCE = "/docs/policy";

/** For everybody, and the same until the next version. */
const CACHED = { "cache-control": "public, max-age=300" } as const;

/**
 * `GET /docs/policy`: the reference of the policy file as a page whose headings have GitHub's anchors. It contains no customer
 * data, so it needs no token. Each file, named by its path, is read at its first request.
 */
export function createPolicyReference({
  markdown,
  style,
}: {
  readonly markdown: string;
  readonly style: string;
}): Hono {
  let page: string | null = null;
  return new Hono()
    .get(POLICY_REFERENCE, setPageHeaders(), (context) => {
      page ??= renderReference(readFileSync(markdown, "utf8"));
      return context.html(page, 200, CACHED);
    })
    .get(STYLE_PATH, setPageHeaders(), (context) =>
      context.body(readFileSync(style, "utf8"), 200, {
        ...CACHED,
        "content-type": "text/css; charset=utf-8",
      }),
    );
}

const STYLE_PATH = `${POLICY_REFERENCE}/style.css`;

const renderer = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeStringify);

function renderReference(markdown: string): string {
  const whole = renderer.processSync(markdown).toString();
  const here = whole.replaceAll(/<a href="(?!#|https:)[^"]*">(.*?)<\/a>/g, "$1"); // links to other files would lead nowhere
  const body = here.replaceAll(/<(h[1-6])>(.*?)<\/\1>/g, (_whole, tag: string, text: string) => {
    return `<${tag} id="${deriveAnchor(text)}">${text}</${tag}>`;
  });
  // Raw: the project's own reference, in HTML that remark made.
  const content = html`<body class="markdown-body">
${raw(body)}
</body>`;
  return renderDocument({ title: "The policy file", style: { path: STYLE_PATH }, body: content });
}

/** Returns GitHub's anchor of a heading: lower case, hyphens for spaces, no punctuation. */
const deriveAnchor = (html: string): string =>
  html
    .replaceAll(/<[^>]*>|&[^;]*;/g, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
