import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPlatformId } from "../../src/kernel/ids.ts";
import { parseExecutionUrl } from "../../src/platform/execution-url.ts";
import { casesToTry } from "../world/depth.ts";

const allowed = { hosts: ["app.platform.test", "127.0.0.1:3000"], account: "acc123" };
const BASE = "https://app.platform.test";
const TAIL = "orgs/acme/projects/shop/pipelines/plan_all/executions/M-DJhbL4TnmESj_e_31v8w";
const found = {
  state: "found",
  org: "acme",
  project: "shop",
  pipeline: "plan_all",
  executionId: "M-DJhbL4TnmESj_e_31v8w",
};
/** The page of an execution names the execution and nothing else. */
const readPage = (url: string) => {
  const parsed = parseExecutionUrl(url, allowed);
  return parsed.state === "found" ? parseExecutionUrl(parsed.page, allowed) : parsed;
};
const notOurs = { state: "not_ours" };
const malformed = { state: "refused", reason: "malformed" };
const otherAccount = { state: "refused", reason: "other_account" };

describe("URLs that name an execution", () => {
  test.each([
    ["module form", `${BASE}/ng/account/acc123/module/ci/${TAIL}/pipeline`],
    ["module without the word", `${BASE}/ng/account/acc123/iacm/${TAIL}/pipeline`],
    ["all", `${BASE}/ng/account/acc123/all/${TAIL}/pipeline`],
    ["no module", `${BASE}/ng/account/acc123/${TAIL}`],
    ["no /ng", `${BASE}/account/acc123/ci/${TAIL}/pipeline`],
    ["deployments", `${BASE}/ng/account/acc123/ci/${TAIL.replace("executions", "deployments")}`],
    ["stage in the query", `${BASE}/ng/account/acc123/ci/${TAIL}/pipeline?stage=s1&stageExecId=run1`],
    ["escaped ampersand", `${BASE}/ng/account/acc123/ci/${TAIL}/pipeline?stage=s1\\&stageExecId=run1`],
    ["escaped ampersand after it", `${BASE}/ng/account/acc123/ci/${TAIL}?stageExecId=run1\\&branch=x`],
    ["fragment form", `${BASE}/ng/#/account/acc123/ci/${TAIL}/pipeline?stage=s1&stageExecId=run1`],
    ["fragment form without /ng", `${BASE}/#/account/acc123/ci/${TAIL}/pipeline`],
    ["fragment form without slash", `${BASE}/ng#/account/acc123/ci/${TAIL}/pipeline`],
    ["a fragment after the query", `${BASE}/ng/account/acc123/${TAIL}/pipeline?stageExecId=run1#logs`],
    ["empty stage", `${BASE}/ng/account/acc123/${TAIL}/pipeline?stageExecId=`],
    ["a tab below a tab", `${BASE}/ng/account/acc123/${TAIL}/artifacts/list`],
    ["upper-case host", `HTTPS://APP.Platform.Test/ng/account/acc123/${TAIL}`],
    ["the scheme's own port", `https://app.platform.test:443/ng/account/acc123/${TAIL}`],
    ["a host with port", `http://127.0.0.1:3000/ng/account/acc123/${TAIL}`],
  ])("%s", (_, url) => {
    expect(parseExecutionUrl(url, allowed)).toMatchObject(found);
    expect(readPage(url)).toMatchObject(found);
  });

  test("ids have their first character and percent-encoding is undone once", () => {
    const url = `${BASE}/ng/account/acc123/orgs/a%24b/projects/shop/pipelines/p/executions/-JuPz3aUTriC4xig66BMEQ`;
    expect(parseExecutionUrl(url, allowed)).toMatchObject({
      org: "a$b",
      executionId: "-JuPz3aUTriC4xig66BMEQ",
    });
  });
});

