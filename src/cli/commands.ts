import type { CommandRow } from "./command.ts";

/** Every command, in the order of the help. A new command is one row here and one file in `commands/`. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "start",
    summary: "take GitHub's deliveries and work on them",
    load: async () => (await import("./commands/start.ts")).startCommand,
  },
  {
    name: "worker",
    summary: "work on what a `start` elsewhere takes",
    load: async () => (await import("./commands/start.ts")).workerCommand,
  },
  {
    name: "demo",
    summary: "watch the whole job on this machine, without any account",
    load: async () => (await import("./commands/demo.ts")).demoCommand,
  },
  {
    name: "preview",
    summary: "show what a pull request with these plan and estimate files would be told",
    load: async () => (await import("./commands/preview.ts")).previewCommand,
  },
  {
    name: "policy check",
    summary: "tell everything that is wrong with a policy file",
    load: async () => (await import("./commands/policy-check.ts")).policyCheckCommand,
  },
  {
    name: "policy test",
    summary: "judge cases by a policy, and compare",
    load: async () => (await import("./commands/policy-test.ts")).policyTestCommand,
  },
  {
    name: "policy explain",
    summary: "tell which rule decided, and by which value",
    load: async () => (await import("./commands/policy-explain.ts")).policyExplainCommand,
  },
  {
    name: "platform serve",
    summary: "run the embedded platform alone",
    load: async () => (await import("./commands/platform-serve.ts")).platformServeCommand,
  },
  {
    name: "platform import",
    summary: "record a plan and an estimate, or what is computed elsewhere, on the embedded platform",
    load: async () => {
      const { platformImportCommand } = await import("./commands/platform-import.ts");
      const { resolveLocalPlatform } = await import("../wiring/platform/local.ts");
      return platformImportCommand(resolveLocalPlatform);
    },
  },
  {
    name: "platform emit",
    summary: "tell webhooks of the embedded platform of an event",
    load: async () => {
      const { platformEmitCommand } = await import("./commands/platform-emit.ts");
      const { resolveLocalPlatform } = await import("../wiring/platform/local.ts");
      return platformEmitCommand(resolveLocalPlatform);
    },
  },
  {
    name: "token create",
    summary: "make a credential for CI, shown once",
    load: async () => (await import("./commands/token-create.ts")).tokenCreateCommand,
  },
  {
    name: "api",
    summary: "call any operation of the platform",
    load: async () => {
      const { apiCommand } = await import("./commands/api.ts");
      const { openApiPlatform } = await import("../wiring/platform/api.ts");
      return apiCommand(openApiPlatform);
    },
  },
  {
    name: "audit export",
    summary: "write out every verdict and signature as a chain that can be checked",
    load: async () => (await import("./commands/audit-export.ts")).auditExportCommand,
  },
  {
    name: "audit verify",
    summary: "prove an export of the chain, offline",
    load: async () => (await import("./commands/audit-verify.ts")).auditVerifyCommand,
  },
  {
    name: "completion",
    summary: "print a script that completes commands in bash, zsh or fish",
    load: async () => (await import("./commands/completion.ts")).completionCommand(COMMANDS),
  },
];
