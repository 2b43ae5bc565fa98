import { z } from "zod";
import { insertNew } from "./database/statements.ts";
import type { Db } from "./tables/tables.ts";

/** A name in the operator's file, and GitHub's id of what had it when it was first resolved. */
export const ResolvedName = z.object({
  kind: z.enum(["account", "repository", "app"]),
  /** In lower case. */
  name: z.string(),
  id: z.number(),
});
export type ResolvedName = Readonly<z.infer<typeof ResolvedName>>;

/** Stores the ids of names that have none yet: a name keeps its first id, whoever has it later. */
export const saveResolvedNames = (db: Db, names: readonly ResolvedName[], now: Date): Promise<number> =>
  insertNew(
    db,
    "resolved_names",
    names.map(({ kind, name, id }) => ({ kind, name, id, resolved_at: now })),
  );

export const listResolvedNames = (db: Db): Promise<readonly ResolvedName[]> =>
  db.selectFrom("resolved_names").select(["kind", "name", "id"]).execute();
