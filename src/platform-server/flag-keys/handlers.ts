import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import type { FlagKey, flagKeys } from "../../platform/contract/flag-keys.ts";
import type { DialectName } from "../../platform/contract/wire/translate.ts";
import { deleteRows, findRow, has, insertNew, updateRows, upsert } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Area, Context, Deps } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import { readPiece } from "../area/read-piece.ts";
import type { Db, EnvironmentKey, Row } from "../tables/tables.ts";

type FlagKeyRow = Row<"platform_flag_keys">;

/** Keys of environments for feature-flag SDKs (document 1, 4.1). */
export const flagKeysHandlers: Area<typeof flagKeys> = {
  listFlagKeys: async ({ query }, context) => {
    const { pageNumber, pageSize } = query;
    const environment = getEnvironment(context, query);
    const known = await findRow(context.db, "platform_flag_environments", environment);
    const keys = context.db
      .selectFrom("platform_flag_keys")
      .selectAll()
      .where(has(environment))
      .orderBy(sql`identifier collate "C"`);
    const { rows, total } = await readPiece(keys, { limit: pageSize, offset: pageNumber * pageSize });
    return {
      body: {
        itemCount: total,
        pageCount: Math.ceil(total / pageSize),
        pageIndex: pageNumber,
        pageSize,
        version: known?.version ?? 0,
        apiKeys: rows.map((row) => toWireKey(row, context.dialect)),
      },
    };
  },

  createFlagKey: async ({ query, body }, context) => {
    const environment = getEnvironment(context, query);
    // A key has 122 random bits, so that a fast hash is sufficient.
    const secret = randomUUID();
    const row: FlagKeyRow = {
      ...environment,
      record_id: randomUUID(),
      secret_hash: hashOfKey(secret),
      last_four: secret.slice(-4),
      identifier: body.identifier,
      name: body.name,
      description: body.description ?? null,
      type: body.type === "Server" ? "server" : "client",
      expires_s: body.expiredAt,
      last_used_s: null,
      created_ms: context.clock.now(),
    };
    await transact(context.db, async (trx) => {
      if ((await insertNew(trx, "platform_flag_keys", row)) === 0)
        refuse("conflict", "this environment has a key with this identifier");
      await countWrite(trx, environment);
    });
    return { body: toWireKey(row, context.dialect, secret) };
  },

  getFlagKey: async ({ params, query }, context) => {
    const row = await findRow(context.db, "platform_flag_keys", {
      ...getEnvironment(context, query),
      ...params,
    });
    return { body: toWireKey(row ?? refuseUnknownKey(), context.dialect) };
  },

  updateFlagKey: async ({ params, query, body }, context) => {
    const { name, description, expiredAt } = body;
    const environment = getEnvironment(context, query);
    await transact(context.db, async (trx) => {
      const key = { ...environment, ...params };
      // Without a change there is still the question whether it is there.
      const changes = { ...params, name, description, expires_s: expiredAt };
      if ((await updateRows(trx, "platform_flag_keys", key, changes)) === 0) refuseUnknownKey();
      await countWrite(trx, environment);
    });
    return { body: undefined };
  },

  deleteFlagKey: async ({ params, query }, context) => {
    const environment = getEnvironment(context, query);
    await transact(context.db, async (trx) => {
      const count = await deleteRows(trx, "platform_flag_keys", { ...environment, ...params });
      if (count === 0) refuseUnknownKey();
      await countWrite(trx, environment);
    });
    return { body: undefined };
  },
};

const getEnvironment = (
  { account }: Context,
  query: {
    readonly orgIdentifier: string;
    readonly projectIdentifier: string;
    readonly environmentIdentifier: string;
  },
): EnvironmentKey => ({
  account,
  org: query.orgIdentifier,
  project: query.projectIdentifier,
  environment: query.environmentIdentifier,
});

const refuseUnknownKey = (): never => refuse("not_found", "this environment has no key with this identifier");

async function countWrite(trx: Db, environment: EnvironmentKey): Promise<void> {
  const next = sql<number>`platform_flag_environments.version + 1`;
  await upsert(trx, "platform_flag_environments", { ...environment, version: 1 }, { version: next });
}

/** A key as it is answered: its secret masked unless it has just been made. */
function toWireKey(row: FlagKeyRow, dialect: DialectName, secret?: string): z.input<typeof FlagKey> {
  const { identifier, name, description, type, last_four, expires_s, last_used_s } = row;
  return {
    ...memberOf[dialect](row, secret ?? `********-****-****-****-********${last_four}`),
    identifier,
    name,
    ...(description === null ? {} : { description }),
    type,
    ...(last_used_s === null ? {} : { lastUsed: last_used_s }),
    expiredAt: expires_s,
    applicationIds: [],
  };
}

/**
 * Which of the two members holds the secret. The document names the record by `apiKey` and calls `key` the secret; the running
 * service does it the other way round, with the first characters of a hash as `key`.
 */
const memberOf = {
  neutral: ({ record_id }: FlagKeyRow, secret: string) => ({ apiKey: record_id, key: secret }),
  live: ({ secret_hash }: FlagKeyRow, secret: string) => ({ apiKey: secret, key: secret_hash.slice(0, 18) }),
} as const satisfies Record<DialectName, unknown>;

/** "Last used" is kept to the minute, so that a busy SDK does not write on every call. */
const GRAIN_S = 60;
/** The form of an environment's key; no token of the platform has it. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is a valid key of an environment of any account; records its use. */
export async function useFlagKey({ db, clock }: Pick<Deps, "db" | "clock">, text: string): Promise<boolean> {
  if (!UUID.test(text)) return false;
  const row = await db
    .selectFrom("platform_flag_keys")
    .select(["secret_hash", "expires_s", "last_used_s"])
    .where("secret_hash", "=", hashOfKey(text))
    .executeTakeFirst();
  const nowS = Math.floor(clock.now() / 1000);
  if (row === undefined || (row.expires_s !== 0 && nowS >= row.expires_s)) return false;
  if (row.last_used_s === null || nowS - row.last_used_s >= GRAIN_S)
    await updateRows(db, "platform_flag_keys", { secret_hash: row.secret_hash }, { last_used_s: nowS });
  return true;
}

const hashOfKey = (key: string): string => createHash("sha256").update(key).digest("hex");
