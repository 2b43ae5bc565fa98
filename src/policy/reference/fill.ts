import { caseSchemaText, policySchemaText } from "./json-schema.ts";
import { keyTable } from "./keys.ts";
import { needTable, typeTable, variableTable } from "./language.ts";
import { limitTable } from "./limits.ts";

/** Makes the parts of a page that are generated: `read` gives the text of a file that it shows, by its path from the page. */
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
      return keyTable(policySchemaText(), about);
    case "cases":
      return keyTable(caseSchemaText(), about);
    case "limits":
      return limitTable();
    case "variables":
      return variableTable();
    case "types":
      return typeTable();
    case "needs":
      return needTable();
    default:
      return `\`\`\`${what}\n${read(about).trimEnd()}\n\`\`\``;
  }
}
