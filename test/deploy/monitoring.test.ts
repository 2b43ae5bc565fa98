import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseQuery } from "./promql.ts";
import { readAlerts, readQueries } from "./queries.ts";

it("every query of the dashboard and of the alerts is PromQL that reads a metric", () => {
  const wrong = readQueries().filter(({ query }) => {
    const { isValid, metrics } = parseQuery(query);
    return !isValid || metrics.length === 0 || metrics.some(({ name }) => name === "");
  });
  expect(wrong).toEqual([]);
});

it("every alert links to a section of the page about what goes wrong", () => {
  const page = readFileSync("docs/troubleshooting.md", "utf8");
  const anchors = new Set([...page.matchAll(/^## (.*)$/gm)].map(([, title = ""]) => toAnchor(title)));
  const dead = readAlerts().filter(({ annotations: { runbook } }) => {
    const [path, anchor = ""] = runbook.split("#");
    return path !== "docs/troubleshooting.md" || !anchors.has(anchor);
  });
  expect(dead.map(({ alert }) => alert)).toEqual([]);
});

/** As GitHub makes the address of a heading. */
const toAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
