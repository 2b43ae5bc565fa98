import type { Command } from "./command.ts";

/** Files of this machine that a command reads in place of a pull request. */
export const LOCAL_FILES = {
  infracost: {
    value: "FILE",
    multiple: true,
    about: "an Infracost estimate as JSON; - reads the standard input",
  },
  plan: {
    value: "FILE",
    multiple: true,
    about: "a Terraform or OpenTofu plan as JSON; - reads the standard input",
  },
} as const satisfies Command["options"];
