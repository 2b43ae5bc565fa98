import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { createDatabaseListener } from "../../../src/store/replicas/listener.ts";
import { findFreePort } from "../../../src/wiring/process/free-port.ts";
import { freshPostgres } from "../../world/engines.ts";
import { eventually } from "../../world/eventually.ts";
import { startTcpSwitch } from "../../world/tcp-switch.ts";

const server = inject("postgresUrl");

/** A listener whose connection leads to `port` first, with what it heard and why connections were lost. */
async function start(port?: number) {
  const url = new URL(await freshPostgres(server ?? ""));
  const real = Number(url.port);
  const direct = new pg.Client({ connectionString: url.href });
  await direct.connect();
  const tcpSwitch = await startTcpSwitch(port ?? real);
  url.port = String(tcpSwitch.port);
  const heard: string[] = [];
  const errors: Error[] = [];
  const listener = createDatabaseListener({ url: url.href, onError: (error) => void errors.push(error) });
  onTestFinished(async () => {
    await listener.close();
    await tcpSwitch.close();
    await direct.end();
  });
  const listens = (channel: string) =>
    listener.listen(
      channel,
      (payload) => void heard.push(`${channel} ${payload}`),
      () => {},
    );
  const isHeard = (channel: string) =>
    eventually(async () => {
      await direct.query("select pg_notify($1, 'news')", [channel]);
      expect(heard).toContain(`${channel} news`);
    });
  return { listener, tcpSwitch, real, errors, listens, isHeard };
}

it.runIf(server)("a process that starts before PostgreSQL is notified as soon as it is there", async () => {
  const { listener, tcpSwitch, real, errors, listens, isHeard } = await start(await findFreePort());
  await listens("jobs");
  await listens("changes");
  expect(listener.isListening()).toBe(false);
  expect(errors.map(({ message }) => message)).toEqual(
    Array(2).fill("the connection for notifications failed, and another one follows"),
  );
  tcpSwitch.pointTo(real);
  await isHeard("jobs");
  await isHeard("changes");
});

it.runIf(server)(
  "a channel that was requested on a connection that had just ended is listened to on the next one",
  async () => {
    const { tcpSwitch, listens, isHeard } = await start();
    await listens("jobs");
    tcpSwitch.cut();
    await listens("changes");
    await isHeard("changes");
    await isHeard("jobs");
  },
);
