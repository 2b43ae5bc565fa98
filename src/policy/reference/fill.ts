import { caseSchemaText, policySchemaText } from "./json-schema.ts";
import { renderKeyTable } from "./keys.ts";
import { renderNeedTable, renderTypeTable, renderVariableTable } from "./language.ts";
import { renderLimitTable } from "./limits.ts";

/**
 * Fills in the generated parts of a page. `read` returns the text of a file by its path relative to the page.
 */
export function fillPage(page: string, read: (path: string) => string): string {
  return page.replaceAll(MARKED, (...matched: readonly unknown[]) => {
    const [, start, what, about, end] = matched.map(String);
    return `${start}${partOf(what ?? "", about?.trim() ?? "", read)}\n${end}`;
  });
}

const MARKED = /(<!-- generated: (\w+)([^>]*?)-->\n)[\s\S]*?(<!-- end -->)/g;

function partOf(what: string, about: string, read: (path: string) => string): string {
  switch (what) {
    case "keys":
      return renderKeyTable(policySchemaText(), about);
    case "cases":
      return renderKeyTable(caseSchemaText(), about);
    case "limits":
      return renderLimitTable();
    case "variables":
      return renderVariableTable();
    case "types":
      return renderTypeTable();
    case "needs":
      return renderNeedTable();
    default:
      return `\`\`\`${what}\n${read(about).trimEnd()}\n\`\`\``;
  }
}
