import { afterEach, describe, expect, test, vi } from "vitest";
import { startProgress } from "../../src/cli/commands/platform-import.ts";
import { resolveAddress, resolveJobServer } from "../../src/cli/platform-address.ts";
import { readClientSettings } from "../../src/settings/ci.ts";
import { typed } from "./run-command.ts";

const SERVER = { TOLLGATE_URL: "https://a.example", TOLLGATE_TOKEN: "tg_a" };
const JOB = {
  ...{ CI: "true", GITHUB_ACTIONS: "true" },
  ...{ ACTIONS_ID_TOKEN_REQUEST_URL: "https://job.example/t?v=2", ACTIONS_ID_TOKEN_REQUEST_TOKEN: "r" },
};
const resolve = (options: { url?: string; token?: string }, environment: Readonly<Record<string, string>>) =>
  resolveAddress(options, readClientSettings(environment));

describe("the server that a command calls", () => {
  test.each([
    ["the environment names it", {}, SERVER, { url: "https://a.example", token: "tg_a" }],
    [
      "options win",
      { url: "https://b.example", token: "tg_b" },
      SERVER,
      { url: "https://b.example", token: "tg_b" },
    ],
    ["each option wins by itself", { token: "tg_b" }, SERVER, { url: "https://a.example", token: "tg_b" }],
    ["without any it is the one of this machine", {}, {}, {}],
    ["empty variables count as unset", {}, { TOLLGATE_URL: "", TOLLGATE_TOKEN: "" }, {}],
  ])("%s", (_, options, environment, expected) => {
    expect(resolve(options, environment)).toEqual(expected);
  });

  test.each([
    ["no token", {}, { TOLLGATE_URL: "https://a.example" }, "There is an address, but no token."],
    ["no address", {}, { TOLLGATE_TOKEN: "tg_a" }, "There is a token, but no address."],
    [
      "a wrong variable",
      {},
      { ...SERVER, TOLLGATE_URL: "a.example" },
      "TOLLGATE_URL is no address of a platform",
    ],
    ["a wrong option", { url: "ftp://b.example" }, SERVER, "--url is no address of a platform"],
  ])("%s is refused", (_, options, environment, message) => {
    expect(() => resolve(options, environment)).toThrow(message);
  });

  test("a job's id token counts only where no token is given", () => {
    const find = (environment: Readonly<Record<string, string>>) =>
      resolveJobServer({}, readClientSettings(environment));
    const { TOLLGATE_URL } = SERVER;
    const idToken = { url: "https://job.example/t?v=2", token: "r" };
    expect(find({ ...JOB, TOLLGATE_URL })).toEqual({ url: TOLLGATE_URL, idToken });
    expect(find({ ...JOB, ...SERVER })).toBeNull();
    expect(find(JOB)).toBeNull();
    expect(find({ TOLLGATE_URL })).toBeNull();
  });
});

describe("in a CI job", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const commands = [
    ["api", "executions", "list", "--org", "o", "--project", "p"],
    ["platform", "emit", "--repo", "r", "--event", "branch_created"],
    ["platform", "import", "--billing", "no-such-file.jsonl"],
  ];
  test.each(commands)("`tollgate %s %s` never starts a platform of its own", async (...words) => {
    for (const [name, value] of Object.entries({ CI: "true", TOLLGATE_DATA: "/nonexistent" }))
      vi.stubEnv(name, value);
    expect(await typed(words.filter(Boolean))).toEqual({
      code: 2,
      results: "",
      messages: [
        "no Tollgate is named, and a CI job has none of its own",
        "Set TOLLGATE_URL, and TOLLGATE_TOKEN or the job's `permissions: id-token: write`.",
      ],
    });
  });

  test("a job of GitHub Actions without a token is told both ways to get one", async () => {
    for (const [name, value] of Object.entries({
      CI: "true",
      GITHUB_ACTIONS: "true",
      TOLLGATE_URL: "http://127.0.0.1:1",
    }))
      vi.stubEnv(name, value);
    const execution = ["--org", "o", "--project", "p", "--repository", "o/p", "--sha", "a".repeat(40)];
    const { code, messages } = await typed([
      "platform",
      "import",
      "--workspace",
      "w",
      "--plan",
      "x",
      ...execution,
    ]);
    expect(code).toBe(2);
    expect(messages).toEqual([
      "There is an address, but no token: the job lacks `id-token: write`.",
      "Give the job `permissions: id-token: write`, which is enough to send a plan or an estimate, or set TOLLGATE_TOKEN.",
    ]);
  });
});

test("an import that takes longer than two seconds shows its progress, and removes it at the end", () => {
  const shown: (string | null)[] = [];
  const clock = { ms: 0, now: () => clock.ms, monotonicMs: () => clock.ms };
  const output = {
    result: () => {},
    message: () => {},
    exit: () => {},
    progress: (text: string | null) => shown.push(text),
  };
  const { onPage, end } = startProgress(output, "billing.jsonl", clock);
  for (const [pages, ms] of [
    [1, 1_999],
    [2, 2_000],
    [31, 65_400],
  ] as const) {
    clock.ms = ms;
    onPage(pages);
  }
  end();
  expect(shown).toEqual([
    "sending billing.jsonl: 2 pages, 2 s",
    "sending billing.jsonl: 31 pages, 65 s",
    null,
  ]);
});
