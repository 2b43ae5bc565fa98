import { pino } from "pino";
import { expect, inject, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { shareCalls } from "../../src/wiring/platform/connect.ts";
import { freshPostgres } from "../world/engines.ts";
import { eventually } from "../world/eventually.ts";

type SharedCalls = Awaited<ReturnType<typeof shareCalls>>;

const server = inject("postgresUrl");
const PER_MINUTE = 120;

async function startProcess(url: string): Promise<SharedCalls> {
  const store = await openDatabase({ kind: "postgres", url, maxConnections: 2 }, () => {});
  const calls = await shareCalls({ store, clock: systemClock }, pino({ level: "silent" }), PER_MINUTE);
  onTestFinished(async () => {
    await calls.close();
    await store.close();
  });
  return calls;
}

/** Begins as many calls as may begin now, of `most`; returns their number. */
function callsAtOnce(pace: SharedCalls["pace"], most = PER_MINUTE): number {
  let begun = 0;
  while (begun < most && pace.reserve(0) !== null) begun += 1;
  return begun;
}

/** Whether another evaluation may begin. */
function hasRoom({ pace }: SharedCalls): boolean {
  if (pace.begin() !== null) return false;
  pace.end();
  return true;
}

it.runIf(server)(
  "processes on one database have equal parts of the calls, and a part grows when one of them ends",
  async () => {
    const url = await freshPostgres(server ?? "");
    const first = await startProcess(url);
    expect(callsAtOnce(first.pace, 40)).toBe(40);
    expect(hasRoom(first)).toBe(true); // it has 80 alone
    const second = await startProcess(url);
    expect([callsAtOnce(second.pace), callsAtOnce(second.backgroundPace)]).toEqual([40, 20]);
    await eventually(() => expect(hasRoom(first)).toBe(false));
    await second.close();
    await eventually(() => expect(hasRoom(first)).toBe(true));
  },
);
