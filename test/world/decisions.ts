import type { PullKey } from "../../src/kernel/ids.ts";
import type { BaseWorld } from "./base-world.ts";

/** The decision records of one kind about a pull request, oldest first. */
export async function decisions(
  world: BaseWorld,
  { repositoryId, number }: PullKey,
  kind: "verdict" | "approval" | "override" | "merge",
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows = await world.bot.session.store.db
    .selectFrom("decisions")
    .select("record")
    .where("repository_id", "=", repositoryId)
    .where("number", "=", number)
    .where("kind", "=", kind)
    .orderBy("seq")
    .execute();
  return rows.map(({ record }) => JSON.parse(record));
}
