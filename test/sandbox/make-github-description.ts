import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROUTES } from "../../sandbox/http/rest.ts";

// Cuts GitHub's description of its REST API down to the calls that the sandbox answers. The whole description is 13 MB in a
// package of 480 MB, so it is fetched only to make this file again, which a new call or a new version asks for:
//
//   npm install --no-save @octokit/openapi@23.0.2
//   npm run generate:github

const SOURCE = "node_modules/@octokit/openapi/generated/api.github.com.json";

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
  readonly components: Readonly<Record<"schemas" | "responses", Readonly<Record<string, object>>>>;
}

/** Members that say nothing about the type of a member. The sandbox answers only with members that Tollgate reads, so none is required. */
const WORDS: ReadonlySet<string> = new Set([
  ...["description", "summary", "title", "example", "examples", "required"],
]);
/** Members whose own members are names, not words about a shape. */
const NAMED: ReadonlySet<string> = new Set(["properties", "schemas", "responses"]);

function bare(value: unknown, parent = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => bare(one));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => NAMED.has(parent) || !(WORDS.has(name) || name.startsWith("x-") || name === "headers"),
  );
  // Without required members one value fits several alternatives.
  return Object.fromEntries(kept.map(([name, own]) => [name === "oneOf" ? "anyOf" : name, bare(own, name)]));
}

const referencesIn = (value: unknown): readonly string[] =>
  [...JSON.stringify(value).matchAll(/"#\/components\/([^"]+)"/g)].map(([, name = ""]) => name);

function reduced({ paths, components }: Description): object {
  const called = ROUTES.map(({ method, path }) => {
    const responses = paths[path]?.[method.toLowerCase()]?.responses;
    return [path, method.toLowerCase(), bare(responses, "responses")] as const;
  });
  const needed = new Map<string, unknown>();
  const queue = called.flatMap(([, , responses]) => referencesIn(responses));
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (needed.has(name)) continue;
    const [kind, key = ""] = name.split("/");
    const found = bare(components[kind === "responses" ? kind : "schemas"][key]);
    needed.set(name, found);
    queue.push(...referencesIn(found));
  }
  const part = (kind: string) =>
    Object.fromEntries(
      [...needed]
        .filter(([name]) => name.startsWith(`${kind}/`))
        .map(([name, found]) => [name.slice(kind.length + 1), found] as const)
        .sort(([a], [b]) => a.localeCompare(b)),
    );
  const operations = Map.groupBy(called, ([path]) => path);
  return {
    paths: Object.fromEntries(
      [...operations].map(([path, all]) => [
        path,
        Object.fromEntries(all.map(([, method, responses]) => [method, { responses }])),
      ]),
    ),
    components: { schemas: part("schemas"), responses: part("responses") },
  };
}

const description = JSON.parse(readFileSync(SOURCE, "utf8")) as Description; // GitHub's own, in the form that OpenAPI has
writeFileSync(
  join(import.meta.dirname, "github-description.json"),
  `${JSON.stringify(reduced(description))}\n`,
);
