import { describe, expect, test } from "vitest";
import { toRepositoryPath } from "../../src/plan-files/estimate/code-place.ts";
import { maskStage } from "../../src/plan-files/estimate/project-stage.ts";
import { readEstimate } from "../../src/plan-files/estimate/read-estimate.ts";
import { inPieces, utf8 } from "./bytes.ts";
import { breakdown, estimate, project, scan, scanProject, scanResource } from "./estimate-builder.ts";
import { planOf, readPlanOf } from "./plan-builder.ts";

const findRoot = (file: string) => (/^C:/.test(file) ? "C:\\work\\shop" : "/home/runner/work/shop/");

describe("the path of a file from the repository's root on", () => {
  test.each<[string, string, string | undefined, string | null]>([
    ["is relative to the folder of the estimate", "main.tf", "infra/prod", "infra/prod/main.tf"],
    ["is relative to the root without one", "./infra//main.tf", undefined, "infra/main.tf"],
    ["may lead to another folder", "../modules/web/main.tf", "infra/prod", "infra/modules/web/main.tf"],
    ["never leads out of the repository", "../../../main.tf", "infra/prod", null],
    ["never leads out of it and back", "../../shop/main.tf", "infra", null],
    ["has Windows separators as slashes", "modules\\web\\main.tf", "infra", "infra/modules/web/main.tf"],
    ["is cut from an absolute path", "/home/runner/work/shop/infra/main.tf", "other", "infra/main.tf"],
    ["is cut from a Windows path", "C:\\work\\shop\\infra\\main.tf", undefined, "infra/main.tf"],
    ["is unknown for a path elsewhere", "/home/runner/work/shop2/main.tf", undefined, null],
    ["is unknown for one that leaves it", "/home/runner/work/shop/../x/main.tf", undefined, null],
    ["is unknown for a share", "\\\\server\\share\\main.tf", undefined, null],
    ["is unknown in a copy of a module", ".terraform/modules/vpc/main.tf", "infra", null],
    ["is unknown in Infracost's copy", "a/.infracost/terraform_modules/30b6/main.tf", "infra", null],
    ["is unknown for an address", "https://example.com/blob/HEAD/main.tf", undefined, null],
    ["is unknown with a control character", "infra/ma\nin.tf", undefined, null],
    ["is unknown where it is endless", "a".repeat(1_001), undefined, null],
    ["keeps other characters", "in fra/ä %2e`<b>#?.tf", "x", "x/in fra/ä %2e`<b>#?.tf"],
  ])("%s", (...[, path, projectRoot, expected]) => {
    expect(toRepositoryPath(path, { projectRoot, findRoot })).toBe(expected);
  });
});

const read = async (document: object, projectRoot?: string) => {
  const bytes = inPieces(utf8(JSON.stringify(document)));
  const { whole } = await readEstimate({
    ...{ file: "costs.json", bytes, fallback: "costs" },
    roots: { findRoot, projectRoot },
  });
  return whole;
};
const placesOf = async (document: object, projectRoot?: string) =>
  (await read(document, projectRoot)).cost.estimate?.places;

describe("the place of a resource", () => {
  const located = (name: string, filename: string | null, start_line: number | null = 3) =>
    scanResource(name, { metadata: { filename, start_line } });

  test("is read from a scan for priced, free and unsupported resources", async () => {
    const resources = [
      located("aws_instance.web", "main.tf"),
      { ...located("aws_iam_role.web", "iam.tf", 7), is_free: true, cost_components: null },
      { ...located("azapi_resource.one", "../main.tf"), is_supported: false },
      located("aws_instance.elsewhere", "../../main.tf"),
      located("aws_instance.no_line", "main.tf", null),
      located("aws_instance.no_file", null),
    ];
    expect(await placesOf(scan([scanProject(resources)]), "infra")).toEqual({
      "aws_instance.web": { file: "infra/main.tf", line: 3 },
      "aws_iam_role.web": { file: "infra/iam.tf", line: 7 },
      "azapi_resource.one": { file: "main.tf", line: 3 },
    });
  });

  test("is unknown where two projects have the address at different places", async () => {
    const [one, same, other] = ["a.tf", "a.tf", "b.tf"].map((file) => located("aws_instance.web", file));
    const projects = (...of: (object | undefined)[]) =>
      scan(of.map((r, at) => scanProject([r ?? {}], { project_name: `p${at}` })));
    expect(await placesOf(projects(one, same))).toEqual({ "aws_instance.web": { file: "a.tf", line: 3 } });
    expect(await placesOf(projects(one, other))).toBeUndefined();
  });

  const call = (filename: string, startLine: number) => ({ filename, startLine });
  const outer = call("main.tf", 4);
  test.each<[string, object, string, { file: string; line: number } | null]>([
    [
      "the resource itself",
      { calls: [outer, call("modules/web/main.tf", 9)] },
      ".",
      { file: "infra/modules/web/main.tf", line: 9 },
    ],
    [
      "the call of a module from elsewhere",
      { calls: [outer, call(".infracost/m/main.tf", 9)] },
      ".",
      { file: "infra/main.tf", line: 4 },
    ],
    ["a resource without calls", call("main.tf", 2), ".", { file: "infra/main.tf", line: 2 }],
    ["a path from the root on", call("infra/main.tf", 2), "infra", { file: "infra/main.tf", line: 2 }],
    ["nothing without a line", { filename: "main.tf", calls: [{ filename: "main.tf" }] }, ".", null],
  ])("of an estimate of 0.10 is that of %s", async (...[, metadata, path, place]) => {
    const own = breakdown("1", [{ name: "aws_instance.web", monthlyCost: "1", metadata }]);
    const one = project("shop", ["1", "1", "0"], {
      breakdown: own,
      metadata: { path, vcsSubPath: "infra" },
    });
    expect(await placesOf(estimate([one], ["1", "1", "0"]))).toEqual(
      place === null ? undefined : { "aws_instance.web": place },
    );
  });

  test("is left out with what a plan marks as sensitive in its path, and found by the masked address", async () => {
    const secret = "correct-horse-battery";
    const snapshot = await readPlanOf(
      planOf({ after: { password: secret }, after_sensitive: { password: true } }),
    );
    const whole = await read(
      scan([
        scanProject([
          located("aws_instance.web", `${secret}/main.tf`),
          located(`aws_instance.app["${secret}"]`, "main.tf"),
        ]),
      ]),
    );
    const { cost } = maskStage(whole, snapshot);
    const { resources = [], places = {} } = cost.estimate ?? {};
    const app = resources.map(({ address }) => address).filter((address) => address.includes("app"));
    expect(Object.keys(places)).toEqual(app);
    expect(app.join()).not.toContain(secret);
  });
});
