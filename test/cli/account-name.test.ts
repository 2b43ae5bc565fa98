import { expect, test } from "vitest";
import { readAccountName } from "../../src/cli/commands/token-create.ts";

test("an account without a name, as a container has, is named by its number", () => {
  expect(readAccountName(() => ({ username: "tollgate" }))).toBe("tollgate");
  const nameless = () => {
    throw new Error("uv_os_get_passwd returned ENOENT");
  };
  expect(readAccountName(nameless)).toMatch(/^uid \d+$/);
});
