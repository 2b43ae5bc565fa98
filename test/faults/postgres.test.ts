import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { CHAIN_START, verifyNextPart } from "../../src/store/audit/chain.ts";
import { eventually } from "../world/eventually.ts";
import { findBinaries, PostgresServer } from "../world/postgres-server.ts";
import { startTcpSwitch, type TcpSwitch } from "../world/tcp-switch.ts";
import { FaultyWorld } from "./faulty-world.ts";

const bin = findBinaries();
const DATABASE = "tollgate";
const MAX_CONNECTIONS = 40;

describe.runIf(bin)("while Tollgate runs, its PostgreSQL", { timeout: 120_000 }, () => {
  let primary: PostgresServer;
  let tcpSwitch: TcpSwitch;
  let faulty: FaultyWorld;
  let disk: string | null = null;
  beforeAll(async () => {
    primary = await PostgresServer.start(bin ?? "", ["fsync=off", `max_connections=${MAX_CONNECTIONS}`]);
    await primary.query(`create database ${DATABASE}`);
    tcpSwitch = await startTcpSwitch(primary.port);
    faulty = await FaultyWorld.create({ databaseUrl: primary.url(DATABASE, tcpSwitch.port) });
  });
  afterAll(async () => {
    await faulty.world.ends();
    await tcpSwitch.close();
    await primary.end();
    if (disk !== null) spawnSync("umount", ["-l", disk]);
  });

  const sets = async (statement: string) => {
    await primary.query(`alter system ${statement}`);
    await primary.query("select pg_reload_conf()");
  };

  it.each(inject("isDeep") ? (["fast", "immediate"] as const) : (["immediate"] as const))(
    "restarts (%s)",
    async (mode) => {
      await faulty.survives({
        breaks: () => primary.stop(mode),
        isTold:
          /^503 database failed: (no answer|nothing listens on its address|it is starting or stopping)\n/,
        isLogged: [/"a database connection was lost"/],
        repairs: () => primary.start(),
      });
    },
  );

  it("becomes read-only, as a primary that was demoted", async () => {
    await faulty.survives({
      breaks: () => sets("set default_transaction_read_only = on"),
      isTold: /^503 database failed: it is read-only\n$/,
      isLogged: [
        /"hint":"Let the address in DATABASE_URL lead to the primary[^"]*".*the queue waits for the database: it is read-only/,
      ],
      repairs: () => sets("reset default_transaction_read_only"),
    });
  });

  it.runIf(inject("isDeep"))("has no free connection", async () => {
    const others: pg.Client[] = [];
    const takesAll = async (): Promise<void> => {
      for (;;) {
        const client = new pg.Client({ connectionString: primary.url() });
        try {
          await client.connect();
        } catch {
          return;
        }
        others.push(client);
      }
    };
    await faulty.survives({
      breaks: async () => {
        await eventually(async () => {
          tcpSwitch.cut(); // Tollgate opens new ones at once, so some rounds are needed
          await takesAll();
          expect(others.length).toBe(MAX_CONNECTIONS);
        });
      },
      isTold: /^503 database failed: it has no free connection\n$/,
      isLogged: [/"hint":"Raise max_connections[^"]*".*it has no free connection/],
      repairs: async () => void (await Promise.all(others.map((client) => client.end()))),
    });
  });

  it.runIf(inject("isDeep"))("cancels every query", async () => {
    const sees = async (statement: string) => {
      await primary.query(`alter role tollgate ${statement}`);
      tcpSwitch.cut();
    };
    await faulty.survives({
      breaks: () => sees("set statement_timeout = 1"),
      isTold: /^503 (.*\n)*.* failed: it cancels queries\n/,
      isLogged: [/"hint":"Raise or reset statement_timeout[^"]*".*it cancels queries/],
      repairs: () => sees("reset statement_timeout"),
    });
  });

  it("is replaced by its stand-by, which streamed all", async () => {
    const standby = await primary.startStandby();
    await primary.query("select pg_switch_wal()");
    await faulty.survives({
      breaks: () => primary.stop("immediate"),
      isTold: /^503 database failed: /,
      isLogged: [/"a database connection was lost"/],
      repairs: () => {
        standby.promote();
        tcpSwitch.pointTo(standby.port);
      },
    });
    expect(await verifyNextPart(faulty.world.bot.session.store.db, CHAIN_START)).toMatchObject({
      state: "whole",
    });
    await primary.end();
    primary = standby;
  });

  it("has a full disk", async ({ skip }) => {
    const place = mkdtempSync(join(tmpdir(), "tollgate-small-"));
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=60m", "tmpfs", place]).status !== 0)
      return skip("this account may not mount a file system");
    disk = place;
    const folder = join(place, "tables");
    mkdirSync(folder);
    execFileSync("chown", ["-R", "postgres", place]);
    await primary.query(`create tablespace small location '${folder}'`);
    await faulty.world.bot.stop();
    await primary.query(`alter database ${DATABASE} set tablespace small`);
    await faulty.world.restarts();
    await faulty.survives({
      breaks: () => {
        const chunk = Buffer.alloc(64 * 1024 * 1024);
        expect(() => writeFileSync(join(place, "other"), chunk)).toThrow(/ENOSPC/);
        for (let number = 0; number < 12; number++) faulty.world.opensPullRequest(); // more rows than have room
      },
      isTold: /^503 database failed: its disk is full\n/,
      isLogged: [/"hint":"Free some space on PostgreSQL's disk/],
      repairs: () => writeFileSync(join(place, "other"), ""),
    });
  });

  it.runIf(inject("isDeep"))("is silent on every open connection, as after a cable was pulled", async () => {
    await faulty.survives({
      breaks: () => tcpSwitch.hold(),
      isTold: /^503 database failed: no answer\n/,
      isLogged: [],
      repairs: () => tcpSwitch.release(),
    });
  });
});
