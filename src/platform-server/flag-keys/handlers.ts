import { createHash, randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import type { FlagKey, flagKeys } from "../../platform/contract/flag-keys.ts";
import type { DialectName } from "../../platform/contract/wire/dialect.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { createProblem } from "../area/problem.ts";
import type { EnvironmentKey, FlagTables } from "./store/keys.ts";
import {
  addFlagKey,
  changeFlagKey,
  deleteFlagKey,
  type FlagKeyRow,
  findFlagKey,
  findFlagKeyByHash,
  listFlagKeys,
  setFlagKeyUsed,
} from "./store/keys.ts";

/** Keys of environments for feature-flag SDKs (document 1, 4.1). */
export const flagKeysHandlers: Area<typeof flagKeys, FlagTables> = {
  listFlagKeys: async ({ query }, context) => {
    const { pageNumber, pageSize } = query;
    const { rows, total, version } = await listFlagKeys(context.db, createEnvironmentKey(context, query), {
      limit: pageSize,
      offset: pageNumber * pageSize,
    });
    return {
      body: {
        itemCount: total,
        pageCount: Math.ceil(total / pageSize),
        pageIndex: pageNumber,
        pageSize,
        version,
        apiKeys: rows.map((row) => toWireKey(row, context)),
      },
    };
  },

  createFlagKey: async ({ query, body }, context) => {
    const { secret, ...storedKey } = makeKey();
    const row: FlagKeyRow = {
      ...createEnvironmentKey(context, query),
      ...storedKey,
      identifier: body.identifier,
      name: body.name,
      description: body.description ?? null,
      type: body.type === "Server" ? "server" : "client",
      expires_s: body.expiredAt,
      last_used_s: null,
      created_ms: context.clock.now(),
    };
    if (!(await addFlagKey(context.db, row)))
      return createProblem("conflict", "this environment has a key with this identifier");
    return { body: toWireKey(row, context, secret) };
  },

  getFlagKey: async ({ params, query }, context) => {
    const row = await findFlagKey(context.db, { ...createEnvironmentKey(context, query), ...params });
    return row === null ? createUnknownKeyProblem() : { body: toWireKey(row, context) };
  },

  updateFlagKey: async ({ params, query, body }, context) => {
    const { name, description, expiredAt } = body;
    const found = await changeFlagKey(
      context.db,
      { ...createEnvironmentKey(context, query), ...params },
      {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(expiredAt === undefined ? {} : { expires_s: expiredAt }),
      },
    );
    return found ? { body: undefined } : createUnknownKeyProblem();
  },

  deleteFlagKey: async ({ params, query }, context) => {
    const found = await deleteFlagKey(context.db, { ...createEnvironmentKey(context, query), ...params });
    return found ? { body: undefined } : createUnknownKeyProblem();
  },
};

interface EnvironmentPath {
  readonly orgIdentifier: string;
  readonly projectIdentifier: string;
  readonly environmentIdentifier: string;
}

const createEnvironmentKey = ({ token }: Context<FlagTables>, scope: EnvironmentPath): EnvironmentKey => ({
  account: token.account,
  org: scope.orgIdentifier,
  project: scope.projectIdentifier,
  environment: scope.environmentIdentifier,
});

const createUnknownKeyProblem = () =>
  createProblem("not_found", "this environment has no key with this identifier");

/** A key as it is answered: its secret masked unless it has just been made. */
function toWireKey(
  row: FlagKeyRow,
  { dialect }: Context<FlagTables>,
  secret?: string,
): z.input<typeof FlagKey> {
  const { identifier, name, description, type, last_four, expires_s, last_used_s } = row;
  return {
    ...memberOf[dialect](row, secret ?? maskKey(last_four)),
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

/**
 * Checks whether a text is a valid key of an environment, and records its use. `none`: not a key, or a
 * deleted or expired one.
 */
export async function useFlagKey(
  { db, clock }: { readonly db: Kysely<FlagTables>; readonly clock: Clock },
  text: string,
): Promise<"valid" | "none"> {
  if (!isKeyShaped(text)) return "none";
  const row = await findFlagKeyByHash(db, hashOfKey(text));
  if (row === null) return "none";
  const nowS = Math.floor(clock.now() / 1000);
  if (row.expires_s !== 0 && nowS >= row.expires_s) return "none";
  if (row.last_used_s === null || nowS - row.last_used_s >= GRAIN_S) await setFlagKeyUsed(db, row, nowS);
  return "valid";
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Creates a key and its stored form. A key has 122 random bits, so that a fast hash is sufficient. */
function makeKey(): { readonly secret: string } & Pick<
  FlagKeyRow,
  "record_id" | "secret_hash" | "last_four"
> {
  const secret = randomUUID();
  return { secret, record_id: randomUUID(), secret_hash: hashOfKey(secret), last_four: secret.slice(-4) };
}

/** Whether a text has the form of an environment's key; no token of the platform has it. */
const isKeyShaped = (text: string): boolean => UUID.test(text);

const hashOfKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/** Returns the masked form of a key: its shape and its last four characters. */
const maskKey = (lastFour: string): string => `********-****-****-****-********${lastFour}`;
