import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { openBoss } from "../../src/queue/open.ts";
import { createQueue } from "../../src/queue/queue.ts";
import { readAuditLines, verifyAudit } from "../../src/store/audit/chain.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { emptyPostgres, freshPostgres } from "../world/engines.ts";
import { findBinaries } from "../world/postgres-server.ts";
import { newDirectory, recordDecisions } from "./data-directory.ts";

const server = inject("postgresUrl");
const programs = findBinaries() ?? "";
const [ONE, TWO] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
const quiet = { warn: () => {}, error: () => {} };
const openAt = (url: string) => openDatabase({ kind: "postgres", url, maxConnections: 3 }, () => {});

it.runIf(server !== null && existsSync(join(programs, "pg_dump")))(
  "a copy that pg_dump takes while Tollgate runs has its decisions and its waiting deliveries after pg_restore",
  async () => {
    const [url, target] = [await freshPostgres(server ?? ""), await emptyPostgres(server ?? "")];
    const file = join(newDirectory(), "tollgate.dump");
    const store = await openAt(url);
    const queue = createQueue(await openBoss(store, quiet), systemClock);
    await recordDecisions(store);
    await queue.acceptDelivery(ONE, { n: 1 });
    execFileSync(join(programs, "pg_dump"), ["--format=custom", `--file=${file}`, url]);
    await queue.acceptDelivery(TWO, { n: 2 });
    execFileSync(join(programs, "pg_restore"), ["--no-owner", "--exit-on-error", `--dbname=${target}`, file]);
    const restored = await openAt(target);
    async function* lines() {
      const filter = { repositoryId: null, fromMs: null, toMs: null };
      for await (const line of readAuditLines(restored.db, filter)) yield JSON.stringify(line);
    }
    expect(await verifyAudit(lines())).toMatchObject({ state: "whole", decisions: 3, included: 3 });
    const again = createQueue(await openBoss(restored, quiet), systemClock);
    expect(await again.acceptDelivery(ONE, { n: 1 })).toBe("duplicate");
    expect(await again.acceptDelivery(TWO, { n: 2 })).toBe("queued");
    for (const part of [queue, again]) await part.stop();
    for (const part of [store, restored]) await part.close();
  },
);
