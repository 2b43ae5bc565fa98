import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { systemRandom } from "../../sandbox/state/random.ts";
import { startCommand } from "../../src/cli/commands/start.ts";
import { run } from "../../src/cli/run.ts";
import { requireServer, toServerError } from "../../src/store/database/server-error.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { findFreePort } from "../../src/wiring/process/free-port.ts";
import { usualDatabaseUrl, usualEngine } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";
import { DOCUMENTS } from "../world/graphql-documents.ts";
import { movableClock } from "../world/time.ts";
import { asWritten, typed } from "./run-command.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate start "));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const RSA = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const EC = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const APP = { APP_ID: "1", PRIVATE_KEY: RSA, WEBHOOK_SECRET: "v9Kx1Lw7Tn4Vb6Cq8Zr2m" };

/** A port that something else listens on. */
async function takePort(onConnection?: Parameters<typeof createServer>[1]): Promise<number> {
  const server: Server = createServer({}, onConnection);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** What a start says, with the folder and the port of the test under fixed names. */
async function starts(environment: Readonly<Record<string, string>>, words = ["start"]) {
  const settings = { TOLLGATE_DATA: join(folder, "data"), ...environment };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const { code, err } = asWritten(await typed(words));
  return `${err.replaceAll(folder, "FOLDER").replaceAll(/\b\d{5}\b/g, "PORT")}exit code ${code}`;
}

describe("a start that fails", () => {
  it("says all problems at once: key, templates, database and port, each with its way out", async () => {
    const port = await takePort();
    const said = await starts({
      ...APP,
      PRIVATE_KEY: EC,
      DATABASE_URL: "postgres://bot:hunter2@127.0.0.1:1/tollgate",
      TEMPLATES_DIR: join(folder, "words"),
      PORT: String(port),
    });
    expect(said).not.toContain("hunter2");
    expect(said).toMatchInlineSnapshot(`
      "tollgate: 4 problems keep Tollgate from starting:
        1. these settings cannot be used:
             PRIVATE_KEY: is a private key of the type ec; expected the RSA private key (.pem) that GitHub generated for the App
           Correct them in the environment or in the .env file; docs/operations/settings.md lists every setting.
        2. TEMPLATES_DIR: "FOLDER/words" cannot be read as a directory
           Correct it, or unset TEMPLATES_DIR to use the shipped templates; docs/operations/settings.md describes them.
        3. the PostgreSQL of DATABASE_URL cannot be used: nothing listens on its address (user bot, database tollgate, 127.0.0.1:1)
           Start PostgreSQL. If it moved, correct DATABASE_URL and restart Tollgate.
        4. Tollgate cannot listen on port PORT: another process uses it
           Stop the other process, which may be an earlier Tollgate, or set PORT to another number.
      exit code 2"
    `);
  });

  it("ends without a configured App too when the port of the set-up pages is taken", async () => {
    const port = await takePort();
    const settings = { PORT: String(port), DATABASE_URL: (await usualDatabaseUrl()) ?? "" };
    expect(await starts(settings)).toMatchInlineSnapshot(`
      "tollgate: Tollgate cannot listen on port PORT of 127.0.0.1: another process uses it
      tollgate: Stop the other process, which may be an earlier Tollgate, or set PORT to another number.
      exit code 2"
    `);
  });

  it("examines templates before the set-up pages are shown, and says that the data directory is a file", async () => {
    mkdirSync(join(folder, "words"));
    writeFileSync(join(folder, "words", "verdict.hbs"), "x");
    writeFileSync(join(folder, "data"), "x");
    const said = await starts({ PORT: "0", TEMPLATES_DIR: join(folder, "words") });
    expect(said).toMatchInlineSnapshot(`
      "tollgate: 2 problems keep Tollgate from starting:
        1. TEMPLATES_DIR: has templates that cannot be used:
             verdict.hbs: replaces no shipped template; expected the name of a shipped template
           Correct it, or unset TEMPLATES_DIR to use the shipped templates; docs/operations/settings.md describes them.
        2. the data directory FOLDER/data cannot be used: it, or a part of its path, is a file, not a directory
           Set TOLLGATE_DATA to a directory.
      exit code 2"
    `);
  });

  it("refuses a worker without PostgreSQL, which has nothing to share", async () => {
    expect(await starts(APP, ["worker"])).toMatchInlineSnapshot(`
      "tollgate: a worker needs DATABASE_URL
      tollgate: Give it the same settings as the \`tollgate start\` whose jobs it processes. The embedded database cannot be shared: without PostgreSQL, \`tollgate start\` alone does everything.
      exit code 2"
    `);
  });
});

it("a start whose key GitHub rejects says so at once, is not ready, and runs until it is asked to end", async () => {
  const github = await createSandbox({ clock: movableClock(), random: systemRandom, documents: DOCUMENTS });
  onTestFinished(() => github.close());
  const { id } = await github.registerApp({ name: "Tollgate" });
  const port = await findFreePort();
  const settings = {
    ...APP,
    APP_ID: String(id),
    GHE_HOST: github.url,
    PORT: String(port),
    TOLLGATE_DATA: join(folder, "data"),
    DATABASE_URL: (await usualDatabaseUrl()) ?? "",
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const { promise: ended, resolve: end } = Promise.withResolvers<NodeJS.Signals>();
  const start = { name: "start", summary: "", load: async () => startCommand(() => ended) };
  const messages: string[] = [];
  const running = run([start], ["start"], {
    result: () => {},
    message: (text) => messages.push(text),
    exit: (code) => messages.push(`exit code ${code}`),
  });
  onTestFinished(async () => {
    end("SIGTERM");
    await running;
  });
  await eventually(() => expect(messages.at(-1)).toContain("generates a new key."));
  expect(messages).toContain(
    "GitHub rejects the App's credentials: no pull request is evaluated, and /readyz answers 503.",
  );
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503);
  end("SIGTERM");
  await running;
  expect(messages.at(-1)).toBe("exit code 0");
});

/** A server that refuses every client as PostgreSQL does, with this code. */
const refusingServer = (code: string): Promise<number> =>
  takePort((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mrefused\0\0`);
      const length = Buffer.alloc(4);
      length.writeInt32BE(fields.length + 4);
      socket.end(Buffer.concat([Buffer.from("E"), length, fields]));
    });
  });

const opening = (url: string) => openDatabase({ kind: "postgres", url }, () => {});

describe("a PostgreSQL that cannot be used is named with its cause and without its password:", () => {
  it.each([
    ["a wrong password", "28P01", "it refuses the user or the password"],
    ["a refused user", "28000", "it refuses the user or the password"],
    ["a missing database", "3D000", "the database is not there"],
  ])("%s", async (_what, code, found) => {
    const port = await refusingServer(code);
    const error = await opening(`postgres://bot:hunter2@127.0.0.1:${port}/tollgate`).catch((one) => one);
    expect(error).toMatchObject({ code: "database_unusable", hint: expect.any(String) });
    expect(error.message.replace(String(port), "PORT")).toBe(
      `the PostgreSQL of DATABASE_URL cannot be used: ${found} (user bot, database tollgate, 127.0.0.1:PORT)`,
    );
    expect(`${error.message} ${error.hint}`).not.toContain("hunter2");
  });

  it("one whose user and database contain a percent sign that encodes nothing", async () => {
    const port = await refusingServer("28000");
    const error = toServerError(`postgres://us%er:hunter2@127.0.0.1:${port}/d%b`, { code: "28000" });
    expect(error).toMatchObject({ message: expect.stringContaining("(user us%er, database d%b, ") });
  });

  it.runIf(inject("postgresUrl"))("a real server without the database", async () => {
    const url = (inject("postgresUrl") ?? "").replace(/\/[^/]*$/, "/nowhere");
    await expect(opening(url)).rejects.toMatchObject({
      message: expect.stringMatching(
        /cannot be used: the database is not there \(user .*, database nowhere, /,
      ),
    });
  });

  it("one that is too old", async () => {
    const store = await usualEngine().open();
    onTestFinished(() => store.close());
    const error = await requireServer(store.db, "postgres://127.0.0.1/x", 99).catch((one) => one);
    expect(error.code).toBe("database_unusable");
    expect(error.message).toMatch(
      /^the PostgreSQL of DATABASE_URL has version 1\d\.\d+, and Tollgate needs 99/,
    );
  });
});
