import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";

/** A node of the Markdown tree, as far as these tests look at it. */
export interface Node {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly children?: readonly Node[];
}

const parser = unified().use(remarkParse).use(remarkGfm);

/** Reads GitHub-flavoured Markdown as GitHub's own parser does. */
export const parse = (markdown: string): Node => parser.parse(markdown);

export const walk = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(walk)];

export const textOf = (node: Node): string => node.value ?? (node.children ?? []).map(textOf).join("");

/** Everything a name from outside must not bring about. */
const ACTIVE = new Set([
  "image",
  "imageReference",
  "linkReference",
  "definition",
  "emphasis",
  "delete",
  "footnoteReference",
  "code",
]);

/** What acts in this Markdown beside what the templates themselves write: empty when all names are inert. */
export function active(root: Node, allowedUrl: string | null): string[] {
  return walk(root).flatMap((node) => {
    if (ACTIVE.has(node.type)) return [`${node.type}: ${textOf(node)}`];
    if (node.type === "link" && node.url !== allowedUrl) return [`link: ${node.url}`];
    if (node.type === "html" && !OURS.test(node.value ?? "")) return [`html: ${node.value}`];
    return [];
  });
}

const OURS = /^(?:<details>\n<summary>[\w ,]+<\/summary>|<\/details>|<\/?sub>)$/;

/** The tree's shape without any words: a name that changes it has done something. */
export function skeleton(node: Node): string {
  const inner = (node.children ?? []).map(skeleton).filter((child) => child !== "");
  return node.type === "text"
    ? ""
    : `${node.type}${node.type === "html" ? `=${node.value}` : ""}(${inner.join(",")})`;
}

export const codes = (root: Node): string[] =>
  walk(root).flatMap((node) => (node.type === "inlineCode" ? [node.value ?? ""] : []));

/** The words outside code spans, without the marks that keep right-to-left names apart. */
export const words = (root: Node): string =>
  walk(root)
    .flatMap((node) => (node.type === "text" ? [node.value ?? ""] : []))
    .join("")
    .replaceAll(/[\u2068\u2069]/g, "");

/** Each table as rows of cell texts, its header first. */
export const tables = (root: Node): string[][][] =>
  walk(root)
    .filter(({ type }) => type === "table")
    .map((table) => (table.children ?? []).map((row) => (row.children ?? []).map(textOf)));
