import { describe, expect, test } from "vitest";
import { isSecretName, listPairedSecrets } from "../../src/kernel/redact-credentials.ts";

describe("a name", () => {
  test.each(["password", "DB_PASSWORD", "auth.rootPassword", "api_key", "connectionString"])(
    "%s tells a secret",
    (name) => expect(isSecretName(name)).toBe(true),
  );
  test.each(["password_wo_version", "secret_version", "engine_version", "name"])("%s tells none", (name) =>
    expect(isSecretName(name)).toBe(false),
  );
});

test("a secret beside its name is found by what holds values, and by nothing else", () => {
  for (const name of ["name", "key", "env", "option", "option_name", "variable", "parameter_name"])
    expect(listPairedSecrets({ [name]: "DB_PASSWORD", value: "x", type: "String" })).toEqual(["value"]);
  for (const value of ["value", "values", "val", "string_value", "parameter_value", "default"])
    expect(listPairedSecrets({ key: "token", [value]: "x", scope: "a" })).toEqual([value]);
  expect(listPairedSecrets({ name: "replicas", value: "3" })).toEqual([]);
});
