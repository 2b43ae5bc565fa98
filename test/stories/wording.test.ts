import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
`;
const COST = { previous: "100", current: "600", change: "500" };

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: POLICY });
});
afterAll(() => world.ends());

type Files = Record<string, string | null>;
const onMain = (files: Files) => world.github.push({ repository: REPOSITORY, branch: "main", files });
const inOrganisation = (files: Files) =>
  world.github.push({ repository: "acme/.github", branch: "main", files });

async function judged(
  change: Parameters<World["opensPullRequest"]>[0] = {},
  address = "aws_db_instance.main",
) {
  const pull = world.opensPullRequest(change);
  await world.ci.runs({ sha: pull.headSha, cost: COST, changes: [{ address, change: "deleted" }] });
  await world.settles();
  return pull;
}

/** The comment's lines that are not said in Tollgate's own words. */
const own = (comment: string, plain: string): readonly string[] =>
  comment.split("\n").filter((line) => !plain.split("\n").includes(line));

describe("words of a team's own", () => {
  let pull: Awaited<ReturnType<typeof judged>>;
  let plain: string;

  it("of a repository stand in the comment as soon as they are on the base branch; the check is not written for them", async () => {
    pull = await judged();
    plain = world.comment(pull);
    const check = world.checkOf(pull);
    const before = world.github.requests.count();
    onMain({
      ".github/tollgate/next-step.hbs":
        "{{#if (eq kind 'block')}}**Stop.** {{broken}} {{plural broken 'rule is' 'rules are'}} broken on {{base}}: [what now?](https://wiki.example/cost){{else}}Fine.{{/if}}\n",
    });
    await world.settles();
    expect(own(world.comment(pull), plain)).toMatchInlineSnapshot(`
      [
        "**Stop.** 1 rule is broken on <code>main</code>: [what now?](https://wiki.example/cost)",
      ]
    `);
    expect(world.comment(pull).split("\n")[0]).toBe(plain.split("\n")[0]);
    expect(world.checkOf(pull)).toEqual(check);
    expect(world.github.requests.count() - before).toBeLessThanOrEqual(2);
  });

  it("of the organisation count where the repository has none of that name", async () => {
    world.github.createRepository({
      owner: "acme",
      name: ".github",
      files: {
        "tollgate/next-step.hbs": "The organisation's.\n",
        "tollgate/closing-note.hbs": "Questions? Ask in #finops. ({{repository}} #{{pull}})\n",
      },
    });
    await world.settles();
    inOrganisation({ "tollgate/findings-note.hbs": "{{broken}} to mend.\n" });
    await world.settles();
    const comment = world.comment(pull);
    expect(comment).toContain("**Stop.**");
    expect(comment).not.toContain("The organisation's.");
    expect(own(comment, plain)).toMatchInlineSnapshot(`
      [
        "**Stop.** 1 rule is broken on <code>main</code>: [what now?](https://wiki.example/cost)",
        "1 to mend.",
        "Questions? Ask in #finops. (<code>acme&#47;shop</code> #1)",
      ]
    `);
    onMain({ ".github/tollgate/next-step.hbs": null });
    await world.settles();
    expect(world.comment(pull).split("\n")[2]).toBe("The organisation's.");
  });

  it("are the base branch's, also for a pull request that edits them", async () => {
    onMain({ ".github/tollgate/next-step.hbs": "From the base.\n" });
    const editing = await judged({
      files: { "infra/main.tf": "#\n", ".github/tollgate/next-step.hbs": "All is well, merge!\n" },
    });
    expect(world.comment(editing).split("\n")[2]).toBe("From the base.");
    expect(world.comment(editing)).not.toContain("All is well");
  });

  it("that cannot be filled, or would replace the verdict, are told with their place, and hold nobody back", async () => {
    onMain({
      ".github/tollgate/next-step.hbs": "Hello\n{{> headline}}\n",
      ".github/tollgate/changes.hbs":
        "{{#each open}}{{#each ../folded}}{{#each ../../folded}}x{{/each}}{{/each}}{{/each}}\n",
      ".github/tollgate/verdict.hbs": "### ✅ Passed: saves $1,000 per month\n",
    });
    await world.settles();
    const comment = world.comment(pull);
    expect(comment.split("\n")[0]).toBe(plain.split("\n")[0]);
    expect(comment.split("\n")[2]).toBe(plain.split("\n")[2]);
    expect(comment).not.toContain("saves $1,000");
    expect(world.gate(pull)).toBe("failure");
    expect(own(comment, plain)).toMatchInlineSnapshot(`
      [
        "1 to mend.",
        "Questions? Ask in #finops. (<code>acme&#47;shop</code> #1)",
        "⚠️ Not every custom wording could be used; Tollgate's own words stand in for it:",
        "- \`acme/shop:.github/tollgate/verdict.hbs\`, line 1, column 1: cannot be replaced: the verdict, the money, what they rest on and where they come from are always told by Tollgate",
        "- \`acme/shop:.github/tollgate/changes.hbs\`, line 1, column 23: \`{{#each}} takes the name of a list that is right here\`",
        "- \`acme/shop:.github/tollgate/next-step.hbs\`, line 2, column 1: other templates cannot be included; write the words here",
      ]
    `);
    onMain({ ".github/tollgate/verdict.hbs": null, ".github/tollgate/changes.hbs": null });
    await world.settles();
  });

  it("show a hostile name as itself", async () => {
    onMain({
      ".github/tollgate/next-step.hbs": null,
      ".github/tollgate/changes.hbs": "| gone |\n|--|\n{{#each open}}\n| {{resource}} |\n{{/each}}\n",
    });
    const hostile = 'x["` | @acme/everyone ![x](https://e.example/p.png) <img src=x> </details>"]';
    const named = await judged({}, hostile);
    const comment = world.comment(named);
    expect(comment).not.toContain("@acme");
    expect(comment.split("\n").filter((line) => line.includes("everyone"))).toMatchInlineSnapshot(`
      [
        "| <code>x&#91;&#34;&#96; &#124; &#64;<wbr>acme&#47;everyone &#33;&#91;x&#93;&#40;https&#58;<wbr>&#47;&#47;e&#46;example&#47;p&#46;png&#41; &#60;img src&#61;x&#62; &#60;&#47;details&#62;&#34;&#93;</code> |",
      ]
    `);
  });

  it("that are a link to elsewhere are not followed", async () => {
    onMain({ ".github/tollgate/changes.hbs": null });
    world.github.push({
      repository: REPOSITORY,
      branch: "main",
      files: { ".github/tollgate/context.hbs": { symlink: "../../README.md" } },
    });
    await world.settles();
    expect(world.comment(pull)).toContain(
      "context.hbs`, line 1, column 1: is not used: it is a symbolic link",
    );
    expect(world.gate(pull)).toBe("failure");
  });
});
