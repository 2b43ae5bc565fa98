import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { eventually } from "../world/eventually.ts";
import { InstalledPackage } from "./installed-package.ts";

const DEMO = "node_modules/tollgate/examples/demo";

describe("the package that npm pack makes, installed into an empty folder", () => {
  let user: InstalledPackage;
  beforeAll(async () => {
    user = await InstalledPackage.install();
  });
  afterAll(() => user?.remove());

  test("it brings no other package and takes less than 40 MB", () => {
    expect(Object.keys(manifest).filter((key) => /^(optionalD|d)ependencies$/.test(key))).toEqual([]);
    const { packages, megabytes } = user.measure();
    expect(packages).toEqual(["tollgate"]);
    expect(megabytes).toBeLessThan(40);
  });

  test("tollgate --version prints the version of package.json", async () => {
    expect(await user.tollgate("--version")).toBe(`${manifest.version}\n`);
  });

  test("tollgate preview evaluates the shipped example with its plan, its estimate and its policy", async () => {
    const files = ["plan", "infracost"].flatMap((kind) => [
      `--${kind}`,
      `${DEMO}/right-size/production.${kind}.json`,
    ]);
    const policy = ["--policy", `${DEMO}/tollgate.yml`];
    const comment = await user.tollgate("preview", ...files, ...policy);
    expect(comment.split("\n", 1)).toMatchInlineSnapshot(`
      [
        "### ✅ Passed: saves $926.49 per month (−50.14%)",
      ]
    `);
  });

  test("tollgate demo --once serves its three pull requests at the given port, and prints the check of each", async () => {
    const port = await findFreePort();
    const printed = user.tollgate("demo", "--once", "--port", String(port));
    for (const number of [1, 2, 3])
      await eventually(async () => {
        const page = await fetch(`http://127.0.0.1:${port}/example/shop-infra/pull/${number}`);
        expect(page.status).toBe(200);
      });
    expect((await printed).match(/^(# |tollgate: ).*$/gm)?.join("\n")).toMatchInlineSnapshot(`
      "# Right-size the web tier and its database (#1)
      tollgate: main  success
      # Run the shop in three zones (#2)
      tollgate: main  action_required
      # Move reports to a queue (#3)
      tollgate: main  failure"
    `);
  });

  test("a program in TypeScript passes the default export to Probot, and its types fit", async () => {
    const source = `
      import type { ApplicationFunction } from "probot";
      import tollgate from "tollgate";
      const app: ApplicationFunction = tollgate;
      // @ts-expect-error: the types are not any
      const wrong: number = tollgate;
      console.log(typeof app === typeof wrong && app.name);
    `;
    expect(await user.runTypeScript("server.ts", source)).toBe("tollgate\n");
  });
});
