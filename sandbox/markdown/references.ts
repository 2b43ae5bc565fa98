import type { Element, ElementContent, Root, Text } from "hast";

/** Returns the target of a mention or an issue number; null when it does not exist. */
export interface References {
  person(login: string): string | null;
  team(organisation: string, slug: string): string | null;
  pull(number: number): string | null;
}

/** Text inside these elements stays unchanged. */
const OPAQUE_ELEMENTS = ["a", "code", "pre"];

/** Links "@login", "@organisation/team" and "#1" as GitHub does, unintended ones included, so that tests find them. */
export function linkReferences(node: Root | Element, references: References): void {
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
