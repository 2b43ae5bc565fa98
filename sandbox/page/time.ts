import { html } from "hono/html";
import type { Html } from "./layout.ts";

const FORMAT = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** Renders a time for people, in UTC, with the exact time as an attribute. */
export const moment = (at: number): Html => {
  const exact = new Date(at).toISOString();
  return html`<time datetime="${exact}" title="${exact}">${FORMAT.format(at)} UTC</time>`;
};
