import { expect, test } from "vitest";
import { stageKey } from "../../src/report/model/stage-label.ts";

test("a stage's key names org, project and workspace", () => {
  expect(stageKey({ org: "acme", project: "shop", workspace: "prod/eu" })).toBe("acme/shop/prod/eu");
});

test("a slash in a project's name does not make two stages one", () => {
  const keys = [
    stageKey({ org: "acme", project: "shop", workspace: "eu/prod" }),
    stageKey({ org: "acme", project: "shop/eu", workspace: "prod" }),
    stageKey({ org: "acme/shop", project: "eu", workspace: "prod" }),
    stageKey({ org: "acme", project: "shop%2Feu", workspace: "prod" }),
  ];
  expect(new Set(keys).size).toBe(4);
});
