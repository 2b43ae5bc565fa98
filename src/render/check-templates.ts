import { suggestChoice } from "../kernel/suggest.ts";
import { TITLE_LENGTH } from "./check-view.ts";
import { COMMENT_BYTES } from "./comment-sections.ts";
import { checkTemplate, listFields } from "./handlebars/check-template.ts";
import { TemplateFailure } from "./handlebars/templates.ts";
import { createNotificationRenderer } from "./notifications/message-text.ts";
import { SAMPLE_NOTIFICATIONS } from "./notifications/sample-notifications.ts";
import { createRenderer, type Links } from "./renderer.ts";
import { SAMPLE_ANSWERS, SAMPLE_EVALUATIONS } from "./sample-evaluations.ts";
import { countBytes } from "./sections/budget.ts";

type Templates = Readonly<Record<string, string>>;

/**
 * Lists every mistake in `replacements`, which replace `shipped` templates of the same name:
 * `name.hbs:line:column what was found; what was expected`. If there are none, the templates were filled with
 * a sample of the comment, the check and the answers in each situation.
 */
export function checkTemplates(shipped: Templates, replacements: Templates): readonly string[] {
  const names = { fields: listFields(shipped), templates: Object.keys(shipped) };
  const problems = Object.entries(replacements).flatMap(([name, text]) => {
    if (!names.templates.includes(name)) return [describeUnknownFile(name, names.templates)];
    return checkTemplate(text, names).map(
      ({ line, column, message }) => `${name}.hbs:${line}:${column} ${message}`,
    );
  });
  return problems.length > 0 ? problems : [...new Set(fillSamples({ ...shipped, ...replacements }))];
}

function describeUnknownFile(name: string, known: readonly string[]): string {
  const meant = suggestChoice(name, known);
  const expected = meant === null ? "expected the name of a shipped template" : `did you mean ${meant}.hbs?`;
  return `${name}.hbs:1:1 replaces no shipped template; ${expected}`;
}

const SAMPLE_LINKS: Links = {
  details: "https://tollgate.example/1",
  recheckHint: true,
  commentBytes: Number.POSITIVE_INFINITY,
};

const SAMPLE_ADDRESSES = { github: "https://github.com", tollgate: "https://tollgate.example" };

function fillSamples(templates: Templates): readonly string[] {
  return [...fillSampleEvaluations(templates), ...fillSampleNotifications(templates)];
}

function fillSampleNotifications(templates: Templates): readonly string[] {
  const renderer = createNotificationRenderer(templates, SAMPLE_ADDRESSES);
  return SAMPLE_NOTIFICATIONS.flatMap((notification) => {
    try {
      renderer.message([notification], { target: "finops", isDigest: false });
      renderer.message([notification], { target: "finops", isDigest: true });
      return [];
    } catch (error) {
      if (error instanceof TemplateFailure) return [error.message];
      throw error;
    }
  });
}

function fillSampleEvaluations(templates: Templates): readonly string[] {
  const renderer = createRenderer(templates);
  return SAMPLE_EVALUATIONS.flatMap((evaluation) => {
    try {
      for (const answer of SAMPLE_ANSWERS) renderer.answer(answer, evaluation);
      const { kind } = evaluation.situation;
      return [
        ...findExcessLength(
          `the comment (${kind}) in bytes`,
          countBytes(renderer.comment(evaluation, SAMPLE_LINKS)),
          COMMENT_BYTES,
        ),
        ...findExcessLength(
          `the title (${kind}) in characters`,
          renderer.title(evaluation).length,
          TITLE_LENGTH,
        ),
        ...findExcessLength(
          `the summary (${kind}) in bytes`,
          countBytes(renderer.check(evaluation, SAMPLE_LINKS).summary),
          COMMENT_BYTES,
        ),
      ];
    } catch (error) {
      if (error instanceof TemplateFailure) return [error.message];
      throw error;
    }
  });
}

const findExcessLength = (what: string, found: number, most: number): readonly string[] =>
  found <= most
    ? []
    : [`${what}: found ${found} with these templates, expected at most ${most}; shorten them`];
