import pg from "pg";
import { z } from "zod";
import type { Store } from "../../../src/store/open.ts";
import type { Statement } from "./capture-statements.ts";

/** A node of a plan, as `explain (format json)` answers. */
const Node = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  get Plans() {
    return z.array(Node).optional();
  },
});
const Explained = z.tuple([z.object({ Plan: Node })]);

/** Returns the tables of which the statement's plan reads every row. The statement is not executed. */
export async function findScans({ engine }: Store, { text, values }: Statement): Promise<readonly string[]> {
  const explain = `explain (format json) ${text}`;
  const rows =
    engine.kind === "pglite"
      ? (await engine.lite.query(explain, [...values])).rows
      : await askServer(engine.url, { text: explain, values: [...values] });
  const [answer] = rows as readonly { "QUERY PLAN": unknown }[]; // what EXPLAIN answers
  const plan = answer?.["QUERY PLAN"];
  const [{ Plan }] = Explained.parse(typeof plan === "string" ? JSON.parse(plan) : plan);
  return [...listScans(Plan)];
}

async function askServer(
  url: string,
  query: { text: string; values: unknown[] },
): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

function* listScans(node: z.infer<typeof Node>): Generator<string> {
  if (node["Node Type"] === "Seq Scan" && node["Relation Name"] !== undefined) yield node["Relation Name"];
  for (const child of node.Plans ?? []) yield* listScans(child);
}
