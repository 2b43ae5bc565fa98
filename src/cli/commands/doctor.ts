import { Command } from "@commander-js/extra-typings";
import { readEnvironment } from "../../settings/read.ts";
import { examineInstallation } from "../../wiring/doctor/examine.ts";
import { type MakeCommand, usageError } from "../command.ts";
import { formatExamination, toExaminationJson } from "../doctor-text.ts";
import { paragraphs } from "../help-text.ts";

const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;

/** `tollgate doctor`: what is wrong with this installation, and the way out. */
export const doctorCommand: MakeCommand = (output) =>
  new Command()
    .option("--repository <OWNER/NAME>", "also examine whether this repository requires Tollgate's check")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      paragraphs(
        "Examines settings, database, the App at GitHub with its webhook and its last deliveries, the platform, grants and policy files. It " +
          "writes nothing, and may run beside `tollgate start` with the same settings.",
        "Exits 0 without failures, also with warnings, and 1 with failures; each has its way out.",
      ),
    )
    .action(async ({ repository = null, json }) => {
      if (repository !== null && !REPOSITORY.test(repository))
        throw usageError(`--repository takes OWNER/NAME, found ${JSON.stringify(repository)}.`);
      const examination = await examineInstallation(readEnvironment(), { repository });
      output.result(
        json ? JSON.stringify(toExaminationJson(examination), null, 2) : formatExamination(examination),
      );
      output.exit(examination.state === "failed" ? 1 : 0);
    });
