import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import manifest from "../../package.json" with { type: "json" };
import { createInstalledPage } from "../../src/web/setup/setup-pages.ts";
import { ROOT } from "./claims.ts";
import { unknownCommands } from "./command-lines.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const ActionFile = z.object({ inputs: z.record(z.string(), z.unknown()) });
const { inputs } = ActionFile.parse(parse(read("action.yml")));

const Permissions = z.record(z.string(), z.string()).default({});
const Step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
});
const Workflow = z.object({
  name: z.string(),
  on: z.unknown(),
  permissions: Permissions,
  jobs: z.record(
    z.string(),
    z.object({ "runs-on": z.string(), permissions: Permissions, steps: z.array(Step).min(1) }),
  ),
});

interface Recipe {
  readonly page: string;
  /** Name of the file that the page shows. */
  readonly file: string;
  readonly text: string;
}

/** The files that a page shows: a fenced block after a line that names its file. */
const recipes: readonly Recipe[] = globSync("docs/ci/*.md", { cwd: ROOT })
  .sort()
  .flatMap((page) =>
    [...read(page).matchAll(/`([\w./-]+)`[^\n`]*:\n\n```(?:yaml|groovy)\n([\s\S]*?)\n```/g)].map(
      ([, file = "", text = ""]) => ({ page, file, text }),
    ),
  );
const workflows = recipes.filter(({ file }) => file.startsWith(".github/workflows/"));
const named = (all: readonly Recipe[]) =>
  all.map((recipe) => [`${recipe.page} ${recipe.file}`, recipe] as const);

/** Every text of a YAML document. */
const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
};
const linesOf = ({ file, text }: Recipe): readonly string[] =>
  (file === "Jenkinsfile" ? [text] : textsOf(parse(text))).flatMap((one) => one.split("\n"));

it("the pages of docs/ci show fourteen complete files", () => {
  expect(recipes).toHaveLength(14);
});

describe("a recipe", () => {
  it.each(named(workflows))("%s is a workflow", (_, { text }) => {
    expect(Workflow.safeParse(parse(text)).error).toBeUndefined();
  });

  it.each(named(workflows))("%s uses inputs that action.yml has, and today's version", (_, { text }) => {
    const { jobs } = Workflow.parse(parse(text));
    const own = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter(({ uses = "" }) => uses.includes("/tollgate@")),
    );
    for (const { uses, with: given } of own) {
      expect(uses).toBe(`OWNER/tollgate@v${manifest.version}`);
      expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
    }
  });

  it.each(named(workflows))("%s grants a job that writes the check what it needs", (_, { text }) => {
    const { jobs, permissions } = Workflow.parse(parse(text));
    for (const job of Object.values(jobs)) {
      const isCheck = job.steps.some(
        ({ uses = "", run = "", with: given }) =>
          run.includes("tollgate ci") ||
          (uses.includes("/tollgate@") && !["send", "verify"].includes(String(given["mode"]))),
      );
      const granted = { ...permissions, ...job.permissions };
      if (isCheck)
        expect(granted).toMatchObject({ checks: "write", contents: "read", "pull-requests": "write" });
    }
  });

  it.each(named(recipes))("%s calls commands and options that the command line has", async (_, recipe) => {
    const calls = linesOf(recipe).filter((line) => /(^|\s)tollgate (ci|platform|verify)/.test(line));
    const text = calls
      .map((line) => `\`\`\`sh\n${line.trim().replace("npx --yes ", "")}\n\`\`\`\n`)
      .join("\n");
    expect(await unknownCommands({ path: recipe.page, text })).toEqual([]);
  });
});

it("each recipe that plans prints the plan and the estimate by the documented lines", () => {
  const planning = recipes.filter(({ text }) => /\b(terraform|tofu)\b.* plan /.test(text));
  expect(planning.length).toBeGreaterThan(3);
  for (const { text } of planning) {
    expect(text).toMatch(/(terraform|tofu)( -chdir=infra)? show -json tfplan\.binary > plan\.json/);
    expect(text).toContain("infracost diff --path plan.json --format json --out-file infracost.json");
  }
});

it("the setup pages show the workflow of send mode as the documents do, with the address of the server", async () => {
  const url = "https://tollgate.acme.example";
  const page = await createInstalledPage(url).request("/setup/installed");
  const shown = [...(await page.text()).matchAll(/<pre tabindex="0">(name: [\s\S]*?)<\/pre>/g)].map(
    ([, text = ""]) => text.replaceAll("&gt;", ">"),
  );
  const documented = workflows.find(({ text }) => text.includes("mode: send"));
  expect(documented).toBeDefined();
  expect(shown).toEqual([`${documented?.text.replace("https://tollgate.example.com", url)}\n`]);
});