describe("URLs that must not be followed", () => {
  test.each([
    ["another host", `https://evil.test/ng/account/acc123/${TAIL}`, notOurs],
    ["our host as user name", `https://app.platform.test@evil.test/ng/account/acc123/${TAIL}`, notOurs],
    ["our host as a prefix", `https://app.platform.test.evil.test/ng/account/acc123/${TAIL}`, notOurs],
    [
      "our host behind a backslash",
      `https://evil.test\\@app.platform.test/ng/account/acc123/${TAIL}`,
      notOurs,
    ],
    ["another port", `https://app.platform.test:8443/ng/account/acc123/${TAIL}`, notOurs],
    ["another scheme", `ftp://app.platform.test/ng/account/acc123/${TAIL}`, notOurs],
    ["a script", `javascript:alert(1)//app.platform.test/account/acc123/${TAIL}`, notOurs],
    ["no scheme", `//app.platform.test/ng/account/acc123/${TAIL}`, notOurs],
    ["a line break", `${BASE}/ng/account/acc123/\n${TAIL}`, notOurs],
    ["another page", `${BASE}/ng/account/acc123/home`, notOurs],
    ["an execution in the query", `${BASE}/ng?x=/account/acc123/${TAIL}`, notOurs],
    ["an execution deeper in the path", `${BASE}/redirect/ng/account/acc123/${TAIL}`, notOurs],
    ["empty", "", notOurs],
    ["very long", `${BASE}/ng/account/acc123/${TAIL}/${"x".repeat(5000)}`, notOurs],
    ["another account", `${BASE}/ng/account/acc124/ci/${TAIL}`, otherAccount],
    ["the account in other case", `${BASE}/ng/account/ACC123/ci/${TAIL}`, otherAccount],
    ["our host with the root's dot", `https://app.platform.test./ng/account/acc123/${TAIL}`, malformed],
    ["our host with dots of the root", `https://app.platform.test../ng/account/acc123/${TAIL}`, notOurs],
    ["our host with its dot encoded", `https://app.platform%2etest/ng/account/acc123/${TAIL}`, malformed],
    ["our host with a letter encoded", `https://%61pp.platform.test/ng/account/acc123/${TAIL}`, malformed],
    ["our host in wide letters", `https://\uff41pp.platform.test/ng/account/acc123/${TAIL}`, malformed],
    ["our host with a wide dot", `https://app\u3002platform.test/ng/account/acc123/${TAIL}`, malformed],
    ["our host with a soft hyphen", `https://app.plat\u00adform.test/ng/account/acc123/${TAIL}`, malformed],
    [
      "our host with no port after a colon",
      `https://app.platform.test:/ng/account/acc123/${TAIL}`,
      malformed,
    ],
    [
      "our host with a zero before its port",
      `https://app.platform.test:0443/ng/account/acc123/${TAIL}`,
      malformed,
    ],
    ["our host behind an empty user", `https://@app.platform.test/ng/account/acc123/${TAIL}`, malformed],
    ["a short form of our address", `http://127.1:3000/ng/account/acc123/${TAIL}`, malformed],
    ["a hexadecimal form of our address", `http://0x7f000001:3000/ng/account/acc123/${TAIL}`, malformed],
    ["an encoded slash after our host", `https://app.platform.test%2fng/account/acc123/${TAIL}`, notOurs],
    ["backslashes for slashes", `https:\\\\app.platform.test/ng/account/acc123/${TAIL}`, notOurs],
    [
      "our host before an encoded at sign",
      `https://app.platform.test%40evil.test/ng/account/acc123/${TAIL}`,
      notOurs,
    ],
    ["credentials", `https://user:word@app.platform.test/ng/account/acc123/${TAIL}`, malformed],
    ["dots for an id", `${BASE}/ng/account/acc123/${TAIL.replace("acme", "..")}`, malformed],
    ["encoded dots for an id", `${BASE}/ng/account/acc123/${TAIL.replace("acme", "%2e%2E")}`, malformed],
    ["an encoded slash", `${BASE}/ng/account/acc123/${TAIL.replace("acme", "a%2Fb")}`, malformed],
    ["twice encoded", `${BASE}/ng/account/acc123/${TAIL.replace("acme", "a%252Fb")}`, malformed],
    ["broken encoding", `${BASE}/ng/account/acc123/${TAIL.replace("acme", "%zz")}`, malformed],
    ["a long id", `${BASE}/ng/account/acc123/${TAIL.replace("acme", "a".repeat(129))}`, malformed],
  ])("%s", (_, url, outcome) => {
    expect(parseExecutionUrl(url, allowed)).toEqual(outcome);
  });
});

