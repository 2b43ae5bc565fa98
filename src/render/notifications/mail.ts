import Handlebars from "handlebars";
import { shorten } from "../../kernel/shorten.ts";
import type { MessagePart, MessageText } from "./message-text.ts";

/** An e-mail without its addresses. */
export interface Mail {
  /** One line without control characters. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** In characters: longer subjects are cut by most programs. */
const SUBJECT_LENGTH = 180;

/** Formats a message as an e-mail, in plain text and as HTML without styles, images and scripts from elsewhere. */
export const formatMail = ({ title, parts, footer }: MessageText): Mail => ({
  subject: shorten(title.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " "), SUBJECT_LENGTH),
  text: `${[title, ...parts.map(formatPlainPart), `-- \n${footer}`].join("\n\n")}\n`,
  html: [
    "<!doctype html>",
    '<meta charset="utf-8">',
    `<body style="font:14px/1.5 system-ui,sans-serif"><h1 style="font-size:18px">${Handlebars.escapeExpression(title)}</h1>`,
    ...parts.map(formatHtmlPart),
    `<p style="color:#59636e">${Handlebars.escapeExpression(footer)}</p></body>`,
  ].join("\n"),
});

const formatPlainPart = ({ heading, lines, links }: MessagePart): string =>
  [
    ...(heading === null ? [] : [heading]),
    ...lines,
    ...links.map(({ label, url }) => `${label}: ${url}`),
  ].join("\n");

const formatHtmlPart = ({ heading, lines, links }: MessagePart): string =>
  [
    ...(heading === null ? [] : [`<h2 style="font-size:15px">${Handlebars.escapeExpression(heading)}</h2>`]),
    `<p>${lines.map((line) => Handlebars.escapeExpression(line)).join("<br>\n")}</p>`,
    ...(links.length === 0 ? [] : [`<p>${links.map(formatLink).join(" &middot; ")}</p>`]),
  ].join("\n");

const formatLink = ({ label, url }: MessagePart["links"][number]): string =>
  `<a href="${Handlebars.escapeExpression(url)}">${Handlebars.escapeExpression(label)}</a>`;
