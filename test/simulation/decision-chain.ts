import { createHash } from "node:crypto";
import { sql } from "kysely";
import { BrokenInvariant } from "./broken-invariant.ts";
import type { OpenDatabase } from "./database.ts";

interface Decision {
  readonly seq: number;
  readonly previous_hash: string;
  readonly hash: string;
  readonly record: string;
}

/**
 * Reads the chain of decisions and checks every link of it, by what the documentation says of it. Returns what was decided, as
 * "number head base decision".
 *
 * @throws BrokenInvariant
 */
export async function readChain({ db }: OpenDatabase): Promise<ReadonlySet<string>> {
  const { rows } =
    await sql<Decision>`select seq, previous_hash, hash, record from decisions order by seq`.execute(db);
  const heads = await sql<Decision>`select seq, hash from decision_head`.execute(db);
  let before = { seq: 0, hash: "0".repeat(64) };
  for (const { seq, hash, record, previous_hash: previous } of rows) {
    const expected = createHash("sha256").update(`${before.hash}\n${record}`).digest("hex");
    if (Number(seq) !== before.seq + 1 || previous !== before.hash || hash !== expected)
      throw new BrokenInvariant(`decision ${seq} is not linked to the one before`);
    before = { seq: Number(seq), hash };
  }
  const [head] = heads.rows;
  if (Number(head?.seq) !== before.seq || (before.seq > 0 && head?.hash !== before.hash))
    throw new BrokenInvariant("the chain of decisions does not end at its head");
  return new Set(rows.map(({ record }) => describe(JSON.parse(record))));
}

const describe = (record: Readonly<Record<string, unknown>>): string =>
  `${record["number"]} ${record["headSha"]} ${record["baseRef"]} ${record["decision"]}`;
