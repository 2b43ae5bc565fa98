import { Command } from "@commander-js/extra-typings";
import { describe, expect, test } from "vitest";
import type { CommandRow } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { typed } from "./run-command.ts";

const LIST = [
  { id: "a", name: "first", size: 1 },
  { id: "b", size: 2 },
];

/** A command that answers with a value. */
const answering = (value: unknown, lines = [JSON.stringify(value)]): CommandRow => ({
  name: "things list",
  summary: "lists things",
  load: async () => (output) =>
    new Command().option("--json", "print the list as JSON").action(({ json }) => {
      for (const line of json ? lines : ["for people"]) output.result(line);
    }),
});

const lists = async (words: readonly string[], row = answering(LIST)) =>
  typed(["things", "list", ...words], [row]);

describe("the answer of a command as JSON", () => {
  test.each<[string, readonly string[], string]>([
    ["is for people without an option", [], "for people"],
    ["is whole with --json", ["--json"], JSON.stringify(LIST)],
    [
      "has the named members only, null where an item has none",
      ["--json", "name,id"],
      JSON.stringify(
        [
          { name: "first", id: "a" },
          { name: null, id: "b" },
        ],
        null,
        2,
      ),
    ],
    ["is filtered with jq: texts as they are, a line each", ["--jq", ".[].id"], "a\nb"],
    [
      "is filtered with jq: other values as compact JSON",
      ["--jq", ".[0]"],
      '{"id":"a","name":"first","size":1}',
    ],
    ["is filtered with jq after the members are chosen", ["--json", "size", "--jq", "map(.size) | add"], "3"],
    ["is nothing when jq selects nothing", ["--jq", ".[] | select(.size > 5)"], ""],
  ])("%s", async (_, words, expected) => {
    expect(await lists(words)).toEqual({ code: 0, results: expected, messages: [] });
  });

  test("an unknown member is refused with a suggestion", async () => {
    expect(await lists(["--json", "nme"])).toEqual({
      code: 2,
      results: "",
      messages: ['--json: the answer has no member "nme"; did you mean name?', "It has id, name, size."],
    });
  });

  test("a wrong expression is refused with jq's reason", async () => {
    const { code, results, messages } = await lists(["--jq", ".["]);
    expect([code, results]).toEqual([2, ""]);
    expect(messages[0]).toMatch(/^--jq "\.\[": syntax error, unexpected end of file/);
  });

  test("an answer that arrives in many lines is one document", async () => {
    const row = answering(
      LIST,
      LIST.map((item, at) => `${at === 0 ? "[" : ","}${JSON.stringify(item)}`).concat("]"),
    );
    expect((await lists(["--jq", "length"], row)).results).toBe("2");
  });

  test("half of an answer is not taken for the whole", async () => {
    const row = answering(LIST, [`[${JSON.stringify(LIST[0])}`]);
    expect((await lists(["--jq", "length"], row)).results).toBe("");
  });

  test("the environment of the process is not visible to an expression", async () => {
    expect((await lists(["--jq", "env.PATH, $ENV.HOME"])).results).not.toContain(
      process.env["HOME"] ?? "/root",
    );
  });
});

test.each([
  ["api", "executions", "list"],
  ["token", "list"],
  ["platform", "import"],
])("tollgate %s %s offers members and jq", async (...words) => {
  const { results } = await typed([...words.filter(Boolean), "--help"]);
  expect(results).toContain("--json [FIELDS]");
  expect(results).toContain("--jq <EXPRESSION>");
});

test("a command whose argument could be mistaken for a member takes --json without one", async () => {
  const { results } = await typed(["policy", "check", "--help"]);
  expect(results).toContain("--json  ");
  expect(results).toContain("--jq <EXPRESSION>");
});

test("-h is the help of every command, and a misspelled option is suggested", async () => {
  for (const { name } of COMMANDS) {
    const { code, results } = await typed([...name.split(" "), "-h"]);
    expect([code, results.split("\n")[0]]).toEqual([0, expect.stringContaining(`Usage: tollgate ${name}`)]);
  }
  const { messages } = await typed(["token", "list", "--al"]);
  expect(messages.join("\n")).toContain("unknown option '--al' (Did you mean --all?)");
});
