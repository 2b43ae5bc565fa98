import { readFileSync } from "node:fs";
import { Hono } from "hono";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

/** The path of the policy file's reference. */
export const POLICY_PAGE = "/docs/policy";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  "cache-control": "public, max-age=300",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/**
 * `GET /docs/policy`: the reference of the policy file as a page whose headings have GitHub's anchors. It contains no customer
 * data, so it needs no token. Each file, named by its path, is read at its first request.
 */
export function createPolicyPageRoute({
  markdown,
  style,
}: {
  readonly markdown: string;
  readonly style: string;
}): Hono {
  let page: string | null = null;
  return new Hono()
    .get(POLICY_PAGE, (context) => {
      page ??= renderPolicyPage(readFileSync(markdown, "utf8"));
      return context.body(page, 200, HEADERS);
    })
    .get(`${POLICY_PAGE}/style.css`, (context) =>
      context.body(readFileSync(style, "utf8"), 200, {
        ...HEADERS,
        "content-type": "text/css; charset=utf-8",
      }),
    );
}

const renderer = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeStringify);

function renderPolicyPage(markdown: string): string {
  const html = renderer.processSync(markdown).toString();
  const here = html.replaceAll(/<a href="(?!#|https:)[^"]*">(.*?)<\/a>/g, "$1"); // links to other files would lead nowhere
  const body = here.replaceAll(/<(h[1-6])>(.*?)<\/\1>/g, (_whole, tag: string, text: string) => {
    return `<${tag} id="${deriveAnchor(text)}">${text}</${tag}>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The policy file · Tollgate</title>
<link rel="stylesheet" href="${POLICY_PAGE}/style.css">
</head>
<body class="markdown-body">
${body}
</body>
</html>
`;
}

/** Returns GitHub's anchor of a heading: lower case, hyphens for spaces, no punctuation. */
const deriveAnchor = (html: string): string =>
  html
    .replaceAll(/<[^>]*>|&[^;]*;/g, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
