import { Command } from "@commander-js/extra-typings";
import { readEnvironment, readSettings } from "../../settings/read.ts";
import { copyDirectory } from "../../wiring/database/copy.ts";
import { type MakeCommand, usageError } from "../command.ts";
import { paragraphs } from "../help-text.ts";

/** `tollgate database copy`: moves what the embedded database holds to PostgreSQL. */
export const databaseCopyCommand: MakeCommand = (output) =>
  new Command()
    .requiredOption(
      "--to <URL>",
      "the empty PostgreSQL database, e.g. postgres://tollgate@db.example.com/tollgate",
    )
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "Copies the embedded database in TOLLGATE_DATA, `data` by default: approvals, evaluations, tokens, the chain of decisions, and deliveries that wait. Stop Tollgate first; the command refuses a directory that is in use.",
        "Everything is copied in one transaction and compared. If the command fails or is killed, the other database has no rows: start it again. The data directory stays as it is.",
        "A password need not be in the address: PGPASSWORD is read.",
      ),
    )
    .action(async ({ to, json }) => {
      if (!/^postgres(ql)?:\/\//.test(to))
        throw usageError("--to is no address of a PostgreSQL: postgres://…");
      const { dataDirectory } = readSettings(readEnvironment());
      const copied = await copyDirectory(dataDirectory, to, (table, rows) => {
        output.progress?.(`${table}: ${rows} rows`);
      });
      output.progress?.(null);
      output.result(
        json
          ? JSON.stringify(copied)
          : `${copied.rows} rows are copied and equal; the chain of ${copied.decisions} decisions is whole.`,
      );
      output.message("Next: set DATABASE_URL to this address, keep all other settings, and start Tollgate.");
      output.message(
        `${dataDirectory} is not read any more. Keep it until you have seen the new one work, and never start both.`,
      );
    });
