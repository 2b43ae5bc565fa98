import type { CommandRow } from "./command.ts";

/** Every command, in the order of the help. A new command is one row here and a function in `commands/`. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "start",
    summary: "receive GitHub's webhook deliveries and evaluate pull requests",
    load: async () => (await import("./commands/start.ts")).startCommand(),
  },
  {
    name: "worker",
    summary: "evaluate pull requests whose deliveries a `start` elsewhere receives",
    load: async () => (await import("./commands/start.ts")).workerCommand(),
  },
  {
    name: "demo",
    summary: "run Tollgate with a sandbox GitHub on this machine, without any account",
    load: async () => (await import("./commands/demo.ts")).demoCommand,
  },
  {
    name: "preview",
    summary: "show the comment or check that plan and estimate files would get",
    load: async () => (await import("./commands/preview.ts")).previewCommand(),
  },
  {
    name: "ci",
    summary: "evaluate a pull request in a CI job, without a server",
    load: async () => (await import("./commands/ci.ts")).ciCommand(),
  },
  {
    name: "verify",
    summary: "compare what an apply does and costs with what was evaluated",
    load: async () => (await import("./commands/verify.ts")).verifyCommand(),
  },
  {
    name: "policy check",
    summary: "report every problem of a policy file",
    load: async () => (await import("./commands/policy-check.ts")).policyCheckCommand(),
  },
  {
    name: "policy test",
    summary: "evaluate test cases by a policy and compare the outcomes",
    load: async () => (await import("./commands/policy-test.ts")).policyTestCommand(),
  },
  {
    name: "policy explain",
    summary: "show which rule decided, and by which value",
    load: async () => (await import("./commands/policy-explain.ts")).policyExplainCommand(),
  },
  {
    name: "policy suggest",
    summary: "suggest limits from the history of a repository",
    load: async () => (await import("./commands/policy-suggest.ts")).policySuggestCommand,
  },
  {
    name: "platform serve",
    summary: "run the embedded platform alone",
    load: async () => (await import("./commands/platform-serve.ts")).platformServeCommand,
  },
  {
    name: "platform import",
    summary: "record a plan and an estimate, or data computed elsewhere, on the embedded platform",
    load: async () => (await import("./commands/platform-import.ts")).platformImportCommand(),
  },
  {
    name: "platform emit",
    summary: "send an event to the webhooks of the embedded platform",
    load: async () => (await import("./commands/platform-emit.ts")).platformEmitCommand(),
  },
  {
    name: "database copy",
    summary: "copy the embedded database to PostgreSQL, once, to go on there",
    load: async () => (await import("./commands/database.ts")).databaseCopyCommand,
  },
  {
    name: "token create",
    summary: "create a credential for CI or for reading the API, shown once",
    load: async () => (await import("./commands/token.ts")).tokenCreateCommand,
  },
  {
    name: "token list",
    summary: "list the credentials: purpose, repository, expiry, last use",
    load: async () => (await import("./commands/token.ts")).tokenListCommand,
  },
  {
    name: "token revoke",
    summary: "end a credential, for a running Tollgate too",
    load: async () => (await import("./commands/token.ts")).tokenRevokeCommand,
  },
  {
    name: "notify test",
    summary: "send a test message to the targets of notifications",
    load: async () => (await import("./commands/notify-test.ts")).notifyTestCommand,
  },
  {
    name: "api",
    summary: "call any operation of the platform",
    load: async () => (await import("./commands/api.ts")).apiCommand,
  },
  {
    name: "audit export",
    summary: "export every decision as a chain of hashes",
    load: async () => (await import("./commands/audit.ts")).auditExportCommand,
  },
  {
    name: "audit verify",
    summary: "verify an export of the chain, offline",
    load: async () => (await import("./commands/audit.ts")).auditVerifyCommand,
  },
  {
    name: "doctor",
    summary: "examine this installation: settings, database, GitHub, platform, policies",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand,
  },
];
