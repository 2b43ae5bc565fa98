import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { raw } from "hono/html";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { renderPage, setPageHeaders } from "./page/frame.ts";
import { html } from "./page/html.ts";

export const POLICY_REFERENCE = "/docs/policy";

/** For everybody, and the same until the next version. */
const CACHED = { "cache-control": "public, max-age=300" } as const;

/**
 * `GET /docs/policy`: the reference of the policy file as a page whose headings have GitHub's anchors, with its contents beside it. It has
 * no customer data, so it needs no token. The file is read at the first request.
 */
export function createPolicyReference(markdown: string): Hono {
  let page: string | null = null;
  return new Hono().get(POLICY_REFERENCE, setPageHeaders(), (context) => {
    page ??= renderReference(readFileSync(markdown, "utf8"));
    return context.html(page, 200, CACHED);
  });
}

const renderer = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeStringify);

const HEADING = /<(h[1-6])>(.*?)<\/\1>/g;

function renderReference(markdown: string): string {
  const whole = renderer.processSync(markdown).toString();
  const here = whole
    .replaceAll(/<a href="(?!#|https:)[^"]*">(.*?)<\/a>/g, "$1") // links to other files would lead nowhere
    .replaceAll(/<(table|pre)>/g, '<$1 tabindex="0">'); // they scroll sideways
  const headings = [...here.matchAll(HEADING)].flatMap(([, level, text = ""]) =>
    level === "h2" || level === "h3" ? [{ level, text }] : [],
  );
  const body = here.replaceAll(HEADING, (_whole, tag: string, text: string) => {
    return `<${tag} id="${deriveAnchor(text)}">${text}</${tag}>`;
  });
  // Raw: the project's own reference, in HTML that remark made.
  const content = html`<div class="reference">
<nav aria-label="Contents"><ul>
${headings.map(
  ({ level, text }) => html`<li class="${level}"><a href="#${deriveAnchor(text)}">${raw(text)}</a></li>
`,
)}
</ul></nav>
<article class="markdown">
${raw(body)}
</article>
</div>`;
  const trail = [{ text: "The policy file", href: POLICY_REFERENCE }];
  return renderPage({ title: "The policy file", trail, body: content }, null);
}

/** Returns GitHub's anchor of a heading: lower case, hyphens for spaces, no punctuation. */
const deriveAnchor = (html: string): string =>
  html
    .replaceAll(/<[^>]*>|&[^;]*;/g, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
