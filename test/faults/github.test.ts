import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Fault } from "../../sandbox/http/faults.ts";
import { startTcpSwitch, type TcpSwitch } from "../world/tcp-switch.ts";
import { FaultyWorld } from "./faulty-world.ts";

const MINUTE = 60_000;

/** All of them by `npm run test:deep`, the first otherwise. */
const ANSWERS: readonly (readonly [string, Fault, RegExp])[] = [
  [
    "a page with status 200",
    { kind: "html" },
    /a page or a broken text in place of GitHub's answer \(status 200\)/,
  ],
  ["a page with status 502", { kind: "html", status: 502 }, /status 502/],
  ["half of each answer", { kind: "truncate" }, /the connection to GitHub was closed without an answer/],
];

describe("while Tollgate runs, GitHub", { timeout: 120_000 }, () => {
  let port = 0;
  let tcpSwitch: TcpSwitch;
  let faulty: FaultyWorld;
  beforeAll(async () => {
    faulty = await FaultyWorld.create({
      between: async (url) => {
        port = Number(new URL(url).port);
        tcpSwitch = await startTcpSwitch(port);
        return `http://127.0.0.1:${tcpSwitch.port}`;
      },
    });
  });
  afterAll(async () => {
    await faulty.world.ends();
    await tcpSwitch.close();
  });

  /** What happens while `breaks` lasts; health asks GitHub again. */
  const survives = (reason: RegExp, { breaks, repairs }: { breaks: () => void; repairs: () => void }) =>
    faulty.survives({
      breaks: async () => {
        breaks();
        await faulty.world.timePasses(MINUTE);
      },
      isTold: new RegExp(`^200 (.*\\n)*github ok: GitHub does not answer: ${reason.source}`),
      isLogged: [reason, /GitHub does not answer: nothing is evaluated/],
      repairs: async () => {
        repairs();
        await faulty.world.timePasses(MINUTE);
        await faulty.isReady(/^github ok$/m);
      },
    });

  it("cannot be connected to", () =>
    survives(/the connection to GitHub was closed without an answer/, {
      breaks: () => {
        tcpSwitch.pointTo(1);
        tcpSwitch.cut();
      },
      repairs: () => tcpSwitch.pointTo(port),
    }));

  it.each(inject("isDeep") ? ANSWERS : ANSWERS.slice(0, 1))("answers %s", (_what, fault, reason) => {
    const { faults } = faulty.world.github;
    return survives(reason, {
      breaks: () => void faults.add({ ...fault, times: Number.POSITIVE_INFINITY }),
      repairs: () => faults.clear(),
    });
  });

  it.runIf(inject("isDeep"))("is silent on every open connection, as after a cable was pulled", async () => {
    await survives(/(no answer of GitHub in 10000 ms|no connection to GitHub: check GHE_HOST)/, {
      breaks: () => tcpSwitch.hold(),
      repairs: () => tcpSwitch.release(),
    });
    expect(faulty.logged).not.toContain("127.0.0.1:");
  });
});
