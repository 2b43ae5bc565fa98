import { describe, expect, it } from "vitest";
import { listTargetSecrets, NotificationTarget } from "../../src/settings/notification-targets.ts";
import { parseOperatorFile } from "../../src/settings/operator.ts";

const read = (targets: string, environment: Record<string, string> | null = {}) =>
  parseOperatorFile(`notifications: { targets: [${targets}] }`, environment);

const SLACK = "name: finops, kind: slack";
const MAIL = "name: mail, kind: email, from: a@example.com, to: [b@example.com]";

describe("a target in the operator's file", () => {
  it("has its secrets from the environment or as text", () => {
    const file = read(
      `{ ${SLACK}, url: { env: U } }, { ${MAIL}, smtp: { env: S } }, { name: hook, kind: webhook, url: "https://h.example/x", secret: { env: K } }`,
      { U: "https://hooks.slack.com/services/x", S: "smtps://u:p@m.example", K: "k".repeat(24) },
    );
    expect(file).toMatchObject({
      state: "ok",
      file: {
        notifications: {
          targets: [
            {
              url: "https://hooks.slack.com/services/x",
              off_by: "20",
              digest: "none",
              per_minute: 20,
              on: [],
            },
            { smtp: "smtps://u:p@m.example" },
            { secret: "k".repeat(24) },
          ],
        },
      },
    });
  });

  it("needs no environment where nobody is told, as in a CI job", () => {
    expect(read(`{ ${SLACK}, url: { env: U } }`, null)).toMatchObject({
      state: "ok",
      file: { notifications: { targets: [] } },
    });
  });

  const HOOK = "https://h.example/";
  const mail = (from: string, to: string) =>
    `{ name: m, kind: email, smtp: "smtp://m.example", from: "${from}", to: ["${to}"] }`;
  it.each([
    ["an unset variable", `{ ${SLACK}, url: { env: U } }`, "U is not set"],
    [
      "no encryption",
      `{ ${SLACK}, url: "http://hooks.example/s3cret" }`,
      "expected a URL that starts with https://",
    ],
    [
      "a URL with a password",
      `{ ${SLACK}, url: "https://u:s3cret@h.example/" }`,
      "without user and password",
    ],
    ["no mail server", `{ ${MAIL}, smtp: "https://s3cret.example" }`, "expected a URL such as smtps://"],
    ["mail options", `{ ${MAIL}, smtp: "smtp://m.example/?s3cret=1" }`, "without a path or options"],
    ["a name in an address", mail("a@example.com", "x <s3cret@example.com>"), "expected an e-mail address"],
    [
      "a second line in an address",
      mail("a@example.com\\r\\nBcc: s3cret@example.com", "b@example.com"),
      "expected an e-mail address",
    ],
    [
      "a short secret",
      `{ name: h, kind: webhook, url: "${HOOK}", secret: s3cret }`,
      "at least 24 characters",
    ],
    ["no event", `{ ${SLACK}, url: "${HOOK}", on: [merged] }`, "expected one of blocked, approval-needed"],
    ["an amount without currency", `{ ${SLACK}, url: "${HOOK}", above: 500 }`, "an amount such as 500 USD"],
    [
      "two of one name",
      `{ ${SLACK}, url: "${HOOK}" }, { ${SLACK}, url: "${HOOK}" }`,
      "expected another name for each target",
    ],
    [
      "an address alone",
      `"https://hooks.slack.com/services/s3cret"`,
      "expected one of slack, teams, email, webhook",
    ],
    ["an unknown kind", `{ name: x, kind: slak, url: "${HOOK}s3cret" }`, "(did you mean slack?)"],
    ["an unknown key", `{ ${SLACK}, url: "${HOOK}s3cret", digst: daily }`, "did you mean digest?"],
  ])("with %s is refused, and no value is quoted", (_, targets, problem) => {
    const file = read(targets);
    expect(file).toMatchObject({
      state: "invalid",
      problems: [{ message: expect.stringContaining(problem) }],
    });
    expect(JSON.stringify(file)).not.toContain("s3cret");
  });
});

describe("the secrets of targets, which logs leave out,", () => {
  it.each([
    [{ kind: "slack", url: "https://hooks.slack.com/services/T0/B0/x" }, "/services/T0/B0/x"],
    [{ kind: "teams", url: "https://x.example/workflows?sig=abcdef" }, "/workflows?sig=abcdef"],
    [
      { kind: "webhook", url: "https://x.example/", secret: "0123456789abcdef01234567" },
      "0123456789abcdef01234567",
    ],
    [{ kind: "email", smtp: "smtps://u:p%20assword@m.example", from: "a@b.c", to: ["a@b.c"] }, "p assword"],
  ])("of %j include %j", (target, secret) => {
    expect(listTargetSecrets(NotificationTarget.parse({ name: "x", ...target }))).toContain(secret);
  });
});
