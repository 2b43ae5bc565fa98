import type { IncomingMessage } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { anomalies } from "../../src/platform/contract/anomalies.ts";
import { listExecutions } from "../../src/platform/contract/executions.ts";
import { createRig, type Rig } from "./client-for-test.ts";
import { type Loopback, serveHttp } from "./loopback.ts";

const params = { org: "o", project: "p" };
const LIVE = "/gateway/iacm/api/orgs/o/projects/p";
const NEUTRAL = "/api/orgs/o/projects/p";

let server: Loopback;
let client: Rig["client"];
afterEach(async () => {
  await client.close();
  await server.stop();
});

const PATHS = { live: LIVE, neutral: NEUTRAL };
const HEADERS = { live: "harness-account", neutral: "platform-account" };

/** Below its path, and with its header alone. */
function isSpokenTo(dialect: "live" | "neutral", { url = "", headers }: IncomingMessage): boolean {
  const other = dialect === "live" ? "neutral" : "live";
  const isNamed = headers[HEADERS[dialect]] === "acc123" && headers[HEADERS[other]] === undefined;
  return url.startsWith(`${PATHS[dialect]}/`) && isNamed;
}

/** A platform that answers below these paths only, to the header of the same dialect, and what was asked there. */
async function speaks(...known: ("live" | "neutral")[]) {
  const asked: string[] = [];
  const requests: IncomingMessage[] = [];
  const state = { known };
  server = await serveHttp((request, response) => {
    requests.push(request);
    const dialect = state.known.find((one) => isSpokenTo(one, request));
    const path = (request.url ?? "").split("?")[0] ?? "";
    if (dialect !== undefined) asked.push(path);
    const body = path.endsWith("/executions") ? "[]" : '{"disabled":false}';
    response.writeHead(dialect === undefined ? 403 : 200, { "content-type": "application/json" });
    response.end(dialect === undefined ? "{}" : body);
  });
  client = createRig(`http://127.0.0.1:${server.port}`, { dialect: null }).client;
  return { asked, requests, state };
}

describe("a client whose dialect nobody stated", () => {
  test.each([
    ["the real platform", "live", LIVE],
    ["the documents", "neutral", NEUTRAL],
  ] as const)("speaks as %s where only that is answered, and asks once", async (_, dialect, path) => {
    const { asked } = await speaks(dialect);
    const calls = [client.call(listExecutions, { params }), client.call(listExecutions, { params })];
    expect(await Promise.all(calls)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(asked).toEqual([`${path}/settings/disabled`, `${path}/executions`, `${path}/executions`]);
  });

  test("says what the real platform's path says when neither is answered, and asks again later", async () => {
    const { state } = await speaks();
    expect(await client.call(listExecutions, { params })).toMatchObject({ failure: { kind: "forbidden" } });
    state.known = ["neutral"];
    expect(await client.call(listExecutions, { params })).toMatchObject({ ok: true });
  });

  test("learns from cost management which words for clouds it has", async () => {
    const bodies: string[] = [];
    server = await serveHttp(async (request, response) => {
      const pieces: unknown[] = [];
      for await (const piece of request) pieces.push(piece);
      bodies.push(pieces.join(""));
      const isRefused = request.url?.includes("cloudProvider=AWS");
      const answer = isRefused
        ? { status: "FAILURE", message: "no such cloud" }
        : { status: "SUCCESS", data: [] };
      response.end(JSON.stringify(answer));
    });
    client = createRig(`http://127.0.0.1:${server.port}`, { dialect: null }).client;
    const anomalyFilterPropertiesDTO = { cloud1Accounts: ["1"], filterType: "Anomaly" as const };
    const answer = await client.call(anomalies.listAnomalies, { body: { anomalyFilterPropertiesDTO } });
    expect(answer).toMatchObject({ ok: true });
    expect(bodies).toEqual(["", "", JSON.stringify({ anomalyFilterPropertiesDTO })]);
  });

  test("sends a platform of the documents no header and no parameter that they do not print", async () => {
    const { requests } = await speaks("neutral");
    expect(await client.call(listExecutions, { params, query: { limit: 100 } })).toMatchObject({ ok: true });
    const documented = requests.slice(1); // the first asks whether it is the real platform
    expect(documented.map(({ url }) => url)).toEqual([
      `${NEUTRAL}/settings/disabled`,
      `${NEUTRAL}/executions?limit=100`,
    ]);
    const known = /^(host|connection|accept|accept-encoding|x-api-key|platform-account)$/;
    for (const { headers } of documented)
      expect(Object.keys(headers).filter((name) => !known.test(name))).toEqual([]);
  });
});
