import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, Response> }>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

// GitHub's own description of its API, as Octokit publishes it, cut down by make-github-description.ts.
const file = fileURLToPath(new URL("./github-description.json", import.meta.url));
const description = JSON.parse(readFileSync(file, "utf8")) as Description;
const known = new Map<string, z.ZodType | null>();

/** Whether GitHub has this call at all. */
export const isDescribed = (method: string, path: string): boolean =>
  description.paths[path]?.[method.toLowerCase()] !== undefined;

/** What GitHub's description says is wrong with an answer; nothing when it fits. A status it does not describe is wrong. */
export function complaints(call: { method: string; path: string }, status: number, body: unknown): string[] {
  const key = `${call.method} ${call.path} ${status}`;
  const response = description.paths[call.path]?.[call.method.toLowerCase()]?.responses[String(status)];
  if (response === undefined) return [`${key} is not described`];
  if (!known.has(key)) known.set(key, schemaOf(response));
  const schema = known.get(key) ?? null;
  if (schema === null) return [];
  const parsed = schema.safeParse(body);
  return parsed.success
    ? []
    : parsed.error.issues.map(
        (issue) =>
          `${issue.path.join(".")}: ${issue.message} (${JSON.stringify(at(body, issue.path))?.slice(0, 80)})`,
      );
}

function schemaOf(response: Response): z.ZodType | null {
  const name = response.$ref?.split("/").at(-1);
  const resolved = name === undefined ? response : description.components.responses[name];
  const schema = resolved?.content?.["application/json"]?.schema;
  return schema === undefined ? null : zodOf(schema);
}

/** The schema with everything it refers to beside it, where zod looks for it. */
function zodOf(schema: object): z.ZodType {
  const text = JSON.stringify(schema);
  const needed = new Set<string>();
  const queue = namesIn(text);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (needed.has(name)) continue;
    needed.add(name);
    queue.push(...namesIn(JSON.stringify(description.components.schemas[name])));
  }
  const definitions = Object.fromEntries(
    [...needed].map((name) => [name, description.components.schemas[name]]),
  );
  const whole = JSON.stringify({ ...schema, definitions }).replaceAll(
    "#/components/schemas/",
    "#/definitions/",
  );
  return z.fromJSONSchema(JSON.parse(whole), { defaultTarget: "openapi-3.0" });
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? "");

function at(body: unknown, path: readonly PropertyKey[]): unknown {
  // Walking down a body of unknown shape.
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    body,
  );
}
