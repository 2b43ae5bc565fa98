import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../../src/wiring/process/log.ts";
import { findLeaks, TROUBLES } from "../world/canaries.ts";
import { STRICT } from "../world/costs.ts";
import { dumpTables } from "../world/dump.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld } from "../world/world.ts";

const TOKEN = "pat.acc.5f0c1a2b3c4d5e6f.Zq7-canary/of+the=platform";

it("a remote platform's token stays inside, whatever the platform quotes", async () => {
  const quoted = TROUBLES.map(() => 0);
  const platform = createServer(({ url = "", headers }, response) => {
    // Each execution has a trouble of its own; calls that name none get one after the other.
    const named = /\be(\d)\b/.exec(url)?.[1];
    const at = Number(named ?? quoted.reduce((sum, count) => sum + count, 0)) % TROUBLES.length;
    quoted[at] = (quoted[at] ?? 0) + 1;
    const trouble = TROUBLES[at]?.(
      [headers["x-api-key"], headers.authorization].flat().flatMap((key) => key ?? []),
    );
    response.writeHead(trouble?.status ?? 500, trouble?.headers).end(trouble?.body);
  });
  await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void platform.close());
  const url = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`; // it listens on TCP
  const remote = {
    kind: "remote",
    token: TOKEN,
    account: "acc",
    dialect: "neutral",
    prefix: "",
    callsPerMinute: 360,
  } as const;
  const lines: string[] = [];
  const world = await createWorld({
    policy: STRICT,
    settings: { platform: { ...remote, url } },
    operator: ({ ownerId: owner }) => ({ grants: [{ owner, org: "o", project: "p" }] }),
    log: createLog("trace", { destination: { write: (line: string) => void lines.push(line) } }),
  });
  onTestFinished(() => world.ends());
  const pull = world.opensPullRequest();
  for (const at of TROUBLES.keys())
    world.github.postStatus({
      repository: REPOSITORY,
      sha: pull.headSha,
      context: `plan-${at}`,
      state: "success",
      creator: "ci",
      targetUrl: `${url}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/e${at}/pipeline`,
    });
  await world.settles();
  expect(Math.min(...quoted)).toBeGreaterThan(0);
  const canaries = [
    { name: "platform token", secret: TOKEN },
    { name: "its secret part", secret: TOKEN.split(".").at(-1) ?? "" },
  ];
  const shown = [...world.comments(pull), JSON.stringify(world.checkOf(pull))];
  expect(findLeaks(lines.join(""), canaries)).toEqual([]);
  expect(findLeaks(shown.join("\n"), canaries)).toEqual([]);
  expect(findLeaks(await dumpTables(world.bot.session.store), canaries)).toEqual([]);
});
