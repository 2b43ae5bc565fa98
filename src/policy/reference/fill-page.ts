import { renderCaseSchema, renderPolicySchema } from "./json-schema.ts";
import { renderKeyTable } from "./keys.ts";
import { renderNeedTable, renderTypeTable, renderVariableTable, renderWordTable } from "./language.ts";
import { renderLimitTable } from "./limits.ts";

/**
 * Fills in the generated parts of a page. `read` returns the text of a file by its path relative to the page.
 */
export function fillPage(page: string, read: (path: string) => string): string {
  return page.replaceAll(GENERATED_PART, (...matched: readonly unknown[]) => {
    const [, start, what, about, end] = matched.map(String);
    return `${start}${renderPart(what ?? "", about?.trim() ?? "", read)}\n${end}`;
  });
}

const GENERATED_PART = /(<!-- generated: (\w+)([^>]*?)-->\n)[\s\S]*?(<!-- end -->)/g;

function renderPart(what: string, about: string, read: (path: string) => string): string {
  switch (what) {
    case "keys":
      return renderKeyTable(renderPolicySchema(), about);
    case "cases":
      return renderKeyTable(renderCaseSchema(), about);
    case "limits":
      return renderLimitTable();
    case "variables":
      return renderVariableTable();
    case "types":
      return renderTypeTable();
    case "words":
      return renderWordTable();
    case "needs":
      return renderNeedTable();
    default:
      return `\`\`\`${what}\n${read(about).trimEnd()}\n\`\`\``;
  }
}
