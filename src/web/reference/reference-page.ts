import { createHash } from "node:crypto";
import Handlebars from "handlebars";
import type { ApiDocument } from "./api-document.ts";
import { buildReferenceView } from "./reference-view.ts";

/** A page and the only stylesheet that a browser may apply to it. */
export interface ReferencePage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** Renders the reference for people from the templates `reference/page` and `reference/style`. `templates`: all files of templates/. */
export function renderReferencePage(
  document: ApiDocument,
  templates: Readonly<Record<string, string>>,
): ReferencePage {
  const style = templates["reference/style"] ?? "";
  const handlebars = Handlebars.create();
  handlebars.registerHelper("words", (text: string) => new Handlebars.SafeString(formatCode(text)));
  handlebars.registerPartial("members", templates["reference/members"] ?? "");
  const fill = handlebars.compile(templates["reference/page"] ?? "", { strict: true });
  const html = fill({ ...buildReferenceView(document), style: new Handlebars.SafeString(style) });
  const digest = createHash("sha256").update(style).digest("base64");
  return {
    html,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

/** Escapes text; a part between backticks becomes code. */
const formatCode = (text: string): string =>
  Handlebars.escapeExpression(text).replace(/&#x60;(.+?)&#x60;/g, "<code>$1</code>");
