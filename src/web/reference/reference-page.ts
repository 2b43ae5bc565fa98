import { createHash } from "node:crypto";
import Handlebars from "handlebars";
import type { ApiDocument } from "./api-document.ts";
import { referenceView } from "./reference-view.ts";

/** A page, and the only style that a browser may apply to it. */
export interface ReferencePage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** The reference for people. `templates`: the files of templates/, of which it takes `reference/page` and `reference/style`. */
export function referencePage(
  document: ApiDocument,
  templates: Readonly<Record<string, string>>,
): ReferencePage {
  const style = templates["reference/style"] ?? "";
  const handlebars = Handlebars.create();
  handlebars.registerHelper("words", (text: string) => new Handlebars.SafeString(withCode(text)));
  handlebars.registerPartial("members", templates["reference/members"] ?? "");
  const fill = handlebars.compile(templates["reference/page"] ?? "", { strict: true });
  const html = fill({ ...referenceView(document), style: new Handlebars.SafeString(style) });
  const digest = createHash("sha256").update(style).digest("base64");
  return {
    html,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

/** Text as it is, but for what stands between backticks. */
const withCode = (text: string): string =>
  Handlebars.escapeExpression(text).replace(/&#x60;(.+?)&#x60;/g, "<code>$1</code>");
