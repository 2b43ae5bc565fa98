import type { Element, ElementContent, Root, Text } from "hast";

const TITLES: Readonly<Record<string, string>> = {
  NOTE: "Note",
  TIP: "Tip",
  IMPORTANT: "Important",
  WARNING: "Warning",
  CAUTION: "Caution",
};

/** Turns top-level quotes that begin with a marker such as "[!NOTE]" into GitHub's coloured alerts. */
export function addAlerts(tree: Root): void {
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
