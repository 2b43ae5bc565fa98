import { expect, test } from "vitest";
import { buildStageKey } from "../../src/report/model/stage-label.ts";

test("a stage's key names org, project and workspace", () => {
  expect(buildStageKey({ org: "acme", project: "shop", workspace: "prod/eu" })).toBe("acme/shop/prod/eu");
});

test("a slash in a project's name does not make two stages one", () => {
  const keys = [
    buildStageKey({ org: "acme", project: "shop", workspace: "eu/prod" }),
    buildStageKey({ org: "acme", project: "shop/eu", workspace: "prod" }),
    buildStageKey({ org: "acme/shop", project: "eu", workspace: "prod" }),
    buildStageKey({ org: "acme", project: "shop%2Feu", workspace: "prod" }),
  ];
  expect(new Set(keys).size).toBe(4);
});

test("an execution whose workspaces are unknown is no stage of the workspace that has its id as a name", () => {
  const stage = { org: "acme", project: "shop", workspace: "production" };
  expect(buildStageKey({ ...stage, isUnread: true })).not.toBe(buildStageKey(stage));
});
