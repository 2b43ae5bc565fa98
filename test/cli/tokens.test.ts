import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { readAccountName } from "../../src/cli/commands/token.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import { createToken, INTERNAL_CREATOR, recordTokenUse, verifyToken } from "../../src/store/tokens.ts";
import { createLocalRoutes } from "../../src/web/local/routes.ts";
import { type Database, openDatabase } from "../../src/wiring/database/schema.ts";
import { writeRunningFile } from "../../src/wiring/process/running-file.ts";
import { emptyPostgres, freshPostgres } from "../world/engines.ts";
import { words } from "./folder.ts";
import { typed } from "./run-command.ts";

/** A running Tollgate, and what a command of the same machine finds it by. */
interface Running {
  readonly store: Database;
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The process that has the embedded database open: commands ask it. */
async function runsEmbedded(): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), "tollgate-tokens-"));
  const store = await openDatabase({ kind: "directory", directory }, () => {});
  const deps = { db: store.db, clock: systemClock, account: "acc", key: "key", onError: () => {} };
  const server = serve({
    fetch: createLocalRoutes(deps).fetch,
    port: 0,
    hostname: "127.0.0.1",
  }) as Server;
  if (!server.listening) await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  writeRunningFile(directory, { url: `http://127.0.0.1:${address.port}`, key: "key" });
  return {
    store,
    environment: { TOLLGATE_DATA: directory },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** On PostgreSQL a command writes to the database that the process reads. */
async function runsPostgres(server: string): Promise<Running> {
  const url = await freshPostgres(server);
  const store = await openDatabase({ kind: "postgres", url, maxConnections: 2 }, () => {});
  return { store, environment: { DATABASE_URL: url }, close: () => store.close() };
}

const postgresUrl = inject("postgresUrl");
const ENGINES: readonly (readonly [string, () => Promise<Running>])[] = [
  ["embedded", runsEmbedded],
  ...(postgresUrl === null ? [] : [["postgres", () => runsPostgres(postgresUrl)] as const]),
];

describe.each(ENGINES)("tokens of a running Tollgate (%s)", (_, runs) => {
  let running: Running;
  beforeAll(async () => {
    running = await runs();
    for (const [name, value] of Object.entries({ PLATFORM_ACCOUNT: "acc", ...running.environment }))
      vi.stubEnv(name, value);
    const label = { owner_id: 70, owner_login: "acme", name: "shop", installation_id: 1 };
    await saveRepository(running.store.db, { repository_id: 7, ...label }, new Date(0));
    const grant = { purpose: "api", account: "acc" } as const;
    await createToken(running.store.db, grant, systemClock, { createdBy: INTERNAL_CREATOR });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await running.close();
  });

  const lists = async (...more: readonly string[]) =>
    JSON.parse((await typed(["token", "list", "--json", ...more])).results);
  const creates = async (...more: readonly string[]) => {
    const line = words`token create --for import --repository acme/shop --json ${more}`;
    const { results } = await typed(line);
    return JSON.parse(results);
  };

  test("a token that the service's own account created is listed", async () => {
    const grant = { purpose: "api", account: "acc" } as const;
    const { db } = running.store;
    const { id } = await createToken(db, grant, systemClock, { createdBy: "tollgate" });
    expect(await lists()).toMatchObject([{ id, created_by: "tollgate" }]);
    await db.deleteFrom("tokens").where("id", "=", id).execute();
  });

  test("a token is created with name and expiry, listed, and ended for the running process at once", async () => {
    const made = await creates("--name", "jenkins", "--expires", "90d");
    const token = await verifyToken(running.store.db, made.token, systemClock);
    if (token === null) expect.fail("the token is not valid");
    expect(token).toMatchObject({
      purpose: "import",
      repositoryId: 7,
      org: "acme",
      project: "shop",
      headSha: null,
    });
    const [listed, ...others] = await lists();
    expect(others).toEqual([]);
    expect(listed).toMatchObject({
      ...{ id: made.id, name: "jenkins", purpose: "import", state: "active", account: "acc" },
      ...{ repository: "acme/shop", repository_id: 7, org: "acme", project: "shop" },
      ...{ created_by: userInfo().username, expires: made.expires, last_used: null, revoked: null },
    });
    expect(Date.parse(listed.expires) - Date.parse(listed.created)).toBe(90 * 24 * 60 * 60 * 1000);
    await recordTokenUse(running.store.db, token, systemClock);
    expect((await lists())[0].last_used).toMatch(/^\d{4}-\d\d-\d\dT/);

    expect(await typed(["token", "revoke", made.id])).toMatchObject({
      code: 0,
      messages: [`revoked ${made.id}`],
    });

    expect(await verifyToken(running.store.db, made.token, systemClock)).toBeNull();
    expect(await lists()).toEqual([]);
    expect(await lists("--all")).toMatchObject([{ id: made.id, state: "revoked" }]);
    expect(await typed(["token", "revoke", made.id])).toMatchObject({
      code: 2,
      messages: [
        `no valid token has the id "${made.id}"`,
        "`tollgate token list --all` shows the ids, and which tokens are revoked already.",
      ],
    });
  });

  test("a leaked token is revoked by its own text, and an expired one is not valid", async () => {
    const leaked = await creates();
    expect(leaked.expires).toBeNull();
    expect((await typed(["token", "revoke", leaked.token])).messages).toEqual([`revoked ${leaked.id}`]);
    const short = await creates("--expires", "1h");
    const later = { ...systemClock, now: () => Date.now() + 60 * 60 * 1000 };
    expect(await verifyToken(running.store.db, short.token, later)).toBeNull();
    await typed(["token", "revoke", short.id]);
  });

  test("no list shows a part of a secret", async () => {
    const { id, token } = await creates("--name", "ci");
    for (const line of ["token list", "token list --json --all"]) {
      const { results } = await typed(line.split(" "));
      expect(results).toContain(id);
      expect(results).not.toContain(token.slice(-43));
      expect(results).not.toMatch(/hash/);
    }
  });
});

test.each([
  [
    ["--expires", "90"],
    "option '--expires <TIME>' argument '90' is invalid. Expected a number of hours, days or weeks: 12h, 90d, 52w.",
  ],
  [["--name", "n".repeat(101)], "--name has more than 100 characters."],
])("token create refuses %j", async (more, message) => {
  const { code, messages } = await typed(["token", "create", "--for", "api", ...more]);
  expect(code).toBe(2);
  expect(messages.join("\n")).toContain(message);
});

describe("a place without a Tollgate database", () => {
  afterEach(() => vi.unstubAllEnvs());
  const commands = ["token create --for api", "token revoke 0123456789abcdef", "token list"];
  const refused = (place: string) => ({
    code: 2,
    messages: [
      `there is no Tollgate database in ${place}`,
      "Set TOLLGATE_DATA or DATABASE_URL as `tollgate start` has it. `tollgate start` begins a new database.",
    ],
  });

  test.each(commands)("%s is refused in an empty directory, and begins nothing there", async (line) => {
    const directory = mkdtempSync(join(tmpdir(), "tollgate-tokens-"));
    vi.stubEnv("TOLLGATE_DATA", directory);
    expect(await typed(line.split(" "))).toMatchObject(refused(directory));
    expect(readdirSync(directory)).toEqual([]);
  });

  test.runIf(postgresUrl !== null).each(commands)("%s is refused in a foreign database", async (line) => {
    const url = await emptyPostgres(postgresUrl ?? "");
    vi.stubEnv("DATABASE_URL", url);
    expect(await typed(line.split(" "))).toMatchObject(refused("the database of DATABASE_URL"));
    expect(await typed(line.split(" "))).toMatchObject(refused("the database of DATABASE_URL"));
  });
});

test("an account without a name, as a container has, is named by its number", () => {
  expect(readAccountName(() => ({ username: "tollgate" }))).toBe("tollgate");
  const nameless = () => {
    throw new Error("uv_os_get_passwd returned ENOENT");
  };
  expect(readAccountName(nameless)).toMatch(/^uid \d+$/);
});
