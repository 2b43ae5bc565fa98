/** Returns the probable kind of a text that is not JSON, from its beginning; null: not recognised. */
export function guessTextKind(beginning: string): string | null {
  const text = beginning.replace(COLOURS, "").trimStart();
  return TEXTS.find(({ looks }) => looks.test(text))?.seems ?? null;
}

/** Returns the probable kind of a JSON object, from its top-level keys; null: not recognised. */
export function guessObjectKind(keys: ReadonlySet<string>): string | null {
  return OBJECTS.find((known) => known.keys.every((key) => keys.has(key)))?.seems ?? null;
}

/** Matches terminal colour codes, which tools write around words. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");

const TEXTS: readonly { readonly looks: RegExp; readonly seems: string }[] = [
  { looks: /^<(!doctype html|html|head|body)\b/i, seems: "an HTML page (a sign-in or error page?)" },
  { looks: /^<\?xml|^<[a-z]/i, seems: "XML" },
  { looks: /^(#.*\n\s*)*version: *['"]?0\.\d+['"]?\s*\n(.*\n)*?resource_/, seems: "an Infracost usage YAML" },
  {
    looks: /^(#.*\n\s*)*version: *['"]?0\.\d+['"]?\s*\n(.*\n)*?projects:/,
    seems: "an Infracost configuration YAML",
  },
  { looks: /^version https:\/\/git-lfs/, seems: "a Git LFS pointer: fetch the file itself" },
  {
    looks:
      /^(Terraform|OpenTofu) (used|will|has)|^No changes\. |^Note: Objects have changed|^\S+: (Refreshing state|Reading)\b/,
    seems: "a plan printed for people: run `terraform show -json FILE`",
  },
  { looks: /^Name\s+Monthly Qty|^Project: /, seems: "an Infracost table: run it with `--format json`" },
  {
    looks:
      /^((#|\/\/).*\n\s*)*(resource|variable|module|provider|terraform|data|output|locals|import|moved|removed|check)\b[^\n:]*\{/,
    seems: "Terraform code",
  },
  { looks: /^(Error|╷|│ Error)/, seems: "an error message instead of the output of a command" },
  {
    looks: /^(#.*\n\s*)*version: *1\s*\n(.*\n)*?(rules|expect|stages|waivers):/,
    seems: "a policy file: give it with `--policy`",
  },
  { looks: /^---|^[A-Za-z_][\w-]*:(\s|$)/, seems: "YAML" },
];

const OBJECTS: readonly { readonly keys: readonly string[]; readonly seems: string }[] = [
  {
    keys: ["@level", "@message"],
    seems: "the log of `terraform plan -json`: run `terraform show -json PLANFILE` instead",
  },
  { keys: ["projects", "totalMonthlyCost"], seems: "an Infracost JSON" },
  {
    keys: ["resources", "totalMonthlyCost"],
    seems: "an Infracost JSON older than version 0.2: make it again with a newer release",
  },
  { keys: ["format_version", "planned_values"], seems: "a Terraform plan JSON" },
  { keys: ["format_version", "resource_changes"], seems: "a Terraform plan JSON" },
  { keys: ["plan_format_version"], seems: "a Terraform plan JSON" },
  { keys: ["resource_changes"], seems: "a part of a Terraform plan JSON" },
  { keys: ["serial", "lineage"], seems: "a Terraform state file" },
  { keys: ["format_version", "provider_schemas"], seems: "the output of `terraform providers schema -json`" },
  {
    keys: ["format_version", "values"],
    seems: "a Terraform state (`terraform show -json` of a state, not of a plan)",
  },
  { keys: ["valid", "diagnostics"], seems: "the output of `terraform validate -json`" },
  { keys: ["format_version", "terraform_version"], seems: "a Terraform state without resources" },
  {
    keys: ["steps", "config"],
    seems: "a preview of Pulumi: only plans of Terraform and OpenTofu are read",
  },
  { keys: ["AWSTemplateFormatVersion"], seems: "a CloudFormation template" },
  { keys: ["$schema", "runs"], seems: "a SARIF report" },
  { keys: ["resource"], seems: "Terraform code in JSON" },
  { keys: ["lockfileVersion"], seems: "a package lock file" },
  { keys: ["currency", "total_monthly_cost"], seems: "a cost change of the platform's API" },
  { keys: ["resource_usage"], seems: "an Infracost usage file" },
  { keys: ["Currency", "Diff"], seems: "the figures that the platform's policy engine sees" },
  { keys: ["message", "documentation_url"], seems: "an error answer of an API" },
  { keys: ["error"], seems: "an error answer of an API" },
];
