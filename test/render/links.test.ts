import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../src/policy/model/evaluation.ts";
import { casesToTry } from "../world/depth.ts";
import { evaluatedSituation, evaluation, finding, report, stage } from "./evaluation-builder.ts";
import { hostileName } from "./hostile.ts";
import { type Node, parse, textOf, walk } from "./markdown.ts";
import { renderer } from "./renderer.ts";

const GITHUB = "https://github.example";
const links = { details: null, recheckHint: false, github: GITHUB };
const COMMIT = "5be1ab34c1de1ab34c1de1ab34c1de1ab34c1de1";
const PLATFORM =
  "https://platform.example/ng/account/a/module/iacm/orgs/o/projects/p/pipelines/l/executions/x/pipeline";

const REPOSITORY = {
  repository: "acme/payments",
  path: ".github/tollgate.yml",
  ref: "main",
  blob: "9b1d04c7",
};
const ORGANISATION = { repository: "acme/.github", path: "tollgate.yml", ref: "trunk", blob: "77aa04c7" };

/** A rule of the repository, one of the organisation, and one of which nobody knows where it stands. */
const linked = (parts: Partial<Evaluation> = {}): Evaluation =>
  evaluation({
    situation: evaluatedSituation("block", [finding("increase"), finding("org-rule"), finding("elsewhere")]),
    report: report([stage("production", ["10", "20"], { executionPage: PLATFORM })]),
    policySources: [
      { ...ORGANISATION, commit: COMMIT },
      { ...REPOSITORY, commit: COMMIT },
    ],
    rulePlaces: [
      { rule: "increase", file: "acme/payments:.github/tollgate.yml", line: 12 },
      { rule: "org-rule", file: "acme/.github:tollgate.yml", line: 3 },
    ],
    ...parts,
  });

const linksIn = (markdown: string): readonly (readonly [string, string | undefined])[] =>
  walk(parse(markdown)).flatMap((node) => (node.type === "link" ? [[textOf(node), node.url] as const] : []));

describe("what has an address is a link", () => {
  it("a rule leads to its line in the policy file of the commit that was read", () => {
    const found = linksIn(renderer.comment(linked(), links));
    expect(found).toContainEqual([
      "increase",
      `${GITHUB}/acme/payments/blob/${COMMIT}/.github/tollgate.yml#L12`,
    ]);
    expect(found).toContainEqual(["org-rule", `${GITHUB}/acme/.github/blob/${COMMIT}/tollgate.yml#L3`]);
    expect(found.map(([text]) => text)).not.toContain("elsewhere");
  });

  it("a finding leads to the explanation of its rule, escaped, and no finding of another rule does", () => {
    const docs = "https://wiki.example/costs_(all)|x";
    const rulePlaces = [{ rule: "increase", file: "f", line: 1, docs }];
    const why = linksIn(renderer.comment(linked({ rulePlaces }), links)).filter(([text]) => text === "why");
    expect(why).toEqual([["why", "https://wiki.example/costs%5F%28all%29%7Cx"]]);
  });

  it("a finding leads to what the reference says about its kind, where the operator's server answers it", () => {
    const help = (found: ReturnType<typeof linksIn>) => found.filter(([text]) => text.startsWith("what "));
    expect(help(linksIn(renderer.comment(linked(), links)))).toEqual([]);
    const served = { ...links, policyPage: "https://tollgate.example/docs/policy" };
    expect(help(linksIn(renderer.comment(linked(), served)))[0]).toEqual([
      "what increase means",
      "https://tollgate.example/docs/policy#limits",
    ]);
  });

  it("an execution leads to its page on the platform, a commit and a policy file to theirs on GitHub", () => {
    const found = linksIn(renderer.comment(linked(), links));
    expect(found.filter(([, url]) => url === PLATFORM).map(([text]) => text)).toEqual([
      "production",
      "kX7pQ2mVTzW9",
    ]);
    expect(found.filter(([, url]) => url?.includes("/commit/"))).toEqual([
      ["3f2c9a41", `${GITHUB}/acme/payments/commit/${linked().pull.headSha}`],
    ]);
    expect(found).toContainEqual([
      ".github/tollgate.yml",
      `${GITHUB}/acme/payments/blob/${COMMIT}/.github/tollgate.yml`,
    ]);
  });

  it("so it is in the check", () => {
    const { summary } = renderer.check(linked(), links);
    expect(linksIn(summary)).toEqual(linksIn(renderer.comment(linked(), links)));
  });

  it("a mistake in a policy file leads to its line", () => {
    const file = "acme/payments:.github/tollgate.yml";
    const problem = { file, line: 7, column: 3, path: "rules[0]", message: "is missing" };
    const situation = { kind: "policy_invalid", problems: [problem] } as const;
    expect(linksIn(renderer.comment(linked({ situation }), links))).toContainEqual([
      file,
      `${GITHUB}/acme/payments/blob/${COMMIT}/.github/tollgate.yml#L7`,
    ]);
  });

  it("a lost execution leads to its page", () => {
    const executions = [{ executionId: "kX7pQ2mVTzW9", reason: "not_listed" }] as const;
    const situation = { kind: "execution_unreadable", executions } as const;
    expect(linksIn(renderer.comment(linked({ situation }), links))[0]).toEqual(["kX7pQ2mVTzW9", PLATFORM]);
  });

  it("of local files nothing is a link, and a rule says where it stands", () => {
    const local = linked({
      report: report([stage("production", ["10", "20"])]),
      policySources: [{ ...REPOSITORY, repository: "preview", path: "tollgate.yml" }],
      rulePlaces: [{ rule: "increase", file: "tollgate.yml", line: 12 }],
    });
    const text = renderer.comment(
      { ...local, pull: { ...local.pull, local: true } },
      { details: null, recheckHint: false },
    );
    expect(linksIn(text)).toEqual([]);
    expect(text).toContain("- ⛔ `increase` (`tollgate.yml:12`): ");
  });
});

