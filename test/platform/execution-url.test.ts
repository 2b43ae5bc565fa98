import { describe, expect, test } from "vitest";
import { parseExecutionUrl } from "../../src/platform/execution-url.ts";

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
