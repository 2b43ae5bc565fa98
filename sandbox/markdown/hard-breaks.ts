import type { PhrasingContent, Root, Text } from "mdast";

/** Turns every line break inside a paragraph into a break, as GitHub does in comments. */
export const createHardBreaks = () => (tree: Root) => {
  insertBreaks(tree);
};

interface Parent {
  children: unknown[];
}

function insertBreaks(node: Parent): void {
  node.children = node.children.flatMap((child): readonly unknown[] =>
    isText(child) ? splitAtBreaks(child) : [child],
  );
  for (const child of node.children) if (isParent(child)) insertBreaks(child);
}

const splitAtBreaks = (text: Text): readonly PhrasingContent[] =>
  text.value
    .split(/\r?\n/)
    .flatMap((line, index): PhrasingContent[] => [
      ...(index === 0 ? [] : [{ type: "break" } as const]),
      { type: "text", value: line },
    ]);

const isText = (node: unknown): node is Text =>
  typeof node === "object" && node !== null && "type" in node && node.type === "text";

const isParent = (node: unknown): node is Parent =>
  typeof node === "object" && node !== null && "children" in node && Array.isArray(node.children);