/** Every link that may be there: an address below GitHub's root or the platform's page, with a code span for its text. */
function strayLinks(markdown: string): readonly string[] {
  return walk(parse(markdown)).flatMap((node) => {
    if (node.type !== "link") return [];
    const ours =
      node.url === PLATFORM ||
      /^https:\/\/github\.example\/(?:[^/?#]+\/)+[^/?#]+(?:#L\d+)?$/.test(node.url ?? "");
    return ours && isCode(node) ? [] : [`${textOf(node)} → ${node.url}`];
  });
}

const isCode = ({ children = [] }: Node): boolean =>
  children.every(({ type, value }) => type === "inlineCode" || /^[\u2068\u2069]$/.test(value ?? ""));

it("no name of a branch, a file, a repository or a rule leaves its link", { timeout: 120_000 }, () => {
  const names = fc.tuple(hostileName, hostileName, hostileName, hostileName, fc.boolean());
  fc.assert(
    fc.property(names, ([rule, ref, path, repository, isPinned]) => {
      const source = { repository: `acme/${repository}`, path, ref, blob: "9b1d04c7" };
      const e = linked({
        situation: evaluatedSituation("block", [finding(rule)]),
        report: report([stage(ref, ["10", "20"], { executionPage: PLATFORM, executionId: path })]),
        policySources: [isPinned ? { ...source, commit: ref } : source],
        rulePlaces: [{ rule, file: `acme/${repository}:${path}`, line: 4 }],
      });
      const { summary } = renderer.check(e, links);
      expect(strayLinks(renderer.comment(e, links))).toEqual([]);
      expect(strayLinks(summary)).toEqual([]);
    }),
    { numRuns: casesToTry({ usual: 12, deep: 300 }) },
  );
});

it("a platform's page that is no plain https address is no link", () => {
  for (const executionPage of [
    "javascript:alert(1)",
    "http://platform.example/x",
    "https://a:b@platform.example/",
  ]) {
    const e = linked({ report: report([stage("production", ["10", "20"], { executionPage })]) });
    expect(linksIn(renderer.comment(e, links)).map(([text]) => text)).not.toContain("production");
  }
});
