import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { collectHandlers } from "./deliveries.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const app = parse(read("app.yml")) as {
  default_permissions: Record<string, string>;
  default_events: string[];
};
const page = read("docs/permissions.md");
/** GitHub sends these to every App; a manifest may not name them. */
const UNASKED = [
  "github_app_authorization",
  "installation",
  "installation_repositories",
  "installation_target",
];

/** First cells of the tables under a heading, with their second cells. */
function table(heading: string): Map<string, string> {
  const section = page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = [...section.matchAll(/^\| `([a-z_]+)` \| ([^|]+) \|/gm)];
  return new Map(rows.map((row) => [row[1] ?? "", (row[2] ?? "").trim()]));
}

describe("the App's permissions and events", () => {
  it("are exactly those that the design needs", () => {
    expect(app.default_permissions).toEqual({
      checks: "write",
      contents: "read",
      issues: "read",
      members: "read",
      merge_queues: "read",
      metadata: "read",
      pull_requests: "write",
      statuses: "read",
    });
  });

  it("have a reason in the docs for every permission", () => {
    expect(Object.fromEntries(table("Permissions"))).toEqual(app.default_permissions);
  });

  it("have a reason for every event, and no other event is handled", () => {
    expect([...table("Events").keys()].sort()).toEqual([...app.default_events].sort());
    expect([...collectHandlers().keys()].sort()).toEqual([...app.default_events, ...UNASKED].sort());
  });
});
