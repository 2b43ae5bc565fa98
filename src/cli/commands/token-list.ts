import { Command } from "@commander-js/extra-typings";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { type ListedToken, readStoredTokens } from "../../wiring/local-store.ts";
import { printForPeople } from "../api/table.ts";
import type { MakeCommand } from "../command.ts";
import { paragraphs } from "../help-text.ts";

/** `tollgate token list`: what credentials there are, without their secrets. */
export const tokenListCommand: MakeCommand = (output) =>
  new Command()
    .option("--all", "also tokens that expired or were revoked")
    .option("--json", "print the list as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "The last use is recorded at most every five minutes. Secrets are not stored, so they are not shown.",
      ),
    )
    .action(async ({ all, json }) => {
      const tokens = await readStoredTokens(readSettings(readEnvironment()));
      const listed = tokens.filter(({ state }) => all === true || state === "active");
      if (json) output.result(JSON.stringify(listed, null, 2));
      else if (listed.length > 0) printForPeople(listed.map(toRow), output);
      else output.message(tokens.length === 0 ? NONE : NONE_VALID);
    });

const NONE = "there is no token yet; `tollgate token create` makes one";
const NONE_VALID = "there is no valid token; `tollgate token list --all` shows the others";

/** Members as people look for them; empty columns are left out. */
function toRow({ id, name, purpose, state, repository, repository_id, org, project, ...rest }: ListedToken) {
  const { created_by, created, expires, last_used, account } = rest;
  return {
    ...{ id, name, purpose, state: state === "active" ? null : state },
    repository: repository ?? repository_id,
    project: org === null ? null : `${org}/${project}`,
    ...{ created, expires, last_used, created_by, account },
  };
}