describe("any URL at all", () => {
  const anyOf = <T>(...values: T[]) => fc.constantFrom(...values);
  const id = fc.oneof(
    { weight: 24, arbitrary: fc.stringMatching(/^[A-Za-z0-9_.$-]{1,24}$/) },
    anyOf("..", ".", "%2e%2e", "a%2Fb", "orgs", "executions", "%00", "ü", "a b", "", "{id}", "x".repeat(200)),
  );
  const generated = fc
    .record({
      origin: anyOf(
        BASE,
        BASE,
        BASE,
        "http://127.0.0.1:3000",
        "https://evil.test",
        `https://${"a@"}evil.test`,
      ),
      root: anyOf("/ng", "", "/ng/#", "/#", "/x"),
      account: fc.oneof({ weight: 12, arbitrary: fc.constant("acc123") }, id),
      module: anyOf("", "/module/ci", "/ci", "/all", "/iacm", "/CI"),
      ids: fc.tuple(id, id, id, id),
      word: anyOf("executions", "deployments", "execution"),
      tail: anyOf(
        "",
        "/pipeline",
        "/pipeline?stageExecId=run1",
        "?stageExecId=..",
        "?a\\&stageExecId=run2",
        "#x",
      ),
    })
    .map(({ origin, root, account, module, ids: [org, project, pipeline, execution], word, tail }) => {
      const path = `orgs/${org}/projects/${project}/pipelines/${pipeline}/${word}/${execution}`;
      return `${origin}${root}/account/${account}${module}/${path}${tail}`;
    });
  const mutated = fc
    .tuple(
      generated,
      fc.nat(),
      fc.nat({ max: 9 }),
      fc.oneof(fc.string(), anyOf("\\", "@", "#", "?", "//", "\n", "%2f")),
    )
    .map(([url, at, cut, put]) => {
      const position = at % (url.length + 1);
      return url.slice(0, position) + put + url.slice(position + cut);
    });
  const urls = fc.oneof(
    generated,
    mutated,
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string(),
  );

  test("never throws, and what it finds is valid and ours", () => {
    let finds = 0;
    fc.assert(
      fc.property(urls, (url) => {
        const parsed = parseExecutionUrl(url, allowed);
        if (parsed.state !== "found") return;
        finds += 1;
        const { state: _, page, ...ids } = parsed;
        expect(parseExecutionUrl(page, allowed)).toEqual(parsed);
        expect(Object.values(ids).every(isPlatformId)).toBe(true);
        expect(allowed.hosts).toContain(new URL(url).host);
        expect(decodeURIComponent(/\/account\/([^/]+)/.exec(url)?.[1] ?? "")).toBe("acc123");
      }),
      { numRuns: casesToTry({ usual: 1_000, deep: 10_000 }) },
    );
    expect(finds).toBeGreaterThan(10);
  });

  test("every well-formed URL gives back exactly its ids", () => {
    const good = fc.stringMatching(/^[A-Za-z0-9_$-][A-Za-z0-9_.$-]{0,60}$/);
    fc.assert(
      fc.property(fc.tuple(good, good, good, good), (ids) => {
        const [org, project, pipeline, executionId] = ids;
        const path = `orgs/${org}/projects/${project}/pipelines/${pipeline}/executions/${executionId}`;
        const url = `${BASE}/ng/account/acc123/module/iacm/${path}/pipeline?stageExecId=run1`;
        expect(parseExecutionUrl(url, allowed)).toEqual({
          state: "found",
          page: `${BASE}/ng/account/acc123/module/iacm/${path}/pipeline`,
          org,
          project,
          pipeline,
          executionId,
        });
      }),
      { numRuns: casesToTry({ usual: 300, deep: 2_000 }) },
    );
  });
});
